// rung    sixteen_values
// idea    64 threads with sixteen values each: the three stages are of radix 16, 16 and 4
// expect  warp_instructions / 1.55, barriers / 8, shared_load_wavefronts / 2 against four_values
// next    padded: the writes of the first stage lie in few banks
//
// Sixteen values are 32 registers. Shared memory now carries each value twice, and what a block waits for
// at its barriers are two warps, not eight. The source's step: a quarter of the threads, half of the
// occupancy, twice the speed.
#include "studies/fft/block_transform.h"

const fft::Rung fft::sixteen_values = fft::block_rung<16, Dense<16>, FromTable>("sixteen_values");
