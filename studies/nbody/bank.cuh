// Bodies in constant memory, which is filled between launches, and the kernel that reads them there: one copy of both in each
// file that includes this.
//
//   fill_bank(p, 0, first, bodies, room, stream);        // bodies first … first + bodies to place 0 and on; `room` places in all
//   uniform_bodies_kernel<Tuning<Real>, Real><<<dim3(blocks, pieces), threads, 0, stream>>>(p, 0);
#pragma once
#include <headroom/launch_box.cuh>

#include "studies/common/check.h"
#include "studies/nbody/nbody.h"
#include "studies/nbody/root.cuh"

namespace nbody {

// Bytes, because one memory serves both precisions.
constexpr int bank_bytes = 1 << 16;
static __constant__ __align__(32) char bank[bank_bytes];
template <typename Real>
constexpr int bodies_in_bank = bank_bytes / sizeof(Point<Real>);

// A block takes `here::bodies` bodies of those from `place` on: a constant, because only then does the compiler count in
// uniform registers.
template <typename Tuning, typename Real>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void uniform_bodies_kernel(Problem<Real> p,
                                                                                  int place) {
  using here = typename Tuning::here;
  const Point<Real>* others =
      reinterpret_cast<const Point<Real>*>(bank) + place + blockIdx.y * here::bodies;
  const int first_own = blockIdx.x * here::NV + threadIdx.x;
  Real x[here::VT], y[here::VT], z[here::VT];
  Real ax[here::VT] = {}, ay[here::VT] = {}, az[here::VT] = {};
#pragma unroll
  for (int b = 0; b < here::VT; ++b) {
    const Point<Real> own = p.points[min(first_own + b * here::NT, p.n - 1)];
    x[b] = own.x, y[b] = own.y, z[b] = own.z;
  }
#pragma unroll 1
  for (int first = 0; first < here::bodies; first += here::turns) {
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

// Room that is not filled has bodies of no mass.
template <typename Real>
static void fill_bank(const Problem<Real>& p, int place, int first, int bodies, int room,
                      cudaStream_t stream) {
  const size_t offset = place * sizeof(Point<Real>);
  if (bodies < room) {
    void* address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, bank));
    CHECK(cudaMemsetAsync(static_cast<char*>(address) + offset, 0, room * sizeof(Point<Real>),
                          stream));
  }
  CHECK(cudaMemcpyToSymbolAsync(bank, p.points + first, bodies * sizeof(Point<Real>), offset,
                                cudaMemcpyDeviceToDevice, stream));
}

}  // namespace nbody
