unit_test(machine_files machine)
unit_test(machine_measured machine)
