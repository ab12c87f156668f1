// rung    padded
// idea    a gap after every sixteen points: the writes of the first stage reach all banks
// expect  shared_store_conflicts = 0; shared_store_wavefronts / 4.5 against sixteen_values
// next    intrinsic: the table of roots is read for every product
//
// A thread of the first stage writes sixteen neighbours, so the lanes of a warp write points that lie
// sixteen apart: in the same bank. With a gap they lie seventeen apart. All other accesses go to
// neighbours, and stay as they are.
#include "studies/fft/block_transform.h"

const fft::Rung fft::padded = fft::block_rung<16, Padded<16>, FromTable>("padded");
