// Accelerations: a warp walks the tree for a group of consecutive bodies. Its lanes look at different
// cells, four families of up to eight siblings at a time, and apply the multipole acceptance criterion
//
//   size / theta < distance from the cell's centre of mass to the group's box
//
// An accepted cell is that far from every body of the group. A box wider than that distance may hold much of
// the tree and few bodies, as it does in the outskirts, where neighbours on the curve are far apart:
// there the bodies themselves are asked. Without, a few such groups take longer than all others.
//
// Far cells go into a list in shared memory, and so do the bodies of leaves that are near; the
// children of other near cells go onto a stack. Whenever a list holds a batch, its sources pull: each
// is read once for all bodies that a lane holds. Cells that pull with their shape have a list of their
// own; one body is no cell. A cell so far that the group is small to it is in no list: its lane adds
// it to the group's local expansion, once for all bodies.
//
// The stack cannot overflow. The more of it is filled, the fewer families are taken, so that with
// more than one there are never more than `calm` on it. One alone is depth first: of every level, the
// siblings of one family wait.
#include <headroom/launch_box.cuh>

#include "studies/barnes_hut/sorted_tree/local_expansion.cuh"

namespace barnes_hut::sorted {

// VT bodies a lane. `group` bodies walk together; `batch` sources pull at once, `unrolled` a turn.
template <typename Real>
struct walk_sm_80 : headroom::Row<80, 128, 2, sizeof(Real) == 8 ? 3 : 4> {
  static constexpr int group = 64, batch = sizeof(Real) == 4 ? 64 : 32;
  static constexpr int unrolled_points = 4, unrolled_shapes = 1;
};
template <typename Real>
struct walk_sm_90 : headroom::Row<90, 128, 2, sizeof(Real) == 8 ? 3 : 5> {
  static constexpr int group = 64, batch = sizeof(Real) == 4 ? 64 : 32;
  static constexpr int unrolled_points = 4, unrolled_shapes = 2;
};
template <typename Real>
using Tuning = headroom::LaunchBox<walk_sm_80<Real>, walk_sm_90<Real>>;

// A group is small to a cell where its radius is less than so much of theta times their distance:
// with theta 0 to none. Measured: with more, the largest errors grow.
template <bool shaped>
constexpr double narrow = shaped ? 0.2 : 0.3;
constexpr int families = 4;  // of eight siblings, looked at together
constexpr int calm = 96;
constexpr int stack_size = calm + 7 + 8 * levels;

// In shared memory: sources that wait for their batch, one behind the other and round.
template <typename Real, int batch, bool shaped>
struct List {
  static constexpr int room = 2 * batch;  // for a batch that is not full, and 32 sources more
  static_assert(batch >= 32 && batch % 32 == 0);
  Place<Real> places[room];
  Shape<Real> shapes[shaped ? room : 1];
};

// How many went into a list and how many have pulled.
struct Filling {
  unsigned filled = 0, used = 0;
  __device__ unsigned waiting() const { return filled - used; }
};

static __device__ unsigned sum_of(unsigned mine) {
  for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(everyone, mine, apart);
  return mine;
}
static __device__ int rank_in(unsigned lanes) {
  return __popc(lanes & ((1u << threadIdx.x % 32) - 1));
}

template <typename Tuning, typename Real, bool shaped>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void walk_kernel(Tree<Real> tree) {
  using here = typename Tuning::here;
  using Own = Group<Real, here::group, here::VT>;
  constexpr int warps = here::NT / 32, batch = here::batch, room = 2 * batch;
  constexpr int turn_of_points = Own::streams * here::unrolled_points;
  constexpr int turn_of_shapes = Own::streams * here::unrolled_shapes;
  static_assert(32 % turn_of_points == 0 && 32 % turn_of_shapes == 0);
  __shared__ List<Real, batch, false> point_lists[warps];
  __shared__ List<Real, shaped ? batch : 32, shaped> cell_lists[shaped ? warps : 1];
  __shared__ unsigned stacks[warps][stack_size];

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int group = blockIdx.x * warps + warp;
  if (group * here::group >= tree.n) return;
  auto& point_list = point_lists[warp];
  auto& cell_list = cell_lists[shaped ? warp : 0];
  unsigned* stack = stacks[warp];

  Own own(tree, group);
  const Box<Real> box = own.box();
  const Real diagonal2 = box.diagonal2();
  const Place<Real> middle = box.middle();
  const Real reach = Real(narrow<shaped>) * tree.theta;
  const Real distant2 = own.radius2(middle) / (reach * reach);
  LocalExpansion<Real> expansion;

  if (lane == 0) stack[0] = 0;  // the root, an only child
  int waiting = 1;
  Filling points, cells;
  unsigned bodies = 0, looked_at = 0, distants = 0;  // the latter two by this lane
  unsigned near_leaves = 0, first = 0, count = 0;    // of this lane's cell
  bool last = false;
  while (true) {
    if (points.waiting() >= batch || (last && points.waiting())) {
      __syncwarp();
      const int sources = min(points.waiting(), batch);
      const int begin = points.used % room + own.stream();
      for (int s = 0; s < sources; s += turn_of_points) {
#pragma unroll
        for (int u = 0; u < here::unrolled_points; ++u) {
          own.pull(point_list.places[begin + s + u * Own::streams], tree.softening2);
        }
      }
      points.used += sources;
      __syncwarp();
    } else if (shaped && (cells.waiting() >= batch || (last && cells.waiting()))) {
      __syncwarp();
      const int sources = min(cells.waiting(), batch);
      const int begin = cells.used % room + own.stream();
      for (int s = 0; s < sources; s += turn_of_shapes) {
#pragma unroll
        for (int u = 0; u < here::unrolled_shapes; ++u) {
          const int source = begin + s + u * Own::streams;
          own.pull(cell_list.places[source], cell_list.shapes[source], tree.softening2);
        }
      }
      cells.used += sources;
      __syncwarp();
    } else if (near_leaves) {
      const int holder = __ffs(near_leaves) - 1;
      const unsigned left = __shfl_sync(everyone, count, holder);
      const unsigned from = __shfl_sync(everyone, first, holder);
      const unsigned taken = min(left, 32);
      if (lane < taken) point_list.places[(points.filled + lane) % room] = tree.places[from + lane];
      if (lane == holder) first += taken, count -= taken;
      points.filled += taken, bodies += taken;
      if (taken == left) near_leaves &= near_leaves - 1;
    } else if (waiting) {
      __syncwarp();
      const int taken = min(min(waiting, families), max((calm - waiting) / 8, 1));
      waiting -= taken;
      const unsigned family = lane / 8 < taken ? stack[waiting + lane / 8] : 0;
      const bool exists = lane / 8 < taken && lane % 8 <= family % 8;
      const unsigned number = exists ? family / 8 + lane % 8 : 0;
      const Cell cell = tree.cells[number];
      const Place<Real> centre = tree.centres[number];
      const Real mac_distance2 =
          cell.mac_distance < 0 ? Real(-1) : Real(cell.mac_distance) * Real(cell.mac_distance);
      bool far = exists && mac_distance2 < box.distance2(centre);
      unsigned doubtful = __ballot_sync(everyone, exists && !far && mac_distance2 < diagonal2);
      for (; doubtful; doubtful &= doubtful - 1) {
        const int holder = __ffs(doubtful) - 1;
        const Place<Real> place{__shfl_sync(everyone, centre.x, holder),
                                __shfl_sync(everyone, centre.y, holder),
                                __shfl_sync(everyone, centre.z, holder), 0};
        const bool within = own.any_within(place, __shfl_sync(everyone, mac_distance2, holder));
        if (lane == holder) far = !within;
      }
      const bool near = exists && !far;
      const Real dx = centre.x - middle.x, dy = centre.y - middle.y, dz = centre.z - middle.z;
      const bool distant = far && distant2 < dx * dx + dy * dy + dz * dz;
      if (distant) {
        expansion.add(dx, dy, dz, centre.mass, tree.softening2);
        if constexpr (shaped) expansion.add(dx, dy, dz, tree.shapes[number], tree.softening2);
      }
      far = far && !distant;
      looked_at += exists, distants += distant;
      const bool spread = shaped && far && cell.count_leaf != 3;  // not a leaf of one body
      const unsigned fars = __ballot_sync(everyone, far && !spread);
      const unsigned opens = __ballot_sync(everyone, near && !cell.leaf());
      near_leaves = __ballot_sync(everyone, near && cell.leaf());
      first = cell.first, count = cell.count();
      if (far && !spread) point_list.places[(points.filled + rank_in(fars)) % room] = centre;
      points.filled += __popc(fars);
      if constexpr (shaped) {
        const unsigned spreads = __ballot_sync(everyone, spread);
        const int place = (cells.filled + rank_in(spreads)) % room;
        if (spread) {
          cell_list.places[place] = centre;
          cell_list.shapes[place] = tree.shapes[number];
        }
        cells.filled += __popc(spreads);
      }
      __syncwarp();  // the stack has been read
      if (near && !cell.leaf()) {
        stack[waiting + rank_in(opens)] = cell.first * 8 + cell.count() - 1;
      }
      waiting += __popc(opens);
    } else if (!last) {
      looked_at = sum_of(looked_at), distants = sum_of(distants);
      if (lane == 0) tree.met[group] = {looked_at, bodies, points.filled, cells.filled, distants};
      // Sources of no mass fill up the last batches.
      last = true;
      const Place<Real> nothing{own.x[0], own.y[0], own.z[0], 0};
      const int more_points = -points.filled % turn_of_points;
      const int more_cells = -cells.filled % turn_of_shapes;
      if (lane < more_points) point_list.places[(points.filled + lane) % room] = nothing;
      points.filled += more_points;
      if constexpr (shaped) {
        if (lane < more_cells) {
          cell_list.places[(cells.filled + lane) % room] = nothing;
          cell_list.shapes[(cells.filled + lane) % room] = {};
        }
        cells.filled += more_cells;
      }
    } else {
      break;
    }
  }
  expansion.add_lanes();
  own.write(tree, group, expansion, middle);
}

template <typename Real, bool shaped>
static void launch(const Tree<Real>& tree) {
  constexpr auto kernel = walk_kernel<Tuning<Real>, Real, shaped>;
  headroom::at_row<Tuning<Real>>(kernel, [&](auto row) {
    kernel<<<nbody::blocks_over(tree.n, row.NT / 32 * row.group), row.NT>>>(tree);
  });
  CHECK(cudaGetLastError());
}

template <typename Real>
void walk(const Tree<Real>& tree) {
  tree.shapes ? launch<Real, true>(tree) : launch<Real, false>(tree);
}
template void walk(const Tree<float>&);
template void walk(const Tree<double>&);

template <typename Real>
int bodies_in_group() {
  constexpr auto kernel = walk_kernel<Tuning<Real>, Real, false>;
  return headroom::at_row<Tuning<Real>>(kernel, [](auto row) { return row.group; });
}
template int bodies_in_group<float>();
template int bodies_in_group<double>();

}  // namespace barnes_hut::sorted
