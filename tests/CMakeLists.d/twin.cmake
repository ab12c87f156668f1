# The twin of a GPU: golden files and random PTX there beside the executor. The programs find the driver when they
# start, so they build anywhere; libstdc++ goes in, so that one file is all there is to carry.
foreach(name twin twin_random)
  add_executable(${name} twin/${name}.cpp twin/gpu.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE forms_golden headroom_sim ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
endforeach()
target_sources(twin PRIVATE twin/bounds.cpp)
target_sources(twin_random PRIVATE twin/random_ptx.cpp twin/random_machine.cpp twin/by_architecture.cpp twin/opcodes.cpp)

# The same golden files by the machine code that ptxas makes of them: no GPU is needed.
add_executable(machine_forms twin/machine_forms.cpp twin/bounds.cpp twin/by_architecture.cpp twin/opcodes.cpp)
target_include_directories(machine_forms PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(machine_forms PRIVATE forms_golden headroom_sim)

# Approximate spellings may differ there, as on a GPU; random PTX has none.
set(golden_forms ${CMAKE_SOURCE_DIR}/tests/golden/forms)
add_test(NAME twin.machine_forms COMMAND machine_forms ${golden_forms})
add_test(NAME twin.random_machine_code COMMAND twin_random --seeds 0:40 --forms ${golden_forms} --against machine)
# Every opcode that is executed is tested somewhere, or named as one that is not.
python_test(twin.opcodes scripts/prove/opcodes.py ${CMAKE_BINARY_DIR} --check)
# A slice for older architectures; all of it is in results/machine_forms.json and machine_random.json.
set(twins_of_older)
foreach(architecture 75 80 89)
  add_test(NAME twin.machine_forms_${architecture} COMMAND machine_forms ${golden_forms} --architecture ${architecture}
           --only add,barrier,cvt_packed,dp4a,fma,ld,match,min,redux,sub,vote)
  add_test(NAME twin.random_machine_code_${architecture} COMMAND twin_random --seeds 0:16 --forms ${golden_forms}
           --against machine --architecture ${architecture})
  list(APPEND twins_of_older twin.machine_forms_${architecture} twin.random_machine_code_${architecture})
endforeach()
set_tests_properties(twin.machine_forms twin.random_machine_code ${twins_of_older} PROPERTIES LABELS fuzz ENVIRONMENT CUDA_HOME=${CUDA_ROOT})

# Two instruction sets of the executor against each other; on a GPU the same program runs thousands of seeds against it.
if("portable" IN_LIST ISA_SETS)
  add_test(NAME twin.instruction_sets COMMAND twin_random --seeds 0:40 --forms ${golden_forms} --against portable)
  set_tests_properties(twin.instruction_sets PROPERTIES LABELS fuzz)
endif()
