# Kernels with one planted fault each (tests/check): headroom check finds it at its lines, and does not accuse the mended twin.
function(check_programs)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/check/*.cu)
  cuda_program(check_cases ${sources} ARCH 90a)   # wgmma is of that alone
  cuda_program(written_by_host ${CMAKE_SOURCE_DIR}/tests/programs/written_by_host.cu OPTIONS -g)
  cuda_program(host_faults ${CMAKE_SOURCE_DIR}/tests/programs/host_faults.cu OPTIONS -g)
  cuda_program(unchecked_errors ${CMAKE_SOURCE_DIR}/tests/programs/unchecked_errors.cu OPTIONS -g)
endfunction()
check_programs()
python_test(check.found tests/check/found.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs/check_cases ${CMAKE_SOURCE_DIR}/tests/check)
python_test(check.edge tests/scripts/check.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs/check_cases
            ${CMAKE_BINARY_DIR}/tests/programs/golden_saxpy ${CMAKE_BINARY_DIR}/tests/programs/golden_past_the_end ${CMAKE_BINARY_DIR}/tests/programs/runtime_launch_errors
            ${CMAKE_BINARY_DIR}/tests/programs/written_by_host ${CMAKE_BINARY_DIR}/tests/programs/host_faults
            ${CMAKE_BINARY_DIR}/tests/programs/unchecked_errors)
