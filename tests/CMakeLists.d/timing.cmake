# include/headroom/timing*: statistics, limits and caveats on replayed samples.
find_package(rapidcheck REQUIRED)
foreach(name samples collect doubts rate recorded clocks)
  unit_test(timing_${name})
  target_include_directories(test_timing_${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  set_target_properties(test_timing_${name} PROPERTIES CXX_STANDARD 17   # as its users may have
                                             DISABLE_PRECOMPILE_HEADERS ON)
endforeach()
target_link_libraries(test_timing_samples PRIVATE rapidcheck)
# A libnvidia-ml.so.1 of its own, found as the driver's would be.
add_library(timing_nvml SHARED ${CMAKE_SOURCE_DIR}/tests/unit/timing_nvml.c)
set_target_properties(timing_nvml PROPERTIES OUTPUT_NAME nvidia-ml SOVERSION 1 C_VISIBILITY_PRESET default
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/nvml)
add_dependencies(test_timing_clocks timing_nvml)
set_tests_properties(unit.timing_clocks PROPERTIES ENVIRONMENT LD_LIBRARY_PATH=${CMAKE_BINARY_DIR}/tests/nvml)
target_link_libraries(test_timing_recorded PRIVATE nlohmann_json::nlohmann_json)

# The whole on the executor: one sample, floors, no kernel but the program's own.
foreach(name timing timing_example)
  runtime_program(${name})
  add_test(NAME runtime.${name} COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name})
  set_tests_properties(runtime.${name} PROPERTIES LABELS runtime
                       ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;ASAN_OPTIONS=detect_leaks=0")
endforeach()
