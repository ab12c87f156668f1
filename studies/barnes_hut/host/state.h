// Bodies on the host as arrays of coordinates, and their way through time: what solvers on the host
// have in common.
//
//   HostState<float> state(bodies);           // rounded to Real
//   state.gather(order, first, last);         // by several threads: [first, last) of all
//   state.take_gathered();                    // body i is now the one that was order[i]
//   state.advance(kick, drift);               // velocities, then places
//   state.bodies(), state.accelerations()     in the order of the bodies given at first
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

// The share of a thread in n things: [first, last).
struct Share {
  int first, last;
};
inline Share share_of(int64_t n, int thread, int threads) {
  return {int(n * thread / threads), int(n * (thread + 1) / threads)};
}

template <typename Real>
struct HostArrays {
  explicit HostArrays(size_t n) : index(n) {
    for (auto* array : all()) array->resize(n);
  }
  std::array<std::vector<Real>*, 7> all() {
    return {&x, &y, &z, &mass, &velocity_x, &velocity_y, &velocity_z};
  }
  std::vector<Real> x, y, z, mass, velocity_x, velocity_y, velocity_z;
  std::vector<int> index;  // of the body in the order given at first
};

template <typename Real>
class HostState : public HostArrays<Real> {
 public:
  explicit HostState(const Bodies& bodies)
      : HostArrays<Real>(bodies.size()),
        acceleration_x(bodies.size()),
        acceleration_y(bodies.size()),
        acceleration_z(bodies.size()),
        other_(bodies.size()) {
    const int n = size();
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      const auto& body = bodies[i];
      this->x[i] = Real(body.x), this->y[i] = Real(body.y), this->z[i] = Real(body.z);
      this->mass[i] = Real(body.mass);
      this->velocity_x[i] = Real(body.velocity_x);
      this->velocity_y[i] = Real(body.velocity_y);
      this->velocity_z[i] = Real(body.velocity_z);
      this->index[i] = i;
    }
  }

  int size() const { return int(this->x.size()); }

  // Accelerations stay where they are: they are about to be computed anew.
  void gather(const std::vector<int>& order, int first, int last) {
    const auto from = this->all(), to = other_.all();
    for (size_t array = 0; array < from.size(); ++array) {
      for (int i = first; i < last; ++i) (*to[array])[i] = (*from[array])[order[i]];
    }
    for (int i = first; i < last; ++i) other_.index[i] = this->index[order[i]];
  }
  void take_gathered() {
    const auto from = this->all(), to = other_.all();
    for (size_t array = 0; array < from.size(); ++array) from[array]->swap(*to[array]);
    this->index.swap(other_.index);
  }

  // Velocities and places of the bodies [first, last).
  void advance(int first, int last, Real kick, Real drift) {
    for (int i = first; i < last; ++i) {
      this->velocity_x[i] += kick * acceleration_x[i];
      this->velocity_y[i] += kick * acceleration_y[i];
      this->velocity_z[i] += kick * acceleration_z[i];
      this->x[i] += drift * this->velocity_x[i];
      this->y[i] += drift * this->velocity_y[i];
      this->z[i] += drift * this->velocity_z[i];
    }
  }

  std::vector<double> accelerations() const {
    const size_t n = size();
    std::vector<double> found(3 * n);
    for (size_t i = 0; i < n; ++i) {
      found[this->index[i]] = acceleration_x[i];
      found[this->index[i] + n] = acceleration_y[i];
      found[this->index[i] + 2 * n] = acceleration_z[i];
    }
    return found;
  }
  Bodies bodies() const {
    Bodies found(size());
    for (int i = 0; i < size(); ++i) {
      found[this->index[i]] = {this->x[i],          this->y[i],          this->z[i],
                               this->mass[i],       this->velocity_x[i], this->velocity_y[i],
                               this->velocity_z[i], acceleration_x[i],   acceleration_y[i],
                               acceleration_z[i]};
    }
    return found;
  }

  std::vector<Real> acceleration_x, acceleration_y, acceleration_z;

 private:
  HostArrays<Real> other_;  // what is gathered
};

}  // namespace barnes_hut
