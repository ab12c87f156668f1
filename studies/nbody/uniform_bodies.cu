// rung    uniform_bodies
// idea    the other bodies come from constant memory: operands that take no registers and no loads
// expect  memory_instructions / 7.5 against bodies_per_thread: almost none are left
// next    symmetric_pairs: Newton's third law, each pair once
//
// All threads of a warp read the same body j, which is what constant memory is for. On Hopper its
// values reach uniform registers, and a difference or a product takes one of its operands from
// there, none from the banks of the vector registers. What still takes two cycles of those banks is
// the first of three multiply-adds with three different operands; the other two reuse one of them.
// The price: 64 KiB of bodies a launch, copied there before it, and a small cache behind them,
// which wants many bodies a thread: in double precision, with twice the bytes and room for fewer
// bodies, the rung before is the faster one.
#include <headroom/launch_box.cuh>

#include "studies/common/check.h"
#include "studies/nbody/nbody.h"
#include "studies/nbody/root.cuh"

namespace nbody {

template <typename Real>
struct sm_80 : headroom::Row<80, 128, 4, 1> {
  static constexpr int turns = sizeof(Real) == 4 ? 4 : 2;
};
template <typename Real>
struct sm_90 : headroom::Row<90, 128, sizeof(Real) == 4 ? 10 : 4, 1> {
  static constexpr int turns = 2;
};
template <typename Real>
using Tuning = headroom::LaunchBox<sm_80<Real>, sm_90<Real>>;

// Bytes, because one memory serves both precisions.
constexpr int bank_bytes = 1 << 16;
static __constant__ __align__(32) char bank[bank_bytes];
template <typename Real>
constexpr int bodies_in_bank = bank_bytes / sizeof(Point<Real>);
// A block takes so many. A constant, because only then does the compiler count in uniform registers.
constexpr int piece = 128;

template <typename Tuning, typename Real>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void uniform_bodies_kernel(Problem<Real> p) {
  using here = typename Tuning::here;
  const Point<Real>* others = reinterpret_cast<const Point<Real>*>(bank) + blockIdx.y * piece;
  const int first_own = blockIdx.x * here::NV + threadIdx.x;
  Real x[here::VT], y[here::VT], z[here::VT];
  Real ax[here::VT] = {}, ay[here::VT] = {}, az[here::VT] = {};
#pragma unroll
  for (int b = 0; b < here::VT; ++b) {
    const Point<Real> own = p.points[min(first_own + b * here::NT, p.n - 1)];
    x[b] = own.x, y[b] = own.y, z[b] = own.z;
  }
#pragma unroll 1
  for (int first = 0; first < piece; first += here::turns) {
#pragma unroll
    for (int j = 0; j < here::turns; ++j) {
      const Point<Real> other = others[first + j];
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

// A bank that is not full ends with bodies of no mass.
template <typename Real>
static void fill_bank(const Problem<Real>& p, int first, int bodies) {
  if (bodies < bodies_in_bank<Real>) {
    void* address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, bank));
    CHECK(cudaMemsetAsync(address, 0, bank_bytes));
  }
  CHECK(cudaMemcpyToSymbolAsync(bank, p.points + first, bodies * sizeof(Point<Real>), 0,
                                cudaMemcpyDeviceToDevice));
}

template <typename Real>
static void launch(const Problem<Real>& p) {
  constexpr auto kernel = uniform_bodies_kernel<Tuning<Real>, Real>;
  const headroom::Choice choice = headroom::configure<Tuning<Real>>(kernel);
  const int blocks = blocks_over(p.n, choice.NV());
  clear_accelerations(p);
  for (int first = 0; first < p.n; first += bodies_in_bank<Real>) {
    const int bodies = p.n - first < bodies_in_bank<Real> ? p.n - first : bodies_in_bank<Real>;
    fill_bank(p, first, bodies);
    kernel<<<dim3(blocks, blocks_over(bodies, piece)), choice.NT>>>(p);
  }
}
const Rung uniform_bodies{"uniform_bodies", launch<float>, launch<double>};

}  // namespace nbody
