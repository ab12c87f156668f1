// rung    naive
// idea    one thread per element of C; consecutive threads take consecutive rows
// expect  a warp's load of A touches 32 sectors, one per row: 33 sectors per warp and step of k
// next    coalesced: consecutive threads take consecutive columns
//
// The product as it is written down: a thread walks along a row of A and down a column of B. The
// lanes of a warp have 32 rows and one column, so they share the value of B, but each load of A
// touches 32 rows, a sector each, of which four bytes are used. The next three columns of the same
// sectors are asked for by the next steps, so L1 holds them; what binds is how many sectors L1 can
// look up.
#include "studies/sgemm/sgemm.h"

namespace sgemm {

static __global__ void naive_kernel(Problem p) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= p.m || column >= p.n) return;
  float sum = 0;
  for (int k = 0; k < p.k; ++k) {
    sum += p.a[int64_t(row) * p.k + k] * p.b[int64_t(k) * p.n + column];
  }
  thread_store(p, row, column, sum);
}

const Rung naive{"naive", [](const Problem& p) {
                   const dim3 block(32, 32), grid(blocks_over(p.m, 32), blocks_over(p.n, 32));
                   naive_kernel<<<grid, block>>>(p);
                 }};

}  // namespace sgemm
