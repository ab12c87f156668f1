# Kernels with one planted problem each (tests/advice): the model's advice names it and its line, and does not accuse the twin.
function(advice_program)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/advice/*.cu)
  cuda_program(advice ${sources})
endfunction()
advice_program()
python_test(advice.named tests/advice/named.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs/advice ${CMAKE_SOURCE_DIR}/tests/advice)
python_test(advice.rungs tests/advice/rungs.py ${bin}/headroom ${bin})
