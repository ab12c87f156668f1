find_package(rapidcheck REQUIRED)
unit_test(record_lines record kernel)
target_link_libraries(test_record_lines PRIVATE rapidcheck)
unit_test(record_counters record)
