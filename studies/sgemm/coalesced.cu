// rung    coalesced
// idea    consecutive threads take consecutive columns: a warp reads neighbours of B
// expect  global_load_sectors / 6.6, global_store_sectors / 8 against naive
// next    shared_tile: read each element of A and B once per block, not once per warp
//
// Only the numbering of threads differs: x, along which warps are cut, now runs along a row of C.
// The lanes share the value of A and read 32 neighbours of B, four sectors, all of whose bytes are
// used; the stores of C become whole sectors too. The work of a thread is the same to the letter.
#include "studies/sgemm/sgemm.h"

namespace sgemm {

static __global__ void coalesced_kernel(Problem p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= p.m || column >= p.n) return;
  float sum = 0;
  for (int k = 0; k < p.k; ++k) {
    sum += p.a[int64_t(row) * p.k + k] * p.b[int64_t(k) * p.n + column];
  }
  thread_store(p, row, column, sum);
}

const Rung coalesced{"coalesced", [](const Problem& p) {
                       const dim3 block(32, 32), grid(blocks_over(p.n, 32), blocks_over(p.m, 32));
                       coalesced_kernel<<<grid, block>>>(p);
                     }};

}  // namespace sgemm
