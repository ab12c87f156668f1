# What nvcc makes of tests/golden/kernel/three.cu: the images and programs these tests read. Never run.
set(fixtures ${CMAKE_BINARY_DIR}/tests/kernel)
file(MAKE_DIRECTORY ${fixtures})
set(three ${CMAKE_SOURCE_DIR}/tests/golden/kernel/three.cu)
function(kernel_fixture name)
  add_custom_command(OUTPUT ${fixtures}/${name} DEPENDS ${three} VERBATIM
                     COMMAND ${NVCC} ${ARGN} -o ${fixtures}/${name} ${three})
  set_property(GLOBAL APPEND PROPERTY kernel_fixtures ${fixtures}/${name})
endfunction()
set(both -gencode arch=compute_80,code=[compute_80,sm_80])
foreach(mode none speed size)
  kernel_fixture(${mode}.fatbin -fatbin ${both} --compress-mode=${mode})
endforeach()
kernel_fixture(limited.fatbin -fatbin -gencode arch=compute_80,code=compute_80 -maxrregcount=40)
kernel_fixture(specific.ptx -ptx -arch=sm_90a)
kernel_fixture(three.ptx -ptx -arch=sm_80)
kernel_fixture(lines.cubin -cubin -arch=sm_90 -lineinfo)
foreach(architecture 75 80 90 120)
  kernel_fixture(sm_${architecture}.cubin -cubin -gencode arch=compute_75,code=sm_${architecture})
endforeach()
foreach(architecture 75 80 90)
  set(said ${fixtures}/said_${architecture}.cubin)
  add_custom_command(OUTPUT ${said} DEPENDS ${CMAKE_SOURCE_DIR}/tests/golden/kernel/said.cu VERBATIM
                     COMMAND ${NVCC} -cubin -arch=sm_${architecture} -o ${said} ${CMAKE_SOURCE_DIR}/tests/golden/kernel/said.cu)
  set_property(GLOBAL APPEND PROPERTY kernel_fixtures ${said})
endforeach()
add_custom_command(OUTPUT ${fixtures}/inlined.cubin DEPENDS ${CMAKE_SOURCE_DIR}/tests/golden/kernel/inlined.cu VERBATIM
                   COMMAND ${NVCC} -cubin -arch=sm_90 -lineinfo -o ${fixtures}/inlined.cubin ${CMAKE_SOURCE_DIR}/tests/golden/kernel/inlined.cu)
set_property(GLOBAL APPEND PROPERTY kernel_fixtures ${fixtures}/inlined.cubin)
foreach(kind cubin ptx)   # the same source, twice
  add_custom_command(OUTPUT ${fixtures}/interface.${kind} DEPENDS ${CMAKE_SOURCE_DIR}/tests/golden/kernel/interface.cu VERBATIM
                     COMMAND ${NVCC} -${kind} -arch=sm_90 -o ${fixtures}/interface.${kind} ${CMAKE_SOURCE_DIR}/tests/golden/kernel/interface.cu)
  set_property(GLOBAL APPEND PROPERTY kernel_fixtures ${fixtures}/interface.${kind})
endforeach()
kernel_fixture(shared ${both} -cudart shared)
kernel_fixture(static ${both} -cudart static)
kernel_fixture(stripped ${both} -cudart static -Xlinker -s)
kernel_fixture(machine_code -gencode arch=compute_80,code=sm_80 -cudart shared)
kernel_fixture(relocatable -rdc=true -arch=sm_80 -cudart shared)
add_custom_command(OUTPUT ${fixtures}/no_kernel DEPENDS ${CMAKE_SOURCE_DIR}/tests/golden/kernel/plain.c VERBATIM
  COMMAND ${NVCC} -rdc=true -arch=sm_80 -cudart shared -x c++ ${CMAKE_SOURCE_DIR}/tests/golden/kernel/plain.c -o ${fixtures}/no_kernel)
# A kernel that launches a kernel: libcudadevrt is linked in.
add_custom_command(OUTPUT ${fixtures}/device_runtime DEPENDS ${CMAKE_SOURCE_DIR}/tests/programs/launches_inside.cu VERBATIM
  COMMAND ${NVCC} -rdc=true -arch=sm_80 -cudart shared -I${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/programs/launches_inside.cu
          -o ${fixtures}/device_runtime)
set_property(GLOBAL APPEND PROPERTY kernel_fixtures ${fixtures}/no_kernel ${fixtures}/device_runtime)

# Programs that ask for libraries by name only: empty libraries under their names stand in.
set(plain ${CMAKE_SOURCE_DIR}/tests/golden/kernel/plain.c)
function(asking_fixture name soname)
  add_custom_command(OUTPUT ${fixtures}/${name} DEPENDS ${plain} VERBATIM
    COMMAND ${CMAKE_C_COMPILER} -shared -nostdlib -o ${fixtures}/lib${name}.so -Wl,-soname,${soname} -x c /dev/null
    COMMAND ${CMAKE_C_COMPILER} -o ${fixtures}/${name} ${plain} -Wl,--no-as-needed ${fixtures}/lib${name}.so)
  set_property(GLOBAL APPEND PROPERTY kernel_fixtures ${fixtures}/${name})
endfunction()
asking_fixture(older libcudart.so.12)
asking_fixture(blas libcublas.so.13)
asking_fixture(driver libcuda.so.1)
# Files as CUDA 12 and a release that is not the toolkit's would leave them: names alone; a sentence alone.
file(STRINGS ${CMAKE_SOURCE_DIR}/src/cudart/symbols.txt names)
set(older "int main(void) { return 0; }\n")
foreach(name ${names} cudaThreadExit cudaThreadSynchronize)
  string(APPEND older "void ${name}(void) {}\n")
endforeach()
file(CONFIGURE OUTPUT ${fixtures}/static_older.c CONTENT "${older}")
file(CONFIGURE OUTPUT ${fixtures}/static_unknown.c CONTENT "#include <stdio.h>
int main(void) { puts(\"CUDA driver version is insufficient for CUDA runtime version\"); }
")
foreach(name static_older static_unknown)
  add_custom_command(OUTPUT ${fixtures}/${name} DEPENDS ${fixtures}/${name}.c VERBATIM
                     COMMAND ${CMAKE_C_COMPILER} -o ${fixtures}/${name} ${fixtures}/${name}.c)
  set_property(GLOBAL APPEND PROPERTY kernel_fixtures ${fixtures}/${name})
endforeach()
# A program whose own library, found through RUNPATH, is the one that asks.
add_custom_command(OUTPUT ${fixtures}/through DEPENDS ${plain} ${fixtures}/older VERBATIM
  COMMAND ${CMAKE_C_COMPILER} -shared -nostdlib -o ${fixtures}/libmiddle.so -Wl,--no-as-needed ${fixtures}/libolder.so
          -x c /dev/null
  COMMAND ${CMAKE_C_COMPILER} -o ${fixtures}/through ${plain} -Wl,--no-as-needed -L${fixtures} -lmiddle
          -Wl,--allow-shlib-undefined -Wl,-rpath,$ORIGIN)
add_custom_command(OUTPUT ${fixtures}/plain DEPENDS ${plain} VERBATIM
  COMMAND ${CMAKE_C_COMPILER} -o ${fixtures}/plain ${plain})

get_property(made GLOBAL PROPERTY kernel_fixtures)
add_custom_target(kernel_fixtures DEPENDS ${made} ${fixtures}/through ${fixtures}/plain)
unit_test(kernel_toolkit kernel)
foreach(test kernel_cubin_module kernel_image kernel_machine_code kernel_linked kernel_names kernel_ptxas kernel_program kernel_static_runtime)
  unit_test(${test} kernel)
  unit_test_reads(${test} kernel_fixtures)
  target_compile_definitions(test_${test} PRIVATE FIXTURES="${HEADROOM_PROGRAMS}/tests/kernel")
endforeach()
