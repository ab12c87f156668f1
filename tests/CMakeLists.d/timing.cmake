# include/headroom/timing*: statistics, limits and caveats on replayed samples.
find_package(rapidcheck REQUIRED)
foreach(name samples collect doubts rate)
  unit_test(timing_${name})
  target_include_directories(test_timing_${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  set_target_properties(test_timing_${name} PROPERTIES CXX_STANDARD 17)   # as its users may have
endforeach()
target_link_libraries(test_timing_samples PRIVATE rapidcheck)

# The whole on the executor: one sample, floors, no kernel but the program's own.
runtime_program(timing)
add_test(NAME runtime.timing COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_timing)
set_tests_properties(runtime.timing PROPERTIES LABELS runtime
                     ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;ASAN_OPTIONS=detect_leaks=0")
