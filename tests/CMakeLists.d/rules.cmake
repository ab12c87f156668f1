# Rules of the house as tests; tests/rules/selftest.py shows that each of them can fail.
foreach(rule faces format layers shape subjects)
  python_test(rules.${rule} tests/rules/${rule}.py ${CMAKE_SOURCE_DIR})
endforeach()
python_test(rules.headers tests/rules/headers.py ${CMAKE_SOURCE_DIR} ${CMAKE_CXX_COMPILER}
            --nvcc ${NVCC} -isystem ${CUDA_ROOT}/include)
# Tables, which take most of as long again: make tidy.
python_test(rules.tidy scripts/tidy --quick --build ${CMAKE_BINARY_DIR})
set_property(TEST rules.tidy APPEND PROPERTY ENVIRONMENT JOBS=1)
set_property(TEST rules.tidy PROPERTY COST 200)   # the longest: begun first
python_test(rules.selftest tests/rules/selftest.py)
