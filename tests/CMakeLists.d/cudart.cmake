# Programs that check the API's behaviour themselves, run on the stand-in (tests/programs/*.cu), and what a
# process sees of the library around them (tests/programs/standin.py).
unit_test(sim_memory sim)

set(standin $<TARGET_FILE:headroom_cudart>)
if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address")   # its runtime must come first
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so
                  OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(standin "${asan} ${standin}")
endif()

function(runtime_program name)   # further sources, then what cuda_program takes
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
  cuda_program(runtime_${name} ${CMAKE_SOURCE_DIR}/tests/programs/${name}.cu ${ARGN})
  add_dependencies(runtime_${name} headroom_cudart)
endfunction()

set(programs memory driver_entry undefined at_exit host_functions symbols launch_errors fault events device occupancy kernels printing limits unsupported forks
             graphs capture pools launches devices peers textures cooperative virtual copy_async barriers_in_memory
             cub_sort cub_scan thrust_sort)   # the toolkit's libraries of kernels, against std::
foreach(name ${programs})
  runtime_program(${name})
endforeach()
runtime_program(relocatable ${CMAKE_SOURCE_DIR}/tests/programs/relocatable_other.cu OPTIONS -rdc=true)
runtime_program(launches_inside OPTIONS -rdc=true)
runtime_program(descriptors)   # run by standin.py
runtime_program(clusters ARCH 90)
runtime_program(launch_attributes ARCH 90)
runtime_program(tensor_copy ARCH 90a)
foreach(name ${programs} relocatable launches_inside clusters launch_attributes tensor_copy)
  add_test(NAME runtime.${name} COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name})
  set_tests_properties(runtime.${name} PROPERTIES LABELS runtime
                       ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;HEADROOM_ENGINE=ptx;ASAN_OPTIONS=detect_leaks=0")
endforeach()

# The same programs by their kernels' machine code.
foreach(name ${programs} relocatable launches_inside clusters launch_attributes tensor_copy)
  add_test(NAME machine_code.${name} COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name})
  set_tests_properties(machine_code.${name} PROPERTIES LABELS runtime
                       ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;HEADROOM_ENGINE=machine;ASAN_OPTIONS=detect_leaks=0")
endforeach()
foreach(name limits printing virtual)   # calls differ before sm_90
  add_test(NAME machine_code.${name}_sm_80 COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name})
  set_tests_properties(machine_code.${name}_sm_80 PROPERTIES LABELS runtime TIMEOUT 60
                       ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=a100;ASAN_OPTIONS=detect_leaks=0")
endforeach()
set_property(TEST machine_code.devices machine_code.peers APPEND PROPERTY ENVIRONMENT "HEADROOM_DEVICES=2")

add_test(NAME runtime.peers_variable COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_peers variable)
set_tests_properties(runtime.devices runtime.peers runtime.peers_variable PROPERTIES LABELS runtime
                     ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;HEADROOM_ENGINE=ptx;HEADROOM_DEVICES=2;ASAN_OPTIONS=detect_leaks=0")

# Programs without PTX, on the machine of their machine code.
foreach(name kernels printing symbols virtual)
  set(program ${CMAKE_BINARY_DIR}/tests/programs/no_ptx_${name})
  add_custom_command(OUTPUT ${program} DEPENDS ${CMAKE_SOURCE_DIR}/tests/programs/${name}.cu VERBATIM
    COMMAND ${NVCC} -cudart shared -gencode arch=compute_90,code=sm_90 -std=c++20 -I${CMAKE_SOURCE_DIR} -I${CMAKE_SOURCE_DIR}/include
            ${CMAKE_SOURCE_DIR}/tests/programs/${name}.cu -Xlinker -rpath=${CUDA_ROOT}/lib64 -o ${program}
    COMMENT "nvcc -o no_ptx_${name}")
  add_custom_target(no_ptx_${name} ALL DEPENDS ${program})
  add_test(NAME no_ptx.${name} COMMAND ${program})
  set_tests_properties(no_ptx.${name} PROPERTIES LABELS runtime
                       ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;ASAN_OPTIONS=detect_leaks=0")
endforeach()

# The same program, its device code linked apart (-dlink) with what lies in an archive.
set(apart ${CMAKE_CURRENT_BINARY_DIR}/runtime_relocatable)
set(archive ${CMAKE_CURRENT_BINARY_DIR}/librelocatable_other.a)
set(program ${CMAKE_BINARY_DIR}/tests/programs/runtime_archive)
add_custom_command(OUTPUT ${program} DEPENDS ${apart}.relocatable.o ${apart}.relocatable_other.o VERBATIM
  COMMAND ${CMAKE_AR} rcs ${archive} ${apart}.relocatable_other.o
  COMMAND ${NVCC} -arch=sm_80 -dlink ${apart}.relocatable.o ${archive} -o ${apart}.linked.o
  COMMAND ${CMAKE_CXX_COMPILER} ${apart}.relocatable.o ${apart}.linked.o ${archive} -L${CUDA_ROOT}/lib64 -lcudart
          -Wl,-rpath,${CUDA_ROOT}/lib64 -o ${program}
  COMMENT "nvcc -dlink, c++ -o ${program}")
add_custom_target(runtime_archive ALL DEPENDS ${program})

# Two libraries with kernels of the same name.
set(parts)
foreach(part 1 2)
  set(library ${CMAKE_BINARY_DIR}/tests/programs/libpart${part}.so)
  add_custom_command(OUTPUT ${library} DEPENDS ${CMAKE_SOURCE_DIR}/tests/programs/libraries_part.cu VERBATIM
    COMMAND ${NVCC} -shared -Xcompiler -fPIC -Xlinker -soname=libpart${part}.so -cudart shared -arch=sm_80 -lineinfo -DPART=${part} -o ${library}
            ${CMAKE_SOURCE_DIR}/tests/programs/libraries_part.cu)
  list(APPEND parts ${library})
endforeach()
set(program ${CMAKE_BINARY_DIR}/tests/programs/runtime_libraries)
add_custom_command(OUTPUT ${program} DEPENDS ${parts} ${CMAKE_SOURCE_DIR}/tests/programs/libraries.cu VERBATIM
  COMMAND ${NVCC} -cudart shared -arch=sm_80 -lineinfo -I${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/programs/libraries.cu
          ${parts} -Xlinker -rpath=$ORIGIN -Xlinker -rpath=${CUDA_ROOT}/lib64 -o ${program})
add_custom_target(runtime_libraries ALL DEPENDS ${program})
foreach(name archive libraries)
  add_test(NAME runtime.${name} COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name})
  set_tests_properties(runtime.${name} PROPERTIES LABELS runtime
                       ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;HEADROOM_ENGINE=ptx;ASAN_OPTIONS=detect_leaks=0")
endforeach()

# What an H200 read, bit by bit.
runtime_program(texture_reads)
add_test(NAME runtime.texture_reads COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_texture_reads
                                            ${CMAKE_SOURCE_DIR}/tests/golden/texture_reads.txt)
set_tests_properties(runtime.texture_reads PROPERTIES LABELS runtime
                     ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;HEADROOM_ENGINE=ptx;ASAN_OPTIONS=detect_leaks=0")

runtime_program(per_thread OPTIONS --default-stream per-thread)
add_test(NAME runtime.per_thread COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_per_thread)
set_tests_properties(runtime.per_thread PROPERTIES LABELS runtime
                     ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;HEADROOM_ENGINE=ptx;ASAN_OPTIONS=detect_leaks=0")

python_test(runtime.standin tests/programs/standin.py --standin $<TARGET_FILE:headroom_cudart>
            --programs ${CMAKE_BINARY_DIR}/tests/programs --symbols ${CMAKE_SOURCE_DIR}/src/cudart/symbols.txt)

set(threads_programs)
foreach(name kernels printing fault cooperative clusters)
  list(APPEND threads_programs ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name})
endforeach()
python_test(runtime.threads tests/programs/threads.py --standin $<TARGET_FILE:headroom_cudart> ${threads_programs}
            "${CMAKE_BINARY_DIR}/bin/copy --seed 1" "${CMAKE_BINARY_DIR}/bin/sgemm --seed 1")
