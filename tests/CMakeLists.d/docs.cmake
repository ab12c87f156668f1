# The documents: what they show is what happens (tests/scripts/readme.py; HEADROOM_REBASE=1 rewrites it), what they
# name is there, and what they quote of the code stands in it.
add_executable(tour ${CMAKE_SOURCE_DIR}/tests/programs/tour.cpp)
target_link_libraries(tour PRIVATE headroom_sim)
set_target_properties(tour PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

python_test(docs.output tests/scripts/readme.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
python_test(rules.documents tests/rules/documents.py ${CMAKE_SOURCE_DIR})
