// rung    bodies_per_thread
// idea    several bodies a thread: what is read of the tile serves all of them
// expect  shared_load_instructions / 5, shared_load_wavefronts / 5 against cut_sum
// next    uniform_bodies: the other bodies come from constant memory, not through registers
//
// A thread keeps VT bodies and their sums in registers, and brings bodies as structs of four, read
// by one instruction. So a load from the tile serves VT interactions, which are independent: a warp
// can wait for a root of one while it computes another. How many bodies a thread, how many threads
// a block and how many turns in one: the table says it for each architecture, measured on an H200
// (sm_90).
#include <headroom/launch_box.cuh>

#include "studies/nbody/nbody.h"
#include "studies/nbody/root.cuh"

namespace nbody {

// Its own names: rows of one name and unlike numbers in two files are one row to the linker.
template <typename Real>
struct per_thread_80 : headroom::Row<80, 128, 4, 1> {
  static constexpr int turns = sizeof(Real) == 4 ? 4 : 2;
};
template <typename Real>
struct per_thread_90
    : headroom::Row<90, 128, sizeof(Real) == 4 ? 5 : 4, sizeof(Real) == 4 ? 1 : 0> {
  static constexpr int turns = sizeof(Real) == 4 ? 4 : 2;
};
template <typename Real>
using Tuning = headroom::LaunchBox<per_thread_80<Real>, per_thread_90<Real>>;

template <typename Tuning, typename Real>
static __global__ __launch_bounds__(
    Tuning::here::NT, Tuning::here::OCC) void bodies_per_thread_kernel(Problem<Real> p, int piece) {
  using here = typename Tuning::here;
  __shared__ Point<Real> tile[here::NT];
  const int t = threadIdx.x, first_own = blockIdx.x * here::NV + t;
  Real x[here::VT], y[here::VT], z[here::VT];
  Real ax[here::VT] = {}, ay[here::VT] = {}, az[here::VT] = {};
#pragma unroll
  for (int b = 0; b < here::VT; ++b) {
    const Point<Real> own = p.points[min(first_own + b * here::NT, p.n - 1)];
    x[b] = own.x, y[b] = own.y, z[b] = own.z;
  }
  const int begin = blockIdx.y * piece, end = min(begin + piece, p.n);
  for (int first = begin; first < end; first += here::NT) {
    __syncthreads();
    tile[t] = first + t < p.n ? p.points[first + t] : Point<Real>{};
    __syncthreads();
#pragma unroll here::turns
    for (int j = 0; j < here::NT; ++j) {
      const Point<Real> other = tile[j];
#pragma unroll
      for (int b = 0; b < here::VT; ++b) {
        const Real dx = other.x - x[b], dy = other.y - y[b], dz = other.z - z[b];
        const Real pull = pull_at(dz * dz + (dy * dy + (dx * dx + p.softening2)), other.mass);
        ax[b] += dx * pull;
        ay[b] += dy * pull;
        az[b] += dz * pull;
      }
    }
  }
#pragma unroll
  for (int b = 0; b < here::VT; ++b) {
    const int i = first_own + b * here::NT;
    if (i >= p.n) return;
    atomicAdd(&p.acceleration_x[i], ax[b]);
    atomicAdd(&p.acceleration_y[i], ay[b]);
    atomicAdd(&p.acceleration_z[i], az[b]);
  }
}

template <typename Real>
static void launch(const Problem<Real>& p) {
  constexpr auto kernel = bodies_per_thread_kernel<Tuning<Real>, Real>;
  const headroom::Choice choice = headroom::configure<Tuning<Real>>(kernel);
  const int blocks = blocks_over(p.n, choice.NV()), piece = piece_of(p.n, blocks, choice.NT);
  clear_accelerations(p);
  kernel<<<dim3(blocks, blocks_over(p.n, piece)), choice.NT>>>(p, piece);
}
const Rung bodies_per_thread{"bodies_per_thread", launch<float>, launch<double>};

}  // namespace nbody
