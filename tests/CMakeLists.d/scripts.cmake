# The scripts' own tests: one Python file each, on made-up inputs.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
foreach(script corpus compare_profiler)
  add_test(NAME scripts.${script} COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/${script}.py)
endforeach()
