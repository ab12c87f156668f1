// rung    intrinsic
// idea    sine and cosine by the special function units: no table, and a larger error
// expect  global_load_requests / 2.69 against padded
// next    eight_values: sixteen values a thread leave room for few warps
//
// Nothing is read but the data. __sincosf is right to an absolute 2^-21 or so, and every value
// takes part in products with such factors: `--accuracy` shows what that costs.
#include "studies/fft/block_transform.h"

const fft::Rung fft::intrinsic = fft::block_rung<16, Padded<16>, Intrinsic>("intrinsic");
