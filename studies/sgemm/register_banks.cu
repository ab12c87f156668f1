// rung    register_banks
// idea    an accumulator lies in the other register bank than the operand that is new for its FMA
// expect  fp32_instructions / 1 against asynchronous: PTX has no banks, the machine code shows it
// next    stream_k: the last wave leaves SMs idle
//
// The same products in another order, down one column of results and up the next. The accumulators
// leave the loop in fours with neighbours swapped, which makes the compiler keep them in such registers
// (see register_banks.h). In the machine code for sm_90a that nvcc 13.0 makes of the loop, 217 of 1024
// FMAs of asynchronous take two cycles for their registers, here 93. With the other instructions
// that allows 75 and 83 % of the peak (66.9 TFLOP/s at 1980 MHz), less 3 % for the last wave. Measured
// at 4096 on an H200 it is 73 and 76 %: there register banks are the limit. Here loads of
// shared memory may stand too close to their uses; that is a guess, nothing was counted that shows it.
#include "studies/sgemm/register_banks.h"

namespace sgemm {

template <bool aligned>
static __global__ __launch_bounds__(wide_threads, 1) void register_banks_kernel(Problem p) {
  extern __shared__ Stage ring[];
  const int block_row = blockIdx.y * wide_rows, block_column = blockIdx.x * wide_columns;
  Feed<aligned> feed(p, block_row, block_column, 0, ring);
  float accumulators[8][16] = {};
  block_add_product(accumulators, feed, ring, steps_of(p), Serpentine{});
  thread_store_swapped<aligned>(p, block_row, block_column, accumulators,
                                reinterpret_cast<float4*>(ring));
}

const Rung register_banks{
    "register_banks", [](const Problem& p) {
      const dim3 grid(blocks_over(p.n, wide_columns), blocks_over(p.m, wide_rows));
      launch_on_ring(
          fours_are_aligned(p) ? register_banks_kernel<true> : register_banks_kernel<false>, grid,
          p);
    }};

}  // namespace sgemm
