# The probes on the executor: what their kernels compute is checked, no time is measured.
file(GLOB probe_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/machines/probes/*.cu)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/tests/probes)
foreach(source ${probe_sources})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME probe.${name}
           COMMAND headroom run --report ${CMAKE_BINARY_DIR}/tests/probes/${name}.report
                   -- ${CMAKE_BINARY_DIR}/lib/headroom/probes/${name} --small)
  set_tests_properties(probe.${name} PROPERTIES LABELS probe)
endforeach()

# The table of ceilings is what the measured file gives.
python_test(probe.ceilings scripts/measure/ceilings.py --check)
