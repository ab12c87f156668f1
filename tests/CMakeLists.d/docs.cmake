# The documents: what they show is what happens (tests/scripts/readme.py; HEADROOM_REBASE=1 rewrites it), what they
# name is there, and what they quote of the code stands in it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_executable(tour ${CMAKE_SOURCE_DIR}/tests/programs/tour.cpp)
target_link_libraries(tour PRIVATE headroom_sim)
set_target_properties(tour PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

add_test(NAME docs.output
         COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/scripts/readme.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(docs.output PROPERTIES LABELS docs ENVIRONMENT CUDA_HOME=${CUDA_ROOT})
add_test(NAME rules.documents
         COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/rules/documents.py ${CMAKE_SOURCE_DIR})
set_tests_properties(rules.documents PROPERTIES LABELS rules)
