// kernel  2, build the octree
// idea    a thread takes a body down from the root; an empty octant takes it by one compare-and-swap,
//         an octant that holds a body is locked, divided until the two part, and opened again
//
// Nobody waits within an attempt: who finds a lock, or loses a swap, tries again in the next round of
// the loop, which all threads go round. A lock is held for so many steps as there are levels left,
// and by somebody who waits for nothing: all get on, however threads of a warp are scheduled.
//
// On the way down words are read relaxed. All octants are empty when the kernel begins, so that
// whoever reads too early reads a state that once was. Before he changes what he found, a fence
// orders all cells that he has seen published before his swap, which then fails if he was too early.
// On the deepest level a body is put before the list by an exchange: no lock, no second attempt.
#include "studies/barnes_hut/six_kernels/kernels.h"

namespace barnes_hut::six {

using Tuning = headroom::LaunchBox<headroom::Row<80, 512, 1, 3>, headroom::Row<90, 256, 1, 4>>;

constexpr unsigned switches = throttling | combined_fence;

// A body on its way down.
template <typename Real>
struct Descent {
  int body, cell = 0, level = 0;
  Point<Real> point;
  Cube<Real> cube;

  __device__ Descent(const Tree<Real>& tree, const Root<Real>& root, int body)
      : body(body), cube(root) {
    if (body < tree.bodies) point = tree.points[body];
  }
};

enum class Attempt { done, again, full };

template <unsigned On>
static __device__ void fence_of_one() {
  if constexpr (!has<On, combined_fence>) fence();
}
static __device__ bool swap(int& slot, int expected, int desired) {
  return Word<int>(slot).compare_exchange_strong(expected, desired, cuda::memory_order_relaxed);
}

// In place of the body `other`, which the caller has locked away: cells until the two part.
template <unsigned On, typename Real>
static __device__ Attempt divide(const Tree<Real>& tree, Descent<Real> way, int other, int& slot,
                                 unsigned& touched) {
  const Point<Real> other_point = tree.points[other];
  int first = 0;
  int octant = way.cube.octant(way.point), others = octant;
  int* into = nullptr;
  do {
    way.cell = Word<int>(tree.status->cells).fetch_add(1, cuda::memory_order_relaxed) + 1;
    if (way.cell >= tree.capacity) {
      write(tree.status->full, 1);
      write(slot, other);
      return Attempt::full;
    }
    if (into) {
      write(*into, tree.bodies + way.cell);
      fence_of_one<On>();
    } else {
      first = way.cell;
    }
    tree.level[way.cell] = ++way.level;
    way.cube.enter(octant);
    octant = way.cube.octant(way.point), others = way.cube.octant(other_point);
    into = &tree.slots[8 * size_t(way.cell) + octant];
    ++touched;
  } while (octant == others && way.level < deepest<Real>);
  if (way.level == deepest<Real>) {
    tree.next[other] = empty;
    tree.next[way.body] = octant == others ? other : empty;
  }
  if (octant != others) {
    write(tree.slots[8 * size_t(way.cell) + others], other);
    fence_of_one<On>();
  }
  write(*into, way.body);
  fence();
  write(slot, tree.bodies + first);
  return Attempt::done;
}

template <unsigned On, typename Real>
static __device__ Attempt insert(const Tree<Real>& tree, Descent<Real>& way, unsigned& touched) {
  int octant, found;
  for (;;) {
    octant = way.cube.octant(way.point);
    found = read(tree.slots[8 * size_t(way.cell) + octant]);
    fence_of_one<On>();
    if (found < tree.bodies) break;
    way.cell = found - tree.bodies;
    ++way.level;
    way.cube.enter(octant);
  }
  if (found == locked) return Attempt::again;
  int& slot = tree.slots[8 * size_t(way.cell) + octant];
  if constexpr (has<On, combined_fence>) fence();
  touched = 1 + (way.level + 1) + (found != empty);  // itself, cells, and whom it met
  if (way.level == deepest<Real>) {
    tree.next[way.body] = Word<int>(slot).exchange(way.body, cuda::memory_order_relaxed);
    return Attempt::done;
  }
  if (found == empty) return swap(slot, empty, way.body) ? Attempt::done : Attempt::again;
  if (!swap(slot, found, locked)) return Attempt::again;
  return divide<On>(tree, way, found, slot, touched);
}

// Whether to go round again; with the barrier, for all threads of the block alike.
template <unsigned On>
static __device__ bool anybody(bool working) {
  if constexpr (has<On, throttling>) return __syncthreads_or(working);
  return working;
}

template <typename Real, unsigned On, bool Counts, typename Tuning>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void build_kernel(Tree<Real> tree) {
  const Root<Real> root = *tree.root;
  const int stride = gridDim.x * blockDim.x;
  Descent<Real> way(tree, root, blockIdx.x * blockDim.x + threadIdx.x);
  while (anybody<On>(way.body < tree.bodies)) {
    if (way.body >= tree.bodies) continue;
    unsigned touched = 0;
    const Attempt attempt = insert<On>(tree, way, touched);
    if (attempt == Attempt::again) continue;
    if (Counts && attempt == Attempt::done) count(tree.tally, touched);
    const bool more = attempt == Attempt::done && tree.bodies - way.body > stride;
    way = Descent<Real>(tree, root, more ? way.body + stride : tree.bodies);
  }
}

template <typename Real>
void build(const Tree<Real>& tree, unsigned on, bool counts) {
  if (counts) {
    return launch<Tuning>(build_kernel<Real, switches, true, Tuning>, on, tree.bodies, no_limit,
                          tree);
  }
  choose<switches>(on, [&]<unsigned On>() {
    launch<Tuning>(build_kernel<Real, On, false, Tuning>, on, tree.bodies, no_limit, tree);
  });
}
template void build(const Tree<float>&, unsigned, bool);
template void build(const Tree<double>&, unsigned, bool);

}  // namespace barnes_hut::six
