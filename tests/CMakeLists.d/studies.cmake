# The studies' own arithmetic on made-up figures, and studies that are no ladder on the executor.
foreach(name transfer_fit peers_blas_problem)
  unit_test(${name})
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
endforeach()

# What barnes_hut refuses to compute with; it names types of the CUDA runtime and calls nothing of it.
unit_test(barnes_hut_start)
target_include_directories(test_barnes_hut_start PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
target_include_directories(test_barnes_hut_start SYSTEM PRIVATE ${CUDA_ROOT}/include)
target_compile_options(test_barnes_hut_start PRIVATE -Wno-unknown-pragmas)  # it needs no OpenMP

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME studies.transfer COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/transfer.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/transfer)

# What was measured on a GPU, as the page and the figures show it.
add_test(NAME scripts.transfer_document
         COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/transfer_document.py)

# The errors of products on tensor cores, on the executor.
add_test(NAME studies.sgemm_accuracy COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/sgemm_accuracy.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/sgemm)

# How studies end before their time, and what they leave.
add_test(NAME studies.endings COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/study_endings.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})

# Every rung of copy, by blocks of every size and for odd numbers of bytes.
add_test(NAME studies.copy COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/copy_study.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/copy)

# Every rung of nbody in both precisions, its leap-frog, and the arithmetic of its bounds.
add_test(NAME studies.nbody COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/nbody_study.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/nbody)

# The sorted tree of barnes_hut: theta 0, errors, and starts that leave no tree to speak of.
add_test(NAME studies.barnes_hut_sorted
         COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/barnes_hut_sorted.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/barnes_hut)

# The methods of barnes_hut on the host's cores, by any number of threads and from every start.
add_test(NAME studies.barnes_hut_host COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/barnes_hut_host.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/barnes_hut)

# Files of barnes_hut: snapshots in and out, pictures, energies; runs that stop and go on.
add_test(NAME studies.barnes_hut_snapshots
         COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/barnes_hut_snapshots.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/barnes_hut)

# What judges the accelerations of others beside barnes_hut: known errors, and files of the wrong length.
add_test(NAME peers.barnes_hut_errors COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/barnes_hut_errors.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/barnes_hut_errors)

# The six kernels of barnes_hut, with and without each of their optimisations, from every start.
add_test(NAME studies.barnes_hut_six COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/scripts/barnes_hut_six.py
         ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/headroom ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/barnes_hut)
