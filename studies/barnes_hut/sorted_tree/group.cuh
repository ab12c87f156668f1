// A group of bodies in the registers of a warp, and what pulls them. A lane holds some of them; where
// the group is smaller than all lanes hold, parts of the warp hold the same bodies, take different
// sources and add up at the end.
//
//   group 64, 4 bodies a lane:  lanes 0 … 15 hold 64 bodies and take sources 0, 2, …;
//                               lanes 16 … 31 hold the same bodies and take sources 1, 3, …
#pragma once
#include "studies/barnes_hut/sorted_tree/tree.h"
#include "studies/nbody/root.cuh"

namespace barnes_hut::sorted {

constexpr unsigned everyone = ~0u;

__device__ inline float inverse_root(float distance2) { return nbody::root_at(distance2); }
// The approximation x, good to some 20 bits, and x (1/2 e + 3/8 e^2) with e = 1 - distance^2 x^2.
__device__ inline double inverse_root(double distance2) {
  const double root = nbody::root_at(distance2);
  const double off = fma(-distance2 * root, root, 1.0);
  return fma(root * off, fma(off, 0.375, 0.5), root);
}

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
  __device__ Place<Real> middle() const {
    return {lower.x + (upper.x - lower.x) / 2, lower.y + (upper.y - lower.y) / 2,
            lower.z + (upper.z - lower.z) / 2, 0};
  }
  __device__ Real diagonal2() const {
    const Real dx = upper.x - lower.x, dy = upper.y - lower.y, dz = upper.z - lower.z;
    return dx * dx + dy * dy + dz * dz;
  }
};

// The least and the greatest of the warp's values.
template <typename Real, int bodies>
__device__ void range_of(const Real (&values)[bodies], Real& lower, Real& upper) {
  lower = upper = values[0];
#pragma unroll
  for (int b = 1; b < bodies; ++b) lower = min(lower, values[b]), upper = max(upper, values[b]);
  for (int apart = 16; apart > 0; apart /= 2) {
    lower = min(lower, __shfl_xor_sync(everyone, lower, apart));
    upper = max(upper, __shfl_xor_sync(everyone, upper, apart));
  }
}

template <typename Real, int group, int bodies>
struct Group {
  static constexpr int holders = group / bodies;  // lanes that hold the whole group
  static constexpr int streams = 32 / holders;    // of sources
  static_assert(group % bodies == 0 && holders <= 32 && 32 % holders == 0);

  Real x[bodies], y[bodies], z[bodies];
  Real ax[bodies] = {}, ay[bodies] = {}, az[bodies] = {};

  static __device__ int stream() { return threadIdx.x % 32 / holders; }
  static __device__ int body(int number, int b) {
    return number * group + threadIdx.x % holders + b * holders;
  }

  // The last group repeats the last body.
  __device__ Group(const Tree<Real>& tree, int number) {
#pragma unroll
    for (int b = 0; b < bodies; ++b) {
      const Place<Real> place = tree.places[min(body(number, b), tree.n - 1)];
      x[b] = place.x, y[b] = place.y, z[b] = place.z;
    }
  }

  __device__ Box<Real> box() const {
    Box<Real> box;
    range_of(x, box.lower.x, box.upper.x);
    range_of(y, box.lower.y, box.upper.y);
    range_of(z, box.lower.z, box.upper.z);
    return box;
  }

  // Is any body of the group not farther away than the root of this? For all lanes the same.
  __device__ bool any_within(const Place<Real>& place, Real mac_distance2) const {
    bool within = false;
#pragma unroll
    for (int b = 0; b < bodies; ++b) {
      const Real dx = place.x - x[b], dy = place.y - y[b], dz = place.z - z[b];
      within |= !(mac_distance2 < dx * dx + dy * dy + dz * dz);
    }
    return __any_sync(everyone, within);
  }

  // 12 operations and the root.
  __device__ void pull(const Place<Real>& source, Real softening2) {
#pragma unroll
    for (int b = 0; b < bodies; ++b) {
      const Real dx = source.x - x[b], dy = source.y - y[b], dz = source.z - z[b];
      const Real pull = nbody::pull_at(dz * dz + (dy * dy + (dx * dx + softening2)), source.mass);
      ax[b] += dx * pull, ay[b] += dy * pull, az[b] += dz * pull;
    }
  }

  // Softened potentials of the cell's parts, expanded around its centre up to the second order:
  //
  //   a = d (M / r^3 + 5/2 d.S.d / r^7 - T / r^5) - S d / r^5,   r^2 = d^2 + softening^2
  //
  // with S the shape and T half of its trace. In e = d / r, so that no power of a length but r^-4
  // is formed. 32 operations and the root.
  __device__ void pull(const Place<Real>& cell, const Shape<Real>& shape, Real softening2) {
#pragma unroll
    for (int b = 0; b < bodies; ++b) {
      const Real dx = cell.x - x[b], dy = cell.y - y[b], dz = cell.z - z[b];
      const Real root = inverse_root(dz * dz + (dy * dy + (dx * dx + softening2)));
      const Real ex = dx * root, ey = dy * root, ez = dz * root, root2 = root * root;
      const Real sx = shape.xx * ex + (shape.xy * ey + shape.xz * ez);
      const Real sy = shape.xy * ex + (shape.yy * ey + shape.yz * ez);
      const Real sz = shape.xz * ex + (shape.yz * ey + shape.zz * ez);
      const Real along = ex * sx + (ey * sy + ez * sz);
      const Real pull = root2 * (cell.mass + root2 * (Real(2.5) * along - shape.half_trace));
      const Real across = -root2 * root2;
      ax[b] += ex * pull, ax[b] += across * sx;
      ay[b] += ey * pull, ay[b] += across * sy;
      az[b] += ez * pull, az[b] += across * sz;
    }
  }

  // Of the group's bodies from its middle.
  __device__ Real radius2(const Place<Real>& middle) const {
    Real most = 0;
#pragma unroll
    for (int b = 0; b < bodies; ++b) {
      const Real dx = x[b] - middle.x, dy = y[b] - middle.y, dz = z[b] - middle.z;
      most = max(most, dx * dx + dy * dy + dz * dz);
    }
    for (int apart = 16; apart > 0; apart /= 2) {
      most = max(most, __shfl_xor_sync(everyone, most, apart));
    }
    return most;
  }

  // Accelerations by the sources, and by a field around a middle.
  template <typename Expansion>
  __device__ void write(const Tree<Real>& tree, int number, const Expansion& expansion,
                        const Place<Real>& middle) {
#pragma unroll
    for (int b = 0; b < bodies; ++b) {
#pragma unroll
      for (int apart = holders; apart < 32; apart *= 2) {
        ax[b] += __shfl_xor_sync(everyone, ax[b], apart);
        ay[b] += __shfl_xor_sync(everyone, ay[b], apart);
        az[b] += __shfl_xor_sync(everyone, az[b], apart);
      }
      const int i = body(number, b);
      if (stream() > 0 || i >= tree.n) continue;
      expansion.read(x[b] - middle.x, y[b] - middle.y, z[b] - middle.z, ax[b], ay[b], az[b]);
      tree.acceleration_x[i] = ax[b];
      tree.acceleration_y[i] = ay[b];
      tree.acceleration_z[i] = az[b];
    }
  }
};

}  // namespace barnes_hut::sorted
