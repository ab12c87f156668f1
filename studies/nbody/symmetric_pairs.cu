// rung    symmetric_pairs
// idea    Newton's third law: each pair is computed once, for both of its bodies
// expect  special_instructions / 1.67 against uniform_bodies; 2 with more bodies
// next    none: fewer operations than pairs need trees
//
// Newton's third law halves differences, distances and roots: 16 instructions and a root for two
// interactions. The price is a second sum that is not the thread's own. A warp keeps 32 VT bodies
// in registers and walks through groups of as many; lane l takes body l + step of 32 from shared
// memory, so that no two lanes hold the same one, and the sums of these 32 bodies wander from lane
// to lane by shuffles, a place a step. After 32 steps each is back and goes to memory by atomics.
// Group g meets the half of all groups that follows it, in a circle, so that all warps have the
// same work; with itself it is computed as in the rungs before.
#include <headroom/launch_box.cuh>

#include "studies/nbody/nbody.h"
#include "studies/nbody/root.cuh"

namespace nbody {

template <typename Real>
struct sm_80 : headroom::Row<80, 128, sizeof(Real) == 4 ? 8 : 4, 1> {
  static constexpr int turns = sizeof(Real) == 4 ? 2 : 4;
};
template <typename Real>
using Tuning = headroom::LaunchBox<sm_80<Real>>;

constexpr int lanes = 32;
constexpr unsigned all_lanes = 0xffffffff;

template <typename Tuning, typename Real>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void symmetric_pairs_kernel(Problem<Real> p,
                                                                                   int groups,
                                                                                   int piece) {
  using here = typename Tuning::here;
  constexpr int group_size = lanes * here::VT;
  __shared__ Point<Real> tiles[here::NT / lanes][2 * lanes];  // twice the same: no index wraps
  Point<Real>* tile = tiles[threadIdx.x / lanes];
  const int lane = threadIdx.x % lanes;
  const int group = blockIdx.x * (here::NT / lanes) + threadIdx.x / lanes;
  if (group >= groups) return;

  Real x[here::VT], y[here::VT], z[here::VT], mass[here::VT];
  Real ax[here::VT] = {}, ay[here::VT] = {}, az[here::VT] = {};
#pragma unroll
  for (int b = 0; b < here::VT; ++b) {
    const int i = group * group_size + b * lanes + lane;
    const Point<Real> own = i < p.n ? p.points[i] : Point<Real>{};
    x[b] = own.x, y[b] = own.y, z[b] = own.z, mass[b] = own.mass;
  }

  // Of an even number of groups two face each other: one of them takes the pair.
  const int facing = groups % 2 == 0 && group >= groups / 2 ? groups / 2 - 1 : groups / 2;
  const int begin = blockIdx.y * piece, end = min(begin + piece, facing + 1);
  for (int distance = begin; distance < end; ++distance) {
    const int met = group + distance < groups ? group + distance : group + distance - groups;
    for (int first = met * group_size; first < (met + 1) * group_size; first += lanes) {
      const int j = first + lane;
      const Point<Real> brought = j < p.n ? p.points[j] : Point<Real>{};
      __syncwarp();
      tile[lane] = tile[lane + lanes] = brought;
      __syncwarp();
      if (distance == 0) {
#pragma unroll 1
        for (int step = 0; step < lanes; ++step) {
          const Point<Real> other = tile[step];
#pragma unroll
          for (int b = 0; b < here::VT; ++b) {
            const Real dx = other.x - x[b], dy = other.y - y[b], dz = other.z - z[b];
            const Real pull = pull_at(dz * dz + (dy * dy + (dx * dx + p.softening2)), other.mass);
            ax[b] += dx * pull;
            ay[b] += dy * pull;
            az[b] += dz * pull;
          }
        }
        continue;
      }
      Real bx = 0, by = 0, bz = 0;  // of the body that the lane holds in this step
#pragma unroll here::turns
      for (int step = 0; step < lanes; ++step) {
        const Point<Real> other = tile[lane + step];
#pragma unroll
        for (int b = 0; b < here::VT; ++b) {
          const Real dx = other.x - x[b], dy = other.y - y[b], dz = other.z - z[b];
          const Real cube = cube_at(dz * dz + (dy * dy + (dx * dx + p.softening2)));
          const Real pull = other.mass * cube, pulled = mass[b] * cube;
          ax[b] += dx * pull;
          ay[b] += dy * pull;
          az[b] += dz * pull;
          bx -= dx * pulled;
          by -= dy * pulled;
          bz -= dz * pulled;
        }
        bx = __shfl_sync(all_lanes, bx, lane + 1, lanes);
        by = __shfl_sync(all_lanes, by, lane + 1, lanes);
        bz = __shfl_sync(all_lanes, bz, lane + 1, lanes);
      }
      if (j < p.n) {
        atomicAdd(&p.acceleration_x[j], bx);
        atomicAdd(&p.acceleration_y[j], by);
        atomicAdd(&p.acceleration_z[j], bz);
      }
    }
  }
#pragma unroll
  for (int b = 0; b < here::VT; ++b) {
    const int i = group * group_size + b * lanes + lane;
    if (i >= p.n) return;
    atomicAdd(&p.acceleration_x[i], ax[b]);
    atomicAdd(&p.acceleration_y[i], ay[b]);
    atomicAdd(&p.acceleration_z[i], az[b]);
  }
}

template <typename Real>
static void launch(const Problem<Real>& p) {
  constexpr auto kernel = symmetric_pairs_kernel<Tuning<Real>, Real>;
  const headroom::Choice choice = headroom::configure<Tuning<Real>>(kernel);
  const int groups = blocks_over(p.n, lanes * choice.VT), distances = groups / 2 + 1;
  const int blocks = blocks_over(groups, choice.NT / lanes);
  const int piece = piece_of(distances, blocks, 1);
  clear_accelerations(p);
  kernel<<<dim3(blocks, blocks_over(distances, piece)), choice.NT>>>(p, groups, piece);
}
const Rung symmetric_pairs{"symmetric_pairs", launch<float>, launch<double>};

}  // namespace nbody
