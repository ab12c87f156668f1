# include/headroom/launch_box*: the look-up without CUDA; and a program of many architectures, also as relocatable code.
unit_test(launch_box)
target_include_directories(test_launch_box PRIVATE ${CMAKE_SOURCE_DIR}/include)

function(launch_box_program name)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/tests/programs/ REGEX "\\.cu$")
  cuda_program(runtime_${name} ${ARGN})
endfunction()
launch_box_program(launch_box launch_box.cu launch_box_other.cu ARCH 75 80 86 89 90 90a 100 120)
launch_box_program(launch_box_relocatable launch_box.cu launch_box_other.cu OPTIONS -rdc=true)
launch_box_program(launch_box_tables launch_box_tables.cu)
launch_box_program(launch_box_saxpy launch_box_saxpy.cu ARCH 80 90)

python_test(runtime.launch_box tests/scripts/launch_box.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs ${NVCC})
