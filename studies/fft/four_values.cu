// rung    four_values
// idea    a thread holds four values through two levels: half of the stages, and of the threads
// expect  warp_instructions / 4.39, barriers / 2.75, shared_load_wavefronts / 2.75 against shared_stages
// next    sixteen_values: fewer threads again, each with more in registers
//
// A butterfly of radix 4 does in registers what took two stages through shared memory. At 1024 points
// 256 threads do five stages, the way of the source's starting point. The first stage's values come
// straight from memory and the last one's go there, so that shared memory carries each value four times.
#include "studies/fft/block_transform.h"

const fft::Rung fft::four_values = fft::block_rung<4, Dense<4>, FromTable>("four_values");
