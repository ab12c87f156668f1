// Accelerations: a warp walks the tree for a group of consecutive bodies. Its lanes look at different
// cells, four families of up to eight siblings at a time, and ask of each
//
//   is its size / theta less than the distance from its centre of mass to the group's box?
//
// Then it is that far from every body of the group. Far cells go into a list in shared memory, and so
// do the bodies of leaves that are near; the children of other near cells go onto a stack. Whenever
// the list holds a batch, its sources pull: a lane holds VT bodies in registers, so that a source is
// read once for VT interactions, and where the group is smaller than 32 VT bodies, parts of the warp
// take different sources for the same bodies and add up at the end.
//
//   group 64, VT 4:  lanes 0 … 15 hold 64 bodies and take sources 0, 2, …; lanes 16 … 31 the same
//                    bodies and sources 1, 3, …
//
// The stack cannot overflow. From `calm` entries on the warp takes as few families as it must to put
// no more onto it than 7 above `calm`; one family alone is depth first, and of each level at most 7
// siblings wait.
#include <headroom/launch_box.cuh>

#include "studies/barnes_hut/sorted_tree/tree.h"
#include "studies/nbody/root.cuh"

namespace barnes_hut::sorted {

// `group` bodies walk together; `batch` sources pull at once.
template <typename Real>
struct walk_sm_80 : headroom::Row<80, 128, 2, 4> {
  static constexpr int group = 64, batch = 64;
};
template <typename Real>
struct walk_sm_90 : headroom::Row<90, 128, 2, sizeof(Real) == 4 ? 8 : 4> {
  static constexpr int group = 64, batch = 64;
};
template <typename Real>
using Tuning = headroom::LaunchBox<walk_sm_80<Real>, walk_sm_90<Real>>;

constexpr unsigned everyone = ~0u;
constexpr int families = 4;  // of eight siblings, looked at together
constexpr int calm = 96;
constexpr int stack_size = calm + 7 + 8 * levels;

template <typename Real>
struct Box {
  Place<Real> lower, upper;

  // 0 for a place within, whatever is rounded.
  __device__ Real distance2(const Place<Real>& place) const {
    const Real dx = max(max(lower.x - place.x, place.x - upper.x), Real(0));
    const Real dy = max(max(lower.y - place.y, place.y - upper.y), Real(0));
    const Real dz = max(max(lower.z - place.z, place.z - upper.z), Real(0));
    return dx * dx + dy * dy + dz * dz;
  }
};

// The least and the greatest of the warp's values.
template <typename Real, int bodies>
static __device__ void range_of(const Real (&values)[bodies], Real& lower, Real& upper) {
  lower = upper = values[0];
#pragma unroll
  for (int b = 1; b < bodies; ++b) lower = min(lower, values[b]), upper = max(upper, values[b]);
  for (int apart = 16; apart > 0; apart /= 2) {
    lower = min(lower, __shfl_xor_sync(everyone, lower, apart));
    upper = max(upper, __shfl_xor_sync(everyone, upper, apart));
  }
}

static __device__ int rank_in(unsigned lanes) {
  return __popc(lanes & ((1u << threadIdx.x % 32) - 1));
}

// The bodies that a lane holds.
template <typename Real, int bodies>
struct Pulled {
  Real x[bodies], y[bodies], z[bodies];
  Real ax[bodies] = {}, ay[bodies] = {}, az[bodies] = {};

  __device__ void pull(const Place<Real>& source, Real softening2) {
#pragma unroll
    for (int b = 0; b < bodies; ++b) {
      const Real dx = source.x - x[b], dy = source.y - y[b], dz = source.z - z[b];
      const Real pull = nbody::pull_at(dz * dz + (dy * dy + (dx * dx + softening2)), source.mass);
      ax[b] += dx * pull, ay[b] += dy * pull, az[b] += dz * pull;
    }
  }
  __device__ Box<Real> box() const {
    Box<Real> box;
    range_of(x, box.lower.x, box.upper.x);
    range_of(y, box.lower.y, box.upper.y);
    range_of(z, box.lower.z, box.upper.z);
    return box;
  }
  __device__ void add_lanes(int apart) {
#pragma unroll
    for (int b = 0; b < bodies; ++b) {
      ax[b] += __shfl_xor_sync(everyone, ax[b], apart);
      ay[b] += __shfl_xor_sync(everyone, ay[b], apart);
      az[b] += __shfl_xor_sync(everyone, az[b], apart);
    }
  }
};

template <typename Tuning, typename Real>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void walk_kernel(Tree<Real> tree) {
  using here = typename Tuning::here;
  constexpr int holders = here::group / here::VT;  // lanes that hold the group
  constexpr int streams = 32 / holders, unrolled = 4;
  constexpr int ring = 2 * here::batch;
  static_assert(holders <= 32 && 32 % holders == 0 && here::batch % (streams * unrolled) == 0);
  static_assert(here::batch >= 32, "the list has room for a batch and 32 sources more");
  constexpr int warps = here::NT / 32;
  __shared__ Place<Real> lists[warps][ring];
  __shared__ unsigned stacks[warps][stack_size];

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int group = blockIdx.x * warps + warp;
  if (group * here::group >= tree.n) return;
  Place<Real>* list = lists[warp];
  unsigned* stack = stacks[warp];

  Pulled<Real, here::VT> own;
  const int first_own = group * here::group + lane % holders;
#pragma unroll
  for (int b = 0; b < here::VT; ++b) {
    const Place<Real> place = tree.places[min(first_own + b * holders, tree.n - 1)];
    own.x[b] = place.x, own.y[b] = place.y, own.z[b] = place.z;
  }
  const Box<Real> box = own.box();

  if (lane == 0) stack[0] = 0;  // the root, an only child
  int waiting = 1;
  unsigned filled = 0, used = 0;  // of the list, in all
  unsigned looked_at = 0;
  unsigned near_leaves = 0, first = 0, count = 0;  // of this lane's cell
  bool last = false;
  while (true) {
    if (filled - used >= here::batch || last) {
      __syncwarp();
      const int batch = min(filled - used, here::batch);
      const Place<Real>* source = list + used % ring + lane / holders;
      for (int s = 0; s < batch; s += streams * unrolled) {
#pragma unroll
        for (int u = 0; u < unrolled; ++u) own.pull(source[s + u * streams], tree.softening2);
      }
      used += batch;
      __syncwarp();
      if (last) break;
    } else if (near_leaves) {
      const int holder = __ffs(near_leaves) - 1;
      const unsigned left = __shfl_sync(everyone, count, holder);
      const unsigned from = __shfl_sync(everyone, first, holder);
      const unsigned taken = min(left, 32);
      if (lane < taken) list[(filled + lane) % ring] = tree.places[from + lane];
      if (lane == holder) first += taken, count -= taken;
      filled += taken;
      if (taken == left) near_leaves &= near_leaves - 1;
    } else if (waiting) {
      __syncwarp();
      const int taken = min(min(waiting, families), max((calm - waiting) / 7, 1));
      waiting -= taken;
      const unsigned family = lane / 8 < taken ? stack[waiting + lane / 8] : 0;
      const bool exists = lane / 8 < taken && lane % 8 <= family % 8;
      const unsigned number = exists ? family / 8 + lane % 8 : 0;
      const Cell cell = tree.cells[number];
      const Place<Real> centre = tree.centres[number];
      const bool far = exists && cell.open2 < box.distance2(centre);
      const bool leaf = exists && !far && cell.leaf(), open = exists && !far && !cell.leaf();
      const unsigned fars = __ballot_sync(everyone, far), opens = __ballot_sync(everyone, open);
      near_leaves = __ballot_sync(everyone, leaf);
      first = cell.first, count = cell.count();
      if (far) list[(filled + rank_in(fars)) % ring] = centre;
      __syncwarp();  // the stack has been read
      if (open) stack[waiting + rank_in(opens)] = cell.first * 8 + cell.count() - 1;
      filled += __popc(fars), waiting += __popc(opens);
      looked_at += __popc(__ballot_sync(everyone, exists));
    } else {
      if (lane == 0) tree.met[group] = {looked_at, filled};
      // Sources of no mass fill up the last batch.
      const int rest = -filled % (streams * unrolled);
      if (lane < rest) list[(filled + lane) % ring] = {own.x[0], own.y[0], own.z[0], 0};
      filled += rest;
      last = true;
    }
  }

#pragma unroll
  for (int apart = holders; apart < 32; apart *= 2) own.add_lanes(apart);
#pragma unroll
  for (int b = 0; b < here::VT; ++b) {
    const int i = first_own + b * holders;
    if (lane >= holders || i >= tree.n) return;
    tree.acceleration_x[i] = own.ax[b];
    tree.acceleration_y[i] = own.ay[b];
    tree.acceleration_z[i] = own.az[b];
  }
}

template <typename Real>
void walk(const Tree<Real>& tree) {
  constexpr auto kernel = walk_kernel<Tuning<Real>, Real>;
  headroom::at_row<Tuning<Real>>(kernel, [&](auto row) {
    kernel<<<nbody::blocks_over(tree.n, row.NT / 32 * row.group), row.NT>>>(tree);
  });
  CHECK(cudaGetLastError());
}
template void walk(const Tree<float>&);
template void walk(const Tree<double>&);

template <typename Real>
int bodies_in_group() {
  constexpr auto kernel = walk_kernel<Tuning<Real>, Real>;
  return headroom::at_row<Tuning<Real>>(kernel, [](auto row) { return row.group; });
}
template int bodies_in_group<float>();
template int bodies_in_group<double>();

}  // namespace barnes_hut::sorted
