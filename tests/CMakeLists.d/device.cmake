unit_test(device_parts device)
