# The scripts' own tests, on made-up inputs; and the promises of the studies' rungs, on the executor.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
foreach(script corpus corpus_build corpus_document corpus_sample compare_profiler measure profiler_document prove_compare register_banks
               samples)
  add_test(NAME scripts.${script} COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/${script}.py)
endforeach()
add_test(NAME studies.ladder COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/ladder.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
# Pages that are written by programs say what is so now.
add_test(NAME docs.results COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/scripts/docs/results_document.py --check)
add_test(NAME docs.reproduction COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/reproduction.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom)
add_test(NAME docs.studies COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/study_document.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
add_test(NAME docs.barnes_hut COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/barnes_hut_document.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set_tests_properties(docs.results docs.reproduction docs.barnes_hut docs.studies PROPERTIES LABELS docs ENVIRONMENT CUDA_HOME=${CUDA_ROOT})
