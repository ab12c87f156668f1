# The scripts' own tests, on made-up inputs; and the promises of the studies' rungs, on the executor.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
foreach(script corpus corpus_build corpus_document corpus_sample compare_profiler profiler_document prove_compare samples)
  add_test(NAME scripts.${script} COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/${script}.py)
endforeach()
add_test(NAME studies.ladder COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/ladder.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
