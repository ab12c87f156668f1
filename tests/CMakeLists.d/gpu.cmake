# What is read and asked on a machine with a GPU.
unit_test(gpu_parts gpu)
