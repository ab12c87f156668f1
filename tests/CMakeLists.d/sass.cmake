unit_test(sass_decode sass)
unit_test(sass_blocks sass)

# Every instruction of what ptxas makes of these texts, which have most of its spellings, as nvdisasm writes it.
set(forms cvt set atom ld setp red st cp_async mma wgmma fma mul max mbarrier sub mma_sparse)
list(TRANSFORM forms PREPEND ${CMAKE_SOURCE_DIR}/tests/golden/forms/)
list(TRANSFORM forms APPEND .ptx)
python_test(sass.hopper scripts/prove/machine_code.py ${bin}/headroom --assemble 90a ${forms})
set(forms div atom_contended wmma video_parts fma sqrt ldu dp2a barrier vote prmt)
list(TRANSFORM forms PREPEND ${CMAKE_SOURCE_DIR}/tests/golden/forms/)
list(TRANSFORM forms APPEND .ptx)
python_test(sass.older scripts/prove/machine_code.py ${bin}/headroom --assemble 75,80 ${forms})
set(fixtures ${CMAKE_BINARY_DIR}/tests/kernel)
python_test(sass.calls scripts/prove/machine_code.py ${bin}/headroom ${fixtures}/said_75.cubin ${fixtures}/said_80.cubin
            ${fixtures}/said_90.cubin ${fixtures}/lines.cubin)
