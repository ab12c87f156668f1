# Golden files of every form: what writes them, reads them and runs them (tests/forms), and the tests.
file(GLOB forms_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/forms/*.cpp)
add_library(forms_golden STATIC ${forms_sources})
target_include_directories(forms_golden PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(forms_golden PUBLIC headroom_sim)
unit_test(sim_golden sim)
unit_test(sim_support sim)
target_link_libraries(test_sim_golden PRIVATE forms_golden)
target_compile_definitions(test_sim_golden PRIVATE HEADROOM_PTXAS="${CUDA_ROOT}/bin/ptxas")
unit_test_reads(sim_golden runtime_textures runtime_tensor_copy)   # forms that need an object of the runtime
target_link_libraries(test_sim_support PRIVATE forms_golden)
