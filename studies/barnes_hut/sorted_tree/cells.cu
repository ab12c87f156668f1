// Cells from sorted keys, with no level waiting for another. A cell of level l that begins with body
// i holds more than leaf_bodies bodies just where the keys of bodies i and i + leaf_bodies begin with
// the same l digits; and it begins there where those of i - 1 and i do not. So a body knows by three
// keys which divided cells begin with it: those of the levels in between.
//
//   keys 012 013 013 020 …, leaf_bodies 2   body 0: levels 0 and 1 (its cell "0"); body 1: none
//
// Then eight threads a divided cell search where its children end. Both kernels take room for what
// they found by an atomic a block: where cells lie may differ from run to run, what they are and the
// order of siblings does not.
#include <algorithm>

#include "studies/barnes_hut/sorted_tree/tree.h"

namespace barnes_hut::sorted {

// Of `mine` over the threads before this one in the block; the block's sum in `sum`.
static __device__ unsigned sum_before(unsigned mine, unsigned& sum) {
  constexpr int warps = block_size / 32;
  __shared__ unsigned sums[warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned up_to = mine;
  for (int apart = 1; apart < 32; apart *= 2) {
    const unsigned before = __shfl_up_sync(~0u, up_to, apart);
    if (lane >= apart) up_to += before;
  }
  __syncthreads();  // the last call's readers are done
  if (lane == 31) sums[warp] = up_to;
  __syncthreads();
  unsigned before = 0;
  sum = 0;
  for (int w = 0; w < warps; ++w) {
    if (w < warp) before += sums[w];
    sum += sums[w];
  }
  return before + up_to - mine;
}

// Room for `mine` of each thread of the block, in the order of threads.
static __device__ unsigned take_room(unsigned* taken, unsigned mine) {
  __shared__ unsigned base;
  unsigned sum;
  const unsigned before = sum_before(mine, sum);
  if (threadIdx.x == 0) base = atomicAdd(taken, sum);
  __syncthreads();
  return base + before;
}

// Below the root; -1 where the cell of level 0 is no divided one.
static __device__ int deepest_divided(const Key* keys, int n, int body) {
  if (body >= n - leaf_bodies) return -1;
  return min(common_digits(keys[body], keys[body + leaf_bodies]), levels - 1);
}

template <typename Real>
static __global__ void divided_kernel(Tree<Real> tree) {
  const int body = blockIdx.x * block_size + threadIdx.x;
  int before = 0, here = 0;
  if (body < tree.n) {
    before = digits_before(tree.keys, body);
    here = max(0, deepest_divided(tree.keys, tree.n, body) - before);
  }
  const unsigned first = take_room(&tree.counts->divided, here);
  if (here) tree.first_divided[body] = first;
  for (int i = 0; i < here; ++i) tree.divided[first + i] = {body, before + 1 + i};
  if (body == 0) {
    tree.counts->cells = 1;
    tree.cells[0] = {0, 0, 2 * unsigned(tree.n) + !here, no_parent};
    if (here) tree.place_of_divided[first] = 0;
  }
}

// The first body after `first` whose key is not below `bound`, or `first` itself.
static __device__ int first_not_below(const Key* keys, int n, int first, Key bound) {
  int below = first - 1, step = leaf_bodies;
  while (below + step < n && keys[below + step] < bound) below += step, step *= 2;
  int not_below = min(below + step, n);
  while (not_below - below > 1) {
    const int middle = below + (not_below - below) / 2;
    (keys[middle] < bound ? below : not_below) = middle;
  }
  return not_below;
}

template <typename Real>
static __global__ void children_kernel(Tree<Real> tree) {
  const int digit = threadIdx.x % 8;
  const unsigned divided = tree.counts->divided;
  for (unsigned first_cell = blockIdx.x * (block_size / 8); first_cell < divided;
       first_cell += gridDim.x * (block_size / 8)) {
    const unsigned self = first_cell + threadIdx.x / 8;
    const bool exists = self < divided;
    const Divided cell = exists ? tree.divided[self] : Divided{0, 0};
    const int shift = 3 * (levels - 1 - cell.level);
    const Key own = tree.keys[cell.first_body] >> shift | 7;  // the last child's digits
    const int end = !exists ? 0
                            : first_not_below(tree.keys, tree.n, cell.first_body,
                                              (own - 7 + digit + 1) << shift);
    int begin = __shfl_up_sync(~0u, end, 1);
    if (digit == 0) begin = cell.first_body;
    const bool child = exists && begin < end;
    const unsigned siblings = __ballot_sync(~0u, child) >> (threadIdx.x % 32 & ~7) & 0xff;
    // The first thread of eight takes the room for all.
    const unsigned room =
        take_room(&tree.counts->cells, digit == 0 && exists ? __popc(siblings) : 0);
    const unsigned first_child = __shfl_sync(~0u, room, threadIdx.x % 32 & ~7);
    if (digit == 0 && exists) {
      tree.children[self] = first_child * 8 + __popc(siblings) - 1;
      tree.finished_children[self] = 0;
    }
    if (!child) continue;
    const unsigned place = first_child + __popc(siblings & ((1u << digit) - 1));
    const unsigned count = end - begin;
    const bool leaf = count <= leaf_bodies || cell.level + 1 == levels;
    tree.cells[place] = {0, unsigned(begin), 2 * count + leaf, self};
    if (leaf) continue;
    const int first_level = digits_before(tree.keys, begin) + 1;
    tree.place_of_divided[tree.first_divided[begin] + cell.level + 1 - first_level] = place;
  }
}

template <typename Real>
void divide_cells(const Tree<Real>& tree) {
  CHECK(cudaMemsetAsync(tree.counts, 0, sizeof *tree.counts));
  divided_kernel<<<nbody::blocks_over(tree.n, block_size), block_size>>>(tree);
  const size_t threads = 8 * max_divided(tree.n);
  const int blocks = int(std::min<size_t>((threads - 1) / block_size + 1, max_blocks));
  children_kernel<<<blocks, block_size>>>(tree);
  CHECK(cudaGetLastError());
}
template void divide_cells(const Tree<float>&);
template void divide_cells(const Tree<double>&);

}  // namespace barnes_hut::sorted
