// kernel  4, sort
// idea    from the root down: a cell that knows where its bodies and its children begin tells its
//         children where theirs do, since it knows how many are below each
//
// A thread takes cells from the first one made to the last: parents come before their children, and
// who waits does so for an earlier one. Where a cell begins is one word of two numbers, and nothing
// else passes from thread to thread: no fence. The order is that of the octants, whatever the order
// in which the cells were made: it is the same each time.
#include "studies/barnes_hut/six_kernels/kernels.h"

namespace barnes_hut::six {

using Tuning = headroom::LaunchBox<headroom::Row<80, 64, 1, 6>, headroom::Row<90, 64, 1, 16>>;

template <typename Real>
struct Layout {
  const Tree<Real>& tree;
  int body, node;  // where the next ones of the children go

  __device__ void put(int at, const Point<Real>& point, int first_child, bool last, int level) {
    tree.nodes[at] = point;
    tree.links[at] = unsigned(first_child) | (last ? last_child : 0);
    if (tree.mac_distances2) tree.mac_distances2[at] = mac_distance2_of(tree, level);
  }
  __device__ void put_body(int at, int which, bool last, int level) {
    put(at, tree.points[which], 0, last, level);
    tree.order[body++] = which;
  }
  __device__ void put_cell(int at, int cell, bool last, int level) {
    put(at, tree.centres[cell], node, last, level);
    write(tree.starts[cell], pair(body, node));
    const Pair below = tree.below[cell];
    body += first_of(below), node += second_of(below);
  }
  __device__ void put_list(int at, int head, bool last, int level) {
    const List<Real> list(tree, head);
    put(at, list.centre, list.one_place ? 0 : node, last, level);
    for (int which = head; which != empty; which = tree.next[which]) {
      if (list.one_place)
        tree.order[body++] = which;
      else
        put_body(node++, which, tree.next[which] == empty, level + 1);
    }
  }
};

template <typename Real>
static __device__ void lay_out(const Tree<Real>& tree, int cell, Pair start) {
  const int* slots = tree.slots + 8 * size_t(cell);
  int children = 0, last = 0;
  for (int octant = 0; octant < 8; ++octant) {
    if (slots[octant] != empty) ++children, last = octant;
  }
  const int level = tree.level[cell] + 1;
  int at = second_of(start);
  Layout<Real> layout{tree, first_of(start), at + children};
  for (int octant = 0; octant <= last; ++octant) {
    const int child = slots[octant];
    if (child == empty) continue;
    if (child >= tree.bodies)
      layout.put_cell(at++, child - tree.bodies, octant == last, level);
    else if (level > deepest<Real>)
      layout.put_list(at++, child, octant == last, level);
    else
      layout.put_body(at++, child, octant == last, level);
  }
}

template <typename Real, typename Tuning>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void sort_kernel(Tree<Real> tree) {
  if (failed(tree)) return;
  const int cells = tree.status->cells + 1, stride = gridDim.x * blockDim.x;
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell == 0) {
    Layout<Real> layout{tree, 0, 1};
    layout.put_cell(0, 0, true, 0);
  }
  for (int looks = 0; cell < cells;) {
    const Pair start = read(tree.starts[cell]);
    if (start != not_yet) {
      lay_out(tree, cell, start);
      cell += stride;
      looks = 0;
    } else if (++looks == max_looks) {
      write(tree.status->stuck, 1);
      cell = cells;
    }
  }
}

template <typename Real>
void sort(const Tree<Real>& tree, unsigned on) {
  launch<Tuning>(sort_kernel<Real, Tuning>, on, tree.capacity, no_limit, tree);
}
template void sort(const Tree<float>&, unsigned);
template void sort(const Tree<double>&, unsigned);

}  // namespace barnes_hut::six
