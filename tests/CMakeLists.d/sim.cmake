unit_test(sim_simulate sim)
unit_test(sim_shapes sim)
