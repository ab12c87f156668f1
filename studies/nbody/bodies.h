// Bodies on the device, in every layout that a rung reads, and their way through time.
//
//   Bodies<float> bodies(plummer(n, masses, seed), softening);
//   bodies.poison();                          // so that an acceleration that is not written shows
//   rung.launch(bodies.problem());
//   bodies.accelerations(rung)                {x0, x1, …, y0, …, z0, …}
//   bodies.kick(rung, dt); bodies.drift(dt);  // leap-frog, see steps.h
#pragma once
#include <vector>

#include "studies/common/buffer.h"
#include "studies/nbody/nbody.h"

namespace nbody {

// studies/nbody/advance.cu
template <typename Real>
void kick_on_device(const Problem<Real>& problem, bool structs, Real* velocity, Real dt);
template <typename Real>
void drift_on_device(const Problem<Real>& problem, Real* place, const Real* velocity,
                     Point<Real>* points, Real dt);

template <typename Real>
class Bodies {
 public:
  Bodies(const std::vector<Body<double>>& bodies, double softening)
      : n_(bodies.size()),
        softening_(Real(softening)),
        structs_(n_),
        points_(n_),
        place_(3 * n_),
        mass_(n_),
        velocity_(3 * n_),
        acceleration_(3 * n_) {
    std::vector<Body<Real>> structs(n_);
    std::vector<Point<Real>> points(n_);
    std::vector<Real> place(3 * n_), mass(n_), velocity(3 * n_);
    for (size_t i = 0; i < n_; ++i) {
      const Body<double>& from = bodies[i];
      const Real x = Real(from.x), y = Real(from.y), z = Real(from.z), m = Real(from.mass);
      structs[i] = {x, y, z, m, 0, 0, 0, 0, 0, 0};
      points[i] = {x, y, z, m};
      place[i] = x, place[i + n_] = y, place[i + 2 * n_] = z, mass[i] = m;
      velocity[i] = Real(from.velocity_x), velocity[i + n_] = Real(from.velocity_y);
      velocity[i + 2 * n_] = Real(from.velocity_z);
    }
    structs_.write(structs), points_.write(points), place_.write(place), mass_.write(mass);
    velocity_.write(velocity);
  }

  Problem<Real> problem() const {
    return {int(n_),
            softening_ * softening_,
            structs_.data(),
            place_.data(),
            place_.data() + n_,
            place_.data() + 2 * n_,
            mass_.data(),
            points_.data(),
            acceleration_.data(),
            acceleration_.data() + n_,
            acceleration_.data() + 2 * n_};
  }

  // All bits set is not a number. Structs are poisoned where their accelerations lie.
  void poison() {
    CHECK(cudaMemsetAsync(acceleration_.data(), 0xff, acceleration_.bytes()));
    CHECK(cudaMemset2DAsync(&structs_.data()->acceleration_x, sizeof(Body<Real>), 0xff,
                            3 * sizeof(Real), n_));
  }
  std::vector<Real> accelerations(const Rung& rung) const {
    std::vector<Real> found(3 * n_);
    if (!rung.structs) {
      acceleration_.read(found);
      return found;
    }
    std::vector<Body<Real>> structs;
    structs_.read(structs);
    for (size_t i = 0; i < n_; ++i) {
      found[i] = structs[i].acceleration_x;
      found[i + n_] = structs[i].acceleration_y;
      found[i + 2 * n_] = structs[i].acceleration_z;
    }
    return found;
  }

  void kick(const Rung& rung, double dt) {
    kick_on_device(problem(), rung.structs, velocity_.data(), Real(dt));
  }
  void drift(double dt) {
    drift_on_device(problem(), place_.data(), velocity_.data(), points_.data(), Real(dt));
  }
  std::vector<Body<double>> state() const {
    std::vector<Real> place, mass, velocity;
    place_.read(place), mass_.read(mass), velocity_.read(velocity);
    std::vector<Body<double>> bodies(n_);
    for (size_t i = 0; i < n_; ++i) {
      bodies[i] = {place[i],    place[i + n_],    place[i + 2 * n_],   mass[i],
                   velocity[i], velocity[i + n_], velocity[i + 2 * n_]};
    }
    return bodies;
  }

 private:
  size_t n_;
  Real softening_;
  study::DeviceBuffer<Body<Real>> structs_;
  study::DeviceBuffer<Point<Real>> points_;
  study::DeviceBuffer<Real> place_, mass_, velocity_, acceleration_;
};

}  // namespace nbody
