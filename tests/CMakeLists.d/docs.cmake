# The documents: what they name is there, and what they quote of the code stands in it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME rules.documents
         COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/rules/documents.py ${CMAKE_SOURCE_DIR})
set_tests_properties(rules.documents PROPERTIES LABELS rules)
