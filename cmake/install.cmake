# What is installed, by `make install PREFIX=…`, into the relocatable archive of `make package`, and into the wheel of `make wheel`:
# the program, what it preloads into programs, the probes that `headroom machine measure` starts, the headers that users include,
# man page and completions. Each is found from the program's own place, so that the folder may be moved. Machine files are compiled in.
set(manual ${CMAKE_BINARY_DIR}/share)
function(manual kind path)
  get_filename_component(folder ${manual}/${path} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${manual}/${path} COMMAND headroom generate ${kind} > ${manual}/${path} DEPENDS headroom VERBATIM)
  set_property(GLOBAL APPEND PROPERTY manuals ${manual}/${path})
endfunction()
manual(man man/man1/headroom.1)
manual(bash bash-completion/completions/headroom)
manual(zsh zsh/site-functions/_headroom)
manual(fish fish/vendor_completions.d/headroom.fish)
get_property(manuals GLOBAL PROPERTY manuals)
add_custom_target(manuals ALL DEPENDS ${manuals})

install(TARGETS headroom headroom-lab RUNTIME DESTINATION bin)
install(TARGETS headroom_cudart headroom_cuda headroom_audit LIBRARY DESTINATION lib/headroom)
add_custom_target(product DEPENDS headroom headroom-lab headroom_cudart headroom_cuda headroom_audit probes manuals)
if(TARGET headroom_inject)   # without CUPTI's headers there is none
  install(TARGETS headroom_inject LIBRARY DESTINATION lib/headroom)
  add_dependencies(product headroom_inject)
endif()
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/headroom/probes DESTINATION lib/headroom USE_SOURCE_PERMISSIONS OPTIONAL)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/headroom DESTINATION include)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/NOTICE DESTINATION share/doc/headroom)
# find_package(headroom)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/headroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/headroomConfig.cmake ${CMAKE_BINARY_DIR}/headroomConfigVersion.cmake
        DESTINATION lib/cmake/headroom)
install(DIRECTORY ${manual}/ DESTINATION share OPTIONAL)

set(CPACK_GENERATOR TZST)
set(CPACK_PACKAGE_FILE_NAME headroom-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_STRIP_FILES ON)
include(CPack)
