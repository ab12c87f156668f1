unit_test(device_parts device)
unit_test(record_file device)
unit_test(device_graph device)
