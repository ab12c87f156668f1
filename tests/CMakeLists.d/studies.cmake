# The studies' own arithmetic on made-up figures, and studies that are no ladder on the executor.
unit_test(transfer_fit)
target_include_directories(test_transfer_fit PRIVATE ${CMAKE_SOURCE_DIR})
set_target_properties(test_transfer_fit PROPERTIES CXX_STANDARD 17)   # as the studies are built

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME studies.transfer COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/transfer.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/transfer)

# What was measured on a GPU, as the page and the figures show it.
add_test(NAME scripts.transfer_document
         COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/transfer_document.py)
