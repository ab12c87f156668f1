# The meanings need no other room; directed roundings are checked against the host's own rounding modes.
foreach(subject integer bits compare float half convert approx tensor)
  unit_test(sim_meaning_${subject})
  target_include_directories(test_sim_meaning_${subject} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_options(test_sim_meaning_${subject} PRIVATE -frounding-math)
  set_target_properties(test_sim_meaning_${subject} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
endforeach()
