# Tests, each by one line in tests/CMakeLists.d/.

# A hundred programs are linked from the same libraries: the quicker linker, where there is one.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold HEADROOM_HAS_GOLD)

# Unit tests read CUDA programs and images; the builds with sanitizers take those of the release build.
set(HEADROOM_PROGRAMS ${CMAKE_BINARY_DIR} CACHE PATH "build folder whose CUDA programs unit tests read")
function(unit_test_reads name)   # TARGETS...
  if(HEADROOM_PROGRAMS STREQUAL CMAKE_BINARY_DIR)
    add_dependencies(test_${name} ${ARGN})
  endif()
endfunction()

# What all unit tests read, compiled once, save for those with other options (DISABLE_PRECOMPILE_HEADERS). The flags are what ccache
# asks for to keep what is compiled with it; with them GCC 12 sees std::string's own buffer exceeded, by std::string.
set(PRECOMPILED "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>" "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/unit_test_headers.cpp CONTENT "int main() {}\n")
add_executable(unit_test_headers EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/unit_test_headers.cpp)
target_compile_options(unit_test_headers PRIVATE ${RUNS_ONCE} ${PRECOMPILED})
target_link_libraries(unit_test_headers PRIVATE GTest::gtest)
target_precompile_headers(unit_test_headers PRIVATE <gtest/gtest.h> <nlohmann/json.hpp>)

# unit_test(NAME ROOMS...): tests/unit/NAME.cpp, a GoogleTest program on the rooms named.
add_custom_target(unit_tests)
function(unit_test name)
  add_executable(test_${name} ${CMAKE_SOURCE_DIR}/tests/unit/${name}.cpp)
  target_link_libraries(test_${name} PRIVATE GTest::gtest_main)
  if(HEADROOM_HAS_GOLD)
    target_link_options(test_${name} PRIVATE -fuse-ld=gold)
  endif()
  target_compile_options(test_${name} PRIVATE ${RUNS_ONCE} ${PRECOMPILED})
  foreach(room ${ARGN})
    target_link_libraries(test_${name} PRIVATE headroom_${room})
  endforeach()
  target_precompile_headers(test_${name} REUSE_FROM unit_test_headers)
  add_dependencies(unit_tests test_${name})
  add_test(NAME unit.${name} COMMAND test_${name})
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endfunction()

# unit_tests_find_files(NAMES...): these read files of the project or what was built. Others must not know the places, so that
# they compile alike in every checkout.
function(unit_tests_find_files)
  foreach(name ${ARGN})
    target_compile_definitions(test_${name} PRIVATE HEADROOM_SOURCE="${CMAKE_SOURCE_DIR}" HEADROOM_BUILD="${HEADROOM_PROGRAMS}")
  endforeach()
endfunction()

# python_test(NAME SCRIPT ARGUMENTS...): a script of the project, with the folder of programs or what else it asks for.
# Its label is the part of its name before the dot. It finds the toolkit that the build found, and leaves no .pyc.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})   # headroom and the studies, which most of them run
function(python_test name script)
  add_test(NAME ${name} COMMAND_EXPAND_LISTS COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/${script} ${ARGN})
  string(REGEX REPLACE "\\..*" "" label ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${label} ENVIRONMENT "CUDA_HOME=${CUDA_ROOT};PYTHONDONTWRITEBYTECODE=1")
endfunction()
