// See facts.h: a thread a cell.
#include "studies/barnes_hut/six_kernels/facts.h"
#include "studies/common/check.h"

namespace barnes_hut::six {

// Kernels 3 and 4 touch a cell and its children.
template <typename Real>
static __global__ void count_kernel(Tree<Real> tree, int cells, int* depth) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  unsigned children = 0;
  for (int octant = 0; octant < 8; ++octant) {
    children += tree.slots[8 * size_t(cell) + octant] != empty;
  }
  count(tree.tally, 1 + children);
  atomicMax(depth, int(tree.level[cell]));
}

template <typename Real>
void count_cells(const Tree<Real>& tree, int cells, int* depth) {
  constexpr int block = 256;
  count_kernel<<<nbody::blocks_over(cells, block), block>>>(tree, cells, depth);
  CHECK(cudaGetLastError());
}
template void count_cells(const Tree<float>&, int, int*);
template void count_cells(const Tree<double>&, int, int*);

}  // namespace barnes_hut::six
