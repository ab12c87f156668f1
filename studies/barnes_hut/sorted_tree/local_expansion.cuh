// The local expansion of a group: the field of distant cells, as a Taylor series around the group's
// middle. Each cell is added once for all of the group's bodies, by one lane; the bodies then evaluate
// the series where they are.
//
// With d from the middle to the cell, r^2 = d^2 + softening^2 and e = d / r, at s from the middle
//
//   a = M / r^2 e + M / r^3 (3 (e.s) e - s)
//     + M / r^4 (15/2 (e.s)^2 e - 3/2 s^2 e - 3 (e.s) s) + …
//
// is the Taylor series of a softened point mass; what is left out is of the third order in s / r. 52
// operations and the root a cell; its shape another 60, see below.
#pragma once
#include "studies/barnes_hut/sorted_tree/group.cuh"

namespace barnes_hut::sorted {

template <typename Real>
class LocalExpansion {
 public:
  __device__ void add(Real dx, Real dy, Real dz, Real mass, Real softening2) {
    const Real root = inverse_root(dz * dz + (dy * dy + (dx * dx + softening2)));
    const Real ex = dx * root, ey = dy * root, ez = dz * root;
    const Real first = mass * (root * root), second = first * root;
    const Real x = 3 * second * ex, y = 3 * second * ey, z = 3 * second * ez;
    const Real xx = x * ex, xy = x * ey, xz = x * ez, yy = y * ey, yz = y * ez, zz = z * ez;
    const Real rise = Real(2.5) * root, third = second * root;
    const Real rx = rise * ex, ry = rise * ey, rz = rise * ez;
    sum_[0] += first * ex, sum_[1] += first * ey, sum_[2] += first * ez;
    sum_[3] += xx, sum_[4] += xy, sum_[5] += xz, sum_[6] += yy, sum_[7] += yz, sum_[8] += zz;
    sum_[9] += second;
    sum_[10] += xx * rx, sum_[11] += xx * ry, sum_[12] += xx * rz, sum_[13] += yy * rx;
    sum_[14] += xy * rz, sum_[15] += zz * rx, sum_[16] += yy * ry, sum_[17] += yy * rz;
    sum_[18] += zz * ry, sum_[19] += zz * rz;
    sum_[20] += third * ex, sum_[21] += third * ey, sum_[22] += third * ez;
  }

  // What the cell's shape S adds to the first two: with t = S e, q = e.t and T half the trace of S
  //
  //   a = 1 / r^4 ((5/2 q - T) e - t)
  //     + 1 / r^5 (S s - (5/2 q - T) s - (u.s) e - (e.s) u),   u = 5 t + (5/2 T - 35/4 q) e
  __device__ void add(Real dx, Real dy, Real dz, const Shape<Real>& shape, Real softening2) {
    const Real root = inverse_root(dz * dz + (dy * dy + (dx * dx + softening2)));
    const Real ex = dx * root, ey = dy * root, ez = dz * root;
    const Real tx = shape.xx * ex + (shape.xy * ey + shape.xz * ez);
    const Real ty = shape.xy * ex + (shape.yy * ey + shape.yz * ez);
    const Real tz = shape.xz * ex + (shape.yz * ey + shape.zz * ez);
    const Real q = ex * tx + (ey * ty + ez * tz);
    const Real root2 = root * root, first = root2 * root2, second = first * root;
    const Real along = Real(2.5) * q - shape.half_trace;
    sum_[0] += first * (along * ex - tx);
    sum_[1] += first * (along * ey - ty);
    sum_[2] += first * (along * ez - tz);
    const Real share = Real(2.5) * shape.half_trace - Real(8.75) * q;
    const Real ux = 5 * tx + share * ex, uy = 5 * ty + share * ey, uz = 5 * tz + share * ez;
    sum_[3] += second * (shape.xx - 2 * ux * ex);
    sum_[4] += second * (shape.xy - ux * ey - uy * ex);
    sum_[5] += second * (shape.xz - ux * ez - uz * ex);
    sum_[6] += second * (shape.yy - 2 * uy * ey);
    sum_[7] += second * (shape.yz - uy * ez - uz * ey);
    sum_[8] += second * (shape.zz - 2 * uz * ez);
    sum_[9] += second * along;
  }

  __device__ void add_lanes() {
#pragma unroll
    for (Real& sum : sum_) {
#pragma unroll
      for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(everyone, sum, apart);
    }
  }

  // Adds the field at x, y, z from the middle.
  __device__ void read(Real x, Real y, Real z, Real& ax, Real& ay, Real& az) const {
    const Real xx = x * x, xy = 2 * x * y, xz = 2 * x * z, yy = y * y, yz = 2 * y * z, zz = z * z;
    const Real along = 3 * (sum_[20] * x + sum_[21] * y + sum_[22] * z) + sum_[9];
    const Real size = Real(1.5) * (xx + yy + zz);
    ax += sum_[0] + (sum_[3] * x + sum_[4] * y + sum_[5] * z) - along * x - size * sum_[20] +
          (sum_[10] * xx + sum_[11] * xy + sum_[12] * xz + sum_[13] * yy + sum_[14] * yz +
           sum_[15] * zz);
    ay += sum_[1] + (sum_[4] * x + sum_[6] * y + sum_[7] * z) - along * y - size * sum_[21] +
          (sum_[11] * xx + sum_[13] * xy + sum_[14] * xz + sum_[16] * yy + sum_[17] * yz +
           sum_[18] * zz);
    az += sum_[2] + (sum_[5] * x + sum_[7] * y + sum_[8] * z) - along * z - size * sum_[22] +
          (sum_[12] * xx + sum_[14] * xy + sum_[15] * xz + sum_[17] * yy + sum_[18] * yz +
           sum_[19] * zz);
  }

 private:
  // First order; second: xx xy xz yy yz zz and what s itself takes; third: x^3 xxy xxz xyy xyz xzz
  // y^3 yyz yzz z^3 and what s and its square take.
  Real sum_[23] = {};
};

}  // namespace barnes_hut::sorted
