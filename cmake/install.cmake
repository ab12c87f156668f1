# cmake --install build/release --prefix FOLDER: the program, what it preloads into programs, the probes that
# `headroom machine measure` starts, and the headers that users include. Each is found from the program's own place, so that
# the folder may be moved.
install(TARGETS headroom headroom-lab RUNTIME DESTINATION bin)
install(TARGETS headroom_cudart headroom_cuda headroom_audit LIBRARY DESTINATION lib/headroom)
if(TARGET headroom_inject)   # without CUPTI's headers there is none
  install(TARGETS headroom_inject LIBRARY DESTINATION lib/headroom)
endif()
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/headroom/probes DESTINATION lib/headroom USE_SOURCE_PERMISSIONS OPTIONAL)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/headroom DESTINATION include)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/NOTICE DESTINATION share/doc/headroom)
# find_package(headroom)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/headroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/headroomConfig.cmake ${CMAKE_BINARY_DIR}/headroomConfigVersion.cmake
        DESTINATION lib/cmake/headroom)
