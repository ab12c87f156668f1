unit_test(base_thread_pool base)
