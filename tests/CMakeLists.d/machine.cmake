unit_test(machine_files machine)
