# isa_objects(NAME SOURCES...): the sources compiled once for every instruction set the processor may have, as
# object libraries NAME_portable, NAME_avx2, NAME_avx512. HEADROOM_ISA names the namespace they are in; `meaning`
# is renamed per set because the linker would otherwise keep one copy of every inline function for all of them,
# perhaps one this processor cannot run. The processor decides at run time (src/sim/engine.cpp).
# While you work on the executor, one set compiles in a third of the time: -DHEADROOM_INSTRUCTION_SETS=avx512.
set(HEADROOM_INSTRUCTION_SETS "portable;avx2;avx512" CACHE STRING "instruction sets the executor is compiled for")
set(ISA_SETS ${HEADROOM_INSTRUCTION_SETS})
set(ISA_FLAGS_portable $<IF:$<CONFIG:Debug>,-O0,-O3>)
set(ISA_FLAGS_avx2 ${ISA_FLAGS_portable} -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt -mf16c)
set(ISA_FLAGS_avx512 ${ISA_FLAGS_avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd -mprefer-vector-width=512)
function(isa_objects name)
  foreach(isa ${ISA_SETS})
    add_library(${name}_${isa} OBJECT ${ARGN})
    target_include_directories(${name}_${isa} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${name}_${isa} PRIVATE headroom_base)
    set_target_properties(${name}_${isa} PROPERTIES UNITY_BUILD OFF)   # what is inlined must not depend on what a file lies beside
    target_compile_options(${name}_${isa} PRIVATE ${ISA_FLAGS_${isa}} -fno-math-errno -fno-trapping-math)
    target_compile_definitions(${name}_${isa} PRIVATE HEADROOM_ISA=${isa} HEADROOM_ISA_NAME="${isa}" meaning=meaning_${isa})
  endforeach()
endfunction()
