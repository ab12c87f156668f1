# Rules of the house as tests; tests/rules/selftest.py shows that each of them can fail.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(rules ${CMAKE_SOURCE_DIR}/tests/rules)
foreach(rule layers shape)
  add_test(NAME rules.${rule} COMMAND ${Python3_EXECUTABLE} ${rules}/${rule}.py ${CMAKE_SOURCE_DIR})
endforeach()
add_test(NAME rules.headers COMMAND ${Python3_EXECUTABLE} ${rules}/headers.py ${CMAKE_SOURCE_DIR} ${CMAKE_CXX_COMPILER}
                                    --nvcc ${NVCC} -isystem ${CUDA_ROOT}/include)
add_test(NAME rules.selftest COMMAND ${Python3_EXECUTABLE} ${rules}/selftest.py)
set_tests_properties(rules.layers rules.shape rules.headers rules.selftest PROPERTIES
                     LABELS rules ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
