# Micro-kernels (tests/micro): accesses of one kind each, whose counters are known from their addresses.
function(micro_program)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/micro/*.cu)
  cuda_program(micro ${sources})
endfunction()
micro_program()
python_test(micro.counted tests/micro/counted.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs/micro)
