# include/headroom/timing*: statistics, limits and caveats on replayed samples.
find_package(rapidcheck REQUIRED)
foreach(name samples collect doubts rate recorded)
  unit_test(timing_${name})
  target_include_directories(test_timing_${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  set_target_properties(test_timing_${name} PROPERTIES CXX_STANDARD 17)   # as its users may have
endforeach()
target_link_libraries(test_timing_samples PRIVATE rapidcheck)
target_link_libraries(test_timing_recorded PRIVATE nlohmann_json::nlohmann_json)

# The whole on the executor: one sample, floors, no kernel but the program's own.
foreach(name timing timing_example)
  runtime_program(${name})
  add_test(NAME runtime.${name} COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name})
  set_tests_properties(runtime.${name} PROPERTIES LABELS runtime
                       ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;ASAN_OPTIONS=detect_leaks=0")
endforeach()
