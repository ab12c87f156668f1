# find_package(headroom):
#
#   headroom::headroom   the library: headers, and where the executor lies that a test loads (include/headroom/headroom.hpp)
#   headroom::run        the program: add_test(NAME t COMMAND headroom::run run -- $<TARGET_FILE:t>)
#
# The folder may be moved: all is found from this file.
get_filename_component(HEADROOM_FOLDER "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET headroom::headroom)
  add_library(headroom::headroom INTERFACE IMPORTED)
  set_target_properties(headroom::headroom PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${HEADROOM_FOLDER}/include"
    INTERFACE_COMPILE_DEFINITIONS "HEADROOM_STAND_IN=\"${HEADROOM_FOLDER}/lib/headroom/libcudart.so.13\""
    INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
  add_executable(headroom::run IMPORTED)
  set_target_properties(headroom::run PROPERTIES IMPORTED_LOCATION "${HEADROOM_FOLDER}/bin/headroom")
endif()
