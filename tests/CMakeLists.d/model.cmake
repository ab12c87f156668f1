unit_test(model_occupancy model)
unit_test(model_occupancy_twin model)
target_include_directories(test_model_occupancy_twin SYSTEM PRIVATE ${CUDA_ROOT}/include)
