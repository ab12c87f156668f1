# include/headroom/headroom.hpp, as a program's tests use it; scripts.installed builds examples/ on an installed copy.
unit_test(library)
target_include_directories(test_library PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(test_library PRIVATE HEADROOM_STAND_IN="${HEADROOM_PROGRAMS}/lib/headroom/libcudart.so.13")
unit_test_reads(library headroom_cudart sgemm)
