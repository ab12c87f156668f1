unit_test(sim_simulate sim)
