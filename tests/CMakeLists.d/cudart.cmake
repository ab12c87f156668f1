# Programs that check the API's behaviour themselves, run on the stand-in (tests/programs/*.cu), and what a
# process sees of the library around them (tests/programs/standin.py).
unit_test(sim_memory sim)

set(standin $<TARGET_FILE:headroom_cudart>)
if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address")   # its runtime must come first
  set(asan libasan.so)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(asan libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so)
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${asan} OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS "${asan}")   # a compiler that has none says the name again
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} has no ${asan}, the shared runtime of -fsanitize=address\n  hint: install it, or build without the option")
  endif()
  set(standin "${asan} ${standin}")
endif()

function(runtime_program name)   # further sources, then what cuda_program takes
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
  cuda_program(runtime_${name} ${CMAKE_SOURCE_DIR}/tests/programs/${name}.cu ${ARGN})
  add_dependencies(runtime_${name} headroom_cudart)
endfunction()

set(programs memory parameters uniform_branch driver_entry undefined at_exit host_functions symbols launch_errors fault events device occupancy kernels printing limits unsupported forks
             graphs capture pools launches devices peers textures cooperative virtual copy_async barriers_in_memory
             tallies repeats cub_sort cub_scan thrust_sort)   # the toolkit's libraries of kernels, against std::
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
foreach(name limits printing virtual parameters)   # calls and banks differ before sm_90
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

# Machine code alone with libcudadevrt inside, for debugging.
set(program ${CMAKE_BINARY_DIR}/tests/programs/device_runtime)
add_custom_command(OUTPUT ${program} DEPENDS ${CMAKE_SOURCE_DIR}/tests/programs/device_runtime.cu VERBATIM
  COMMAND ${NVCC} -cudart shared -G -rdc=true -gencode arch=compute_90,code=sm_90 -I${CMAKE_SOURCE_DIR} -Xlinker -rpath=${CUDA_ROOT}/lib64
          ${CMAKE_SOURCE_DIR}/tests/programs/device_runtime.cu -o ${program}
  COMMENT "nvcc -o device_runtime")
add_custom_target(device_runtime ALL DEPENDS ${program})
add_dependencies(device_runtime headroom_cudart)
add_test(NAME no_ptx.device_runtime COMMAND ${program})
set_tests_properties(no_ptx.device_runtime PROPERTIES LABELS runtime
                     ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;ASAN_OPTIONS=detect_leaks=0")

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

# The same programs as nvcc links them by default: with a CUDA runtime of their own, some stripped of its symbols.
set(static_environment "LD_PRELOAD=${standin};LD_AUDIT=$<TARGET_FILE:headroom_audit>;HEADROOM_MACHINE=h200;ASAN_OPTIONS=detect_leaks=0;CUDA_HOME=${CUDA_ROOT}")
set(static_programs)
function(static_test kind name)   # nvcc's OPTIONS
  set(program ${CMAKE_BINARY_DIR}/tests/programs/${kind}_${name})
  set(objects ${CMAKE_CURRENT_BINARY_DIR}/runtime_${name}.${name}.o)
  if(name STREQUAL "relocatable")
    list(APPEND objects ${CMAKE_CURRENT_BINARY_DIR}/runtime_${name}.relocatable_other.o)
  endif()
  add_custom_command(OUTPUT ${program} DEPENDS ${objects} VERBATIM
    COMMAND ${NVCC} -arch=sm_80 ${ARGN} ${objects} -o ${program} COMMENT "nvcc -o ${kind}_${name}")
  set(static_programs ${static_programs} ${program} PARENT_SCOPE)
  add_test(NAME ${kind}.${name} COMMAND ${program})
  set_tests_properties(${kind}.${name} PROPERTIES LABELS runtime ENVIRONMENT "${static_environment}")
endfunction()
foreach(name ${programs} relocatable)
  if(NOT name MATCHES "cub|thrust|devices|peers")   # the libraries' kernels are tested above, two devices are asked for there
    static_test(static ${name})
  endif()
endforeach()
foreach(name symbols graphs relocatable)
  static_test(stripped ${name} -Xlinker -s)
endforeach()

# Libraries that carry one each, loaded late.
set(folder ${CMAKE_BINARY_DIR}/tests/programs)
set(sources ${CMAKE_SOURCE_DIR}/tests/programs)
set(object ${CMAKE_CURRENT_BINARY_DIR}/static_library)
add_custom_command(OUTPUT ${folder}/libstatic.so ${folder}/libstripped.so ${folder}/static_loads
  DEPENDS ${sources}/static_library.cu ${sources}/static_at_load.c ${sources}/static_loads.c VERBATIM
  COMMAND ${NVCC} -c -arch=sm_80 -Xcompiler -fPIC ${sources}/static_library.cu -o ${object}.o
  COMMAND ${CMAKE_C_COMPILER} -c -fPIC ${sources}/static_at_load.c -o ${object}_at_load.o
  COMMAND ${NVCC} -arch=sm_80 -shared ${object}.o ${object}_at_load.o -o ${folder}/libstatic.so
  COMMAND ${NVCC} -arch=sm_80 -shared -Xlinker -s ${object}.o ${object}_at_load.o -o ${folder}/libstripped.so
  COMMAND ${CMAKE_C_COMPILER} ${sources}/static_loads.c -ldl -o ${folder}/static_loads
  COMMENT "libraries with a CUDA runtime of their own")
add_test(NAME static.loads COMMAND ${folder}/static_loads ${folder}/libstatic.so ${folder}/libstripped.so)
set_tests_properties(static.loads PROPERTIES LABELS runtime ENVIRONMENT "${static_environment}" TIMEOUT 60)
add_custom_target(static_programs ALL DEPENDS ${static_programs} ${folder}/static_loads)
add_dependencies(static_programs headroom_cudart headroom_audit)

add_executable(other_namespace ${CMAKE_SOURCE_DIR}/tests/programs/other_namespace.c)
target_link_libraries(other_namespace PRIVATE ${CMAKE_DL_LIBS})
add_test(NAME static.other_namespace COMMAND other_namespace $<TARGET_FILE:headroom_cudart>)
set_tests_properties(static.other_namespace PROPERTIES LABELS runtime ENVIRONMENT "${static_environment}"
                     PASS_REGULAR_EXPRESSION "libcudart.so.13 is loaded in a namespace of its own")

# Programs of the driver API: linked with its library, which ours is preloaded for.
function(driver_program name)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
  cuda_program(runtime_${name} ${CMAKE_SOURCE_DIR}/tests/programs/${name}.cu LIBRARIES -L${CUDA_ROOT}/lib64/stubs -lcuda)
  add_dependencies(runtime_${name} headroom_cuda)
endfunction()
function(driver_test test name engine)   # its arguments
  add_test(NAME ${test} COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name} ${ARGN})
  set_tests_properties(${test} PROPERTIES LABELS runtime
                       ENVIRONMENT "LD_PRELOAD=${standin} $<TARGET_FILE:headroom_cuda>;HEADROOM_MACHINE=h200;HEADROOM_ENGINE=${engine};ASAN_OPTIONS=detect_leaks=0")
endfunction()
foreach(name driver driver_contexts driver_graphs driver_link driver_memory)
  driver_program(${name})
endforeach()
# PTX that calls what nobody defines, and its machine code.
set(missing ${CMAKE_BINARY_DIR}/tests/programs/missing)
configure_file(${CMAKE_SOURCE_DIR}/tests/programs/missing.ptx ${missing}.ptx COPYONLY)
add_custom_command(OUTPUT ${missing}.cubin DEPENDS ${missing}.ptx VERBATIM
  COMMAND ${CUDA_BIN}/ptxas -c -arch=sm_90 ${missing}.ptx -o ${missing}.cubin)
add_custom_target(missing_function ALL DEPENDS ${missing}.cubin)
driver_test(driver.ptx driver ptx --emulated ${missing}.ptx)
driver_test(driver.machine driver machine --emulated ${missing}.ptx ${missing}.cubin)
driver_test(driver.contexts driver_contexts ptx --emulated)
driver_test(driver.graphs driver_graphs ptx)
driver_test(driver.link_ptx driver_link ptx)
driver_test(driver.link_machine driver_link machine)
driver_test(driver.memory driver_memory ptx)

python_test(driver.symbols tests/scripts/driver_symbols.py ${CMAKE_SOURCE_DIR}/src/driver/symbols.txt ${CMAKE_SOURCE_DIR}/src/driver/names.txt
            ${CUDA_ROOT}/include)

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
foreach(engine ptx machine)
  add_test(NAME runtime.texture_reads_${engine} COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_texture_reads
                                                        ${CMAKE_SOURCE_DIR}/tests/golden/texture_reads.txt)
  set_tests_properties(runtime.texture_reads_${engine} PROPERTIES LABELS runtime
                       ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;HEADROOM_ENGINE=${engine};ASAN_OPTIONS=detect_leaks=0")
endforeach()

runtime_program(per_thread OPTIONS --default-stream per-thread)
add_test(NAME runtime.per_thread COMMAND ${CMAKE_BINARY_DIR}/tests/programs/runtime_per_thread)
set_tests_properties(runtime.per_thread PROPERTIES LABELS runtime
                     ENVIRONMENT "LD_PRELOAD=${standin};HEADROOM_MACHINE=h200;HEADROOM_ENGINE=ptx;ASAN_OPTIONS=detect_leaks=0")

python_test(runtime.standin tests/programs/standin.py --standin $<TARGET_FILE:headroom_cudart>
            --programs ${CMAKE_BINARY_DIR}/tests/programs --symbols ${CMAKE_SOURCE_DIR}/src/cudart/symbols.txt
            --driver ${CMAKE_SOURCE_DIR}/src/driver/names.txt)

set(threads_programs)
foreach(name kernels printing fault cooperative clusters tallies)
  list(APPEND threads_programs ${CMAKE_BINARY_DIR}/tests/programs/runtime_${name})
endforeach()
python_test(runtime.threads tests/programs/threads.py --standin $<TARGET_FILE:headroom_cudart> ${threads_programs}
            "${CMAKE_BINARY_DIR}/bin/copy --seed 1" "${CMAKE_BINARY_DIR}/bin/sgemm --seed 1")
