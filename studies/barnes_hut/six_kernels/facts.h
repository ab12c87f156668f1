// What the cells of a finished tree are like.
//
//   count_cells(tree, cells, depth);    // to tree.tally: a cell and its children, over all cells
#pragma once
#include "studies/barnes_hut/six_kernels/tree.cuh"

namespace barnes_hut::six {

// `depth`: of the device, 0 before.
template <typename Real>
void count_cells(const Tree<Real>& tree, int cells, int* depth);

}  // namespace barnes_hut::six
