// rung    recurrence
// idea    one root from the table, its powers by products
// expect  global_load_requests / 2.05, global_load_sectors / 3.18 against padded
// next    kept_twiddles: a thread that stays needs the same factors for every transform
//
// w^r is the product of two powers of half the exponent, so the longest chain to w^15 is of four
// products. Their rounding adds up, but little: `--accuracy` shows it beside the table and the intrinsic.
#include "studies/fft/block_transform.h"

const fft::Rung fft::recurrence = fft::block_rung<16, Padded<16>, Recurrence>("recurrence");
