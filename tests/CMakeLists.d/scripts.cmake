# The scripts' own tests, on made-up inputs; and the promises of the studies' rungs, on the executor.
foreach(script corpus corpus_build corpus_document corpus_sample compare_model compare_profiler given_files profiler_document prove_compare register_banks
               samples search tidy tuning_search visits)
  python_test(scripts.${script} tests/scripts/${script}.py)
endforeach()
python_test(lab.measure tests/scripts/measure.py ${bin}/headroom-lab)
python_test(studies.ladder tests/scripts/ladder.py ${bin}/headroom ${bin})
python_test(scripts.ci tests/scripts/ci.py ${bin}/headroom ${bin}/sgemm)   # ci/, for users' own pipelines
# Pages that are written by programs say what is so now.
python_test(docs.results scripts/docs/results_document.py --check)
set(reproduction ${CMAKE_BINARY_DIR}/tests/reproduction.json)
python_test(docs.reproduction tests/scripts/reproduction.py ${bin}/headroom ${reproduction})
python_test(docs.studies tests/scripts/study_document.py ${bin}/headroom ${bin} ${reproduction})
set_tests_properties(docs.reproduction PROPERTIES FIXTURES_SETUP reproduction COST 150)  # long: begun early
set_property(TEST docs.studies PROPERTY FIXTURES_REQUIRED reproduction)
python_test(docs.book scripts/book ${CMAKE_BINARY_DIR}/tests/book --stage)   # every link of docs/ leads somewhere
python_test(docs.barnes_hut tests/scripts/barnes_hut_document.py ${bin}/headroom ${bin})

# What Python programs find under headroom run.
python_test(scripts.python_package tests/scripts/python_package.py ${bin}/headroom)

# An installed copy, in another folder.
python_test(scripts.installed tests/scripts/installed.py ${CMAKE_BINARY_DIR})
# … and the wheel, whose tools pip fetches.
python_test(scripts.wheel tests/scripts/wheel.py ${CMAKE_BINARY_DIR})
