# The twin of a GPU: golden files and random PTX there beside the executor. The programs find the driver when they
# start, so they build anywhere; libstdc++ goes in, so that one file is all there is to carry.
foreach(name twin twin_random)
  add_executable(${name} twin/${name}.cpp twin/gpu.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE forms_golden headroom_sim ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
endforeach()
target_sources(twin_random PRIVATE twin/random_ptx.cpp)

# Two instruction sets of the executor against each other; on a GPU the same program runs thousands of seeds against it.
if("portable" IN_LIST ISA_SETS)
  add_test(NAME twin.instruction_sets COMMAND twin_random --seeds 0:40 --forms ${CMAKE_SOURCE_DIR}/tests/golden/forms --against portable)
  set_tests_properties(twin.instruction_sets PROPERTIES LABELS fuzz)
endif()
