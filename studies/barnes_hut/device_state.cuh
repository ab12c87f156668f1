// Bodies on the device as arrays of coordinates, and their way through time: what solvers on the
// device have in common.
//
//   DeviceState<float> state(bodies);         // rounded to Real
//   state.view()                              pointers for kernels (view.cuh)
//   state.advance(kick, drift);               // velocities, then places
//   state.bodies(), state.accelerations()     back on the host, in double
#pragma once
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"
#include "studies/barnes_hut/view.cuh"
#include "studies/common/buffer.h"

namespace barnes_hut {

template <typename Real>
static __global__ void advance_kernel(View<Real> bodies, Real kick, Real drift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bodies.n) advance_body(bodies, i, kick, drift);
}

template <typename Real>
class DeviceState {
 public:
  explicit DeviceState(const Bodies& bodies) : n_(bodies.size()), data_(arrays * n_) {
    std::vector<Real> host(n_);
    const auto write = [&](int array, const auto& field) {
#pragma omp parallel for
      for (size_t i = 0; i < n_; ++i) host[i] = Real(field(bodies[i]));
      CHECK(cudaMemcpy(at(array), host.data(), n_ * sizeof(Real), cudaMemcpyHostToDevice));
    };
    write(0, [](const auto& body) { return body.x; });
    write(1, [](const auto& body) { return body.y; });
    write(2, [](const auto& body) { return body.z; });
    write(3, [](const auto& body) { return body.mass; });
    write(4, [](const auto& body) { return body.velocity_x; });
    write(5, [](const auto& body) { return body.velocity_y; });
    write(6, [](const auto& body) { return body.velocity_z; });
    CHECK(cudaMemset(at(7), 0, 3 * n_ * sizeof(Real)));
  }

  size_t size() const { return n_; }
  View<Real> view() const {
    return {int(n_), at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9)};
  }

  void advance(double kick, double drift) {
    constexpr int block = 256;
    advance_kernel<<<nbody::blocks_over(int(n_), block), block>>>(view(), Real(kick), Real(drift));
    CHECK(cudaGetLastError());
  }

  std::vector<double> accelerations() const {
    std::vector<Real> host(3 * n_);
    CHECK(cudaMemcpy(host.data(), at(7), 3 * n_ * sizeof(Real), cudaMemcpyDeviceToHost));
    return {host.begin(), host.end()};
  }
  Bodies bodies() const {
    std::vector<Real> host(arrays * n_);
    CHECK(cudaMemcpy(host.data(), at(0), arrays * n_ * sizeof(Real), cudaMemcpyDeviceToHost));
    Bodies bodies(n_);
#pragma omp parallel for
    for (size_t i = 0; i < n_; ++i) {
      const auto value = [&](int array) { return double(host[array * n_ + i]); };
      bodies[i] = {value(0), value(1), value(2), value(3), value(4),
                   value(5), value(6), value(7), value(8), value(9)};
    }
    return bodies;
  }

 private:
  static constexpr int arrays = 10;
  Real* at(int array) const { return data_.data() + array * n_; }

  size_t n_;
  study::DeviceBuffer<Real> data_;
};

}  // namespace barnes_hut
