unit_test(ptx_forms ptx)
unit_test(ptx_parse ptx)
unit_test(ptx_golden ptx)
unit_test(ptx_robust ptx)
