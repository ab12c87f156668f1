// rung    asynchronous
// idea    copies go from global to shared memory by themselves, three steps ahead of the threads
// expect  global_load_sectors / 1.22, shared_store_instructions / 1.57 against few_threads
// next    register_banks: an FMA whose operands lie in one bank of the register file takes two cycles
//
// The loads that waited in registers until their tile was free are copies (cp.async) into a ring of
// four stages: no register holds them and no instruction stores them. That leaves registers for a
// tile of 128 x 256 with 8 x 16 results a thread. A still has to lie transposed, so it is copied
// four bytes at a time. One copy goes before the loads of each k: all at once they would stand in
// the way of these loads, in the same queue.
#include "studies/sgemm/ring.h"

namespace sgemm {

struct ByRows {
  __device__ void operator()(float (&accumulators)[8][16], const Fragment& of) const {
    thread_add_product(accumulators, of.a, of.b);
  }
};

template <bool aligned>
static __global__ __launch_bounds__(wide_threads, 1) void asynchronous_kernel(Problem p) {
  extern __shared__ Stage ring[];
  const int block_row = blockIdx.y * wide_rows, block_column = blockIdx.x * wide_columns;
  Feed<aligned> feed(p, block_row, block_column, 0, ring);
  float accumulators[8][16] = {};
  block_add_product(accumulators, feed, ring, steps_of(p), ByRows{});
  thread_store_wide<aligned>(p, block_row, block_column, accumulators);
}

const Rung asynchronous{
    "asynchronous", [](const Problem& p) {
      const dim3 grid(blocks_over(p.n, wide_columns), blocks_over(p.m, wide_rows));
      launch_on_ring(fours_are_aligned(p) ? asynchronous_kernel<true> : asynchronous_kernel<false>,
                     grid, p);
    }};

}  // namespace sgemm
