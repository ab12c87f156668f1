unit_test(cli_parts cli)

# Transcripts of the command line: tests/golden/transcript.py --rebase rewrites them.
file(GLOB transcripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/golden/cli/*.txt)
foreach(transcript ${transcripts})
  get_filename_component(name ${transcript} NAME_WE)
  add_test(NAME golden.cli.${name}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/golden/transcript.py --path ${CMAKE_BINARY_DIR}/bin
                   ${transcript})
  set_tests_properties(golden.cli.${name} PROPERTIES LABELS golden)
endforeach()
