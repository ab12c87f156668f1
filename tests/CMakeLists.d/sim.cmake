unit_test(sim_simulate sim)
unit_test(sim_threads sim)
unit_test(sim_clusters sim)
unit_test(sim_gather sim)
unit_test(sim_shapes sim)
unit_test(sim_flow sim)
unit_test(sim_teams sim)
unit_test(sim_convergence sim)
unit_test(sim_calls sim)
unit_test(sim_barriers sim)
unit_test(sim_spaces sim)
unit_test(sim_operands sim)
unit_test(sim_rows sim)

# No code of an instruction set may serve processors that lack it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(better_sets ${ISA_SETS})
list(REMOVE_ITEM better_sets portable)
foreach(isa ${better_sets})
  add_test(NAME rules.instruction_sets_${isa} COMMAND_EXPAND_LISTS
           COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/rules/instruction_sets.py ${isa}
                   $<TARGET_OBJECTS:headroom_lanes_${isa}>)
  set_tests_properties(rules.instruction_sets_${isa} PROPERTIES LABELS rules)
endforeach()
