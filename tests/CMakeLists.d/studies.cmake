# The studies' own arithmetic on made-up figures, and studies that are no ladder on the executor.
foreach(name transfer_fit peers_blas_problem)
  unit_test(${name})
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
endforeach()

# The reference of the study fft, beside FFTW.
find_library(FFTW fftw3 REQUIRED)
unit_test(fft_reference)
target_include_directories(test_fft_reference PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(test_fft_reference PRIVATE ${FFTW})

# What barnes_hut refuses to compute with; it names types of the CUDA runtime and calls nothing of it.
unit_test(barnes_hut_start)
target_include_directories(test_barnes_hut_start PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
target_include_directories(test_barnes_hut_start SYSTEM PRIVATE ${CUDA_ROOT}/include)
target_compile_options(test_barnes_hut_start PRIVATE -Wno-unknown-pragmas)  # it needs no OpenMP
target_compile_options(test_barnes_hut_start PRIVATE -O1)  # leaves out a table of functions that are not linked
set_target_properties(test_barnes_hut_start PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)

python_test(studies.transfer tests/scripts/transfer.py ${bin}/headroom ${bin}/transfer)

# What was measured on a GPU, as the page and the figures show it.
python_test(scripts.transfer_document tests/scripts/transfer_document.py)

# The errors of products on tensor cores, on the executor.
python_test(studies.sgemm_accuracy tests/scripts/sgemm_accuracy.py ${bin}/headroom ${bin}/sgemm)

# How studies end before their time, and what they leave.
python_test(studies.endings tests/scripts/study_endings.py ${bin}/headroom ${bin})

# Every rung of copy, by blocks of every size and for odd numbers of bytes.
python_test(studies.copy tests/scripts/copy_study.py ${bin}/headroom ${bin}/copy)

# Every rung of fft at every size, and what errors its factors leave.
python_test(studies.fft tests/scripts/fft_study.py ${bin}/headroom ${bin}/fft)

# Every rung of interval_move, by intervals of any length.
python_test(studies.interval_move tests/scripts/interval_move_study.py ${bin}/headroom ${bin}/interval_move)

# Every rung of spills, and what the time model says of them.
python_test(studies.spills tests/scripts/spills_study.py ${bin}/headroom ${bin}/spills)

# Every rung of merge_sort: keys, pairs, inputs and numbers of them.
python_test(studies.merge_sort tests/scripts/merge_sort_study.py ${bin}/headroom ${bin}/merge_sort)

# Every rung of nbody in both precisions, its leap-frog, and the arithmetic of its bounds.
python_test(studies.nbody tests/scripts/nbody_study.py ${bin}/headroom ${bin}/nbody)

# The sorted tree of barnes_hut: theta 0, errors, and starts that leave no tree to speak of.
python_test(studies.barnes_hut_sorted tests/scripts/barnes_hut_sorted.py ${bin}/headroom ${bin}/barnes_hut)

# The methods of barnes_hut on the host's cores, by any number of threads and from every start.
python_test(studies.barnes_hut_host tests/scripts/barnes_hut_host.py ${bin}/headroom ${bin}/barnes_hut)

# Files of barnes_hut: snapshots in and out, pictures, energies; runs that stop and go on.
python_test(studies.barnes_hut_snapshots tests/scripts/barnes_hut_snapshots.py ${bin}/headroom ${bin}/barnes_hut)

# What judges the accelerations of others beside barnes_hut: known errors, and files of the wrong length.
python_test(peers.barnes_hut_errors tests/scripts/barnes_hut_errors.py ${bin}/headroom ${bin}/barnes_hut_errors)

# The six kernels of barnes_hut, with and without each of their optimisations, from every start.
python_test(studies.barnes_hut_six tests/scripts/barnes_hut_six.py ${bin}/headroom ${bin}/barnes_hut)
