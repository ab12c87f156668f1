# room(NAME BELOW...): the static library headroom_NAME of every .cpp in this folder, on the rooms BELOW.
function(room name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(headroom_${name} STATIC ${sources})
  target_include_directories(headroom_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(headroom_${name} PUBLIC nlohmann_json::nlohmann_json)
  foreach(below ${ARGN})
    target_link_libraries(headroom_${name} PUBLIC headroom_${below})
  endforeach()
endfunction()

# A hundred programs are linked from the same libraries: the quicker linker, where there is one.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold HEADROOM_HAS_GOLD)

# unit_test(NAME ROOMS...): tests/unit/NAME.cpp, a GoogleTest program on the rooms named.
function(unit_test name)
  add_executable(test_${name} ${CMAKE_SOURCE_DIR}/tests/unit/${name}.cpp)
  target_link_libraries(test_${name} PRIVATE GTest::gtest_main)
  if(HEADROOM_HAS_GOLD)
    target_link_options(test_${name} PRIVATE -fuse-ld=gold)
  endif()
  target_compile_options(test_${name} PRIVATE -O1)  # they compile longer than they run
  target_compile_definitions(test_${name} PRIVATE HEADROOM_SOURCE="${CMAKE_SOURCE_DIR}"
                                                  HEADROOM_BUILD="${CMAKE_BINARY_DIR}")
  foreach(room ${ARGN})
    target_link_libraries(test_${name} PRIVATE headroom_${room})
  endforeach()
  add_test(NAME unit.${name} COMMAND test_${name})
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endfunction()
