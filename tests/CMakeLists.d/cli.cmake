unit_test(cli_parts cli)

# Transcripts of the command line: tests/golden/transcript.py --rebase rewrites them. The programs they run lie
# beside them.
function(golden_program name)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/programs)
  cuda_program(golden_${name} ${CMAKE_SOURCE_DIR}/tests/golden/cli/${name}.cu ${ARGN})
endfunction()
foreach(name saxpy past_the_end killed refused forever publish)
  golden_program(${name})
  list(APPEND GOLDEN_PROGRAMS golden_${name})
endforeach()
golden_program(managed)   # for cli.outputs
golden_program(in_turn)   # for cli.in_turn
golden_program(shapes ARCH 90)

file(GLOB transcripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/golden/cli/*.txt)
foreach(transcript ${transcripts})
  get_filename_component(name ${transcript} NAME_WE)
  python_test(golden.cli.${name} tests/golden/transcript.py
              --path ${CMAKE_BINARY_DIR}/bin:${CMAKE_BINARY_DIR}/tests/programs ${transcript})
endforeach()

# Many launches of one shape that differ.
python_test(cli.repeated tests/scripts/repeated.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs/runtime_repeats)
python_test(cli.in_turn tests/scripts/in_turn.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs/golden_in_turn)

# A record says what the run said.
python_test(cli.explain tests/scripts/explain.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs)

# The man page and the completions.
python_test(cli.generated tests/scripts/generated.py ${bin}/headroom)

# What changed between two records, and gates on it.
python_test(cli.compare tests/scripts/compare.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs)

# A timeline, and a table, of the executor and of a GPU.
python_test(cli.outputs tests/scripts/outputs.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs ${bin}/sgemm)
