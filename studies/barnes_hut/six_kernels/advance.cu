// kernel  6, advance
// idea    velocities by the accelerations, then places by the velocities, each body for itself
#include "studies/barnes_hut/six_kernels/kernels.h"

namespace barnes_hut::six {

using Tuning = headroom::LaunchBox<headroom::Row<80, 1024, 1, 1>, headroom::Row<90, 1024, 1, 2>>;

template <typename Real, typename Tuning>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void step_kernel(View<Real> bodies,
                                                                        Real kick, Real drift) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < bodies.n; i += stride) {
    advance_body(bodies, i, kick, drift);
  }
}

template <typename Real>
void advance(const View<Real>& bodies, double kick, double drift, unsigned on) {
  launch<Tuning>(step_kernel<Real, Tuning>, on, bodies.n, no_limit, bodies, Real(kick),
                 Real(drift));
}
template void advance(const View<float>&, double, double, unsigned);
template void advance(const View<double>&, double, double, unsigned);

}  // namespace barnes_hut::six
