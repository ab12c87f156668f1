# Measuring on a GPU, tested without one: a driver and a CUPTI of ours play recorded traces back.
unit_test(gpu_parts gpu)
if(NOT TARGET headroom_inject)   # CUPTI's headers are missing
  return()
endif()
set(fake_gpu ${CMAKE_BINARY_DIR}/tests/programs/fake_gpu)
foreach(library cuda cupti)
  add_library(fake_${library} SHARED ${CMAKE_SOURCE_DIR}/tests/gpu/fake_${library}.cpp)
  target_include_directories(fake_${library} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(fake_${library} SYSTEM PRIVATE ${CUPTI_INCLUDE} ${CUDA_ROOT}/include)
  set_target_properties(fake_${library} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${fake_gpu} PREFIX "" OUTPUT_NAME lib${library})
endforeach()
set_target_properties(fake_cuda PROPERTIES SUFFIX .so.1)
set_target_properties(fake_cupti PROPERTIES SUFFIX .so.13)   # its SONAME, as the real one's

add_executable(gpu_program ${CMAKE_SOURCE_DIR}/tests/gpu/gpu_program.cpp)
target_link_libraries(gpu_program PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(gpu_program PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
add_dependencies(gpu_program fake_cuda fake_cupti headroom_inject)
file(COPY ${CMAKE_SOURCE_DIR}/tests/gpu/with_fake_gpu DESTINATION ${CMAKE_BINARY_DIR}/tests/programs)

python_test(gpu.chain tests/gpu/chain.py ${CMAKE_BINARY_DIR})
