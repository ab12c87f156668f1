// See pulls.h. With AVX-512 a vector holds neighbours of the list, and as many targets share its
// loads as registers allow. The inverse cube of the distance comes from the processor's estimate y
// of the root of 1 / r^2, good to 14 bits, and the series of what is missing,
//
//   r^-3 = y^3 (1 - e)^(-3/2) = y^3 (1 + 3/2 e + 15/8 e^2 + 35/16 e^3 + 315/128 e^4 + …),
//   e = 1 - r^2 y^2 < 2^-13:  two terms are enough for single precision, five for double
//
// which is a third of the time of a root and a division. Other processors take these.
#include <immintrin.h>

#include <cmath>

#include "studies/barnes_hut/host/pulls.h"

namespace barnes_hut {

namespace {

#define AVX512 __attribute__((target("avx512f,prefer-vector-width=512")))

template <int Count>
AVX512 void pulls_avx512(const List<float>& list, size_t padded, float softening2,
                         const Targets<float>& targets, size_t first) {
  __m512 x[Count], y[Count], z[Count], ax[Count], ay[Count], az[Count];
  for (int t = 0; t < Count; ++t) {
    x[t] = _mm512_set1_ps(targets.x[first + t]), ax[t] = _mm512_setzero_ps();
    y[t] = _mm512_set1_ps(targets.y[first + t]), ay[t] = _mm512_setzero_ps();
    z[t] = _mm512_set1_ps(targets.z[first + t]), az[t] = _mm512_setzero_ps();
  }
  const __m512 soft = _mm512_set1_ps(softening2), one = _mm512_set1_ps(1);
  const __m512 three_halves = _mm512_set1_ps(1.5f);
  for (size_t j = 0; j < padded; j += 16) {
    const __m512 list_x = _mm512_loadu_ps(&list.x[j]), list_y = _mm512_loadu_ps(&list.y[j]);
    const __m512 list_z = _mm512_loadu_ps(&list.z[j]), mass = _mm512_loadu_ps(&list.mass[j]);
    for (int t = 0; t < Count; ++t) {
      const __m512 dx = _mm512_sub_ps(list_x, x[t]), dy = _mm512_sub_ps(list_y, y[t]);
      const __m512 dz = _mm512_sub_ps(list_z, z[t]);
      const __m512 r2 =
          _mm512_fmadd_ps(dz, dz, _mm512_fmadd_ps(dy, dy, _mm512_fmadd_ps(dx, dx, soft)));
      const __m512 root = _mm512_rsqrt14_ps(r2), square = _mm512_mul_ps(root, root);
      const __m512 e = _mm512_fnmadd_ps(r2, square, one);
      const __m512 series = _mm512_fmadd_ps(e, three_halves, one);
      const __m512 pull = _mm512_mul_ps(_mm512_mul_ps(_mm512_mul_ps(mass, root), square), series);
      ax[t] = _mm512_fmadd_ps(dx, pull, ax[t]);
      ay[t] = _mm512_fmadd_ps(dy, pull, ay[t]);
      az[t] = _mm512_fmadd_ps(dz, pull, az[t]);
    }
  }
  for (int t = 0; t < Count; ++t) {
    targets.acceleration_x[first + t] = _mm512_reduce_add_ps(ax[t]);
    targets.acceleration_y[first + t] = _mm512_reduce_add_ps(ay[t]);
    targets.acceleration_z[first + t] = _mm512_reduce_add_ps(az[t]);
  }
}

template <int Count>
AVX512 void pulls_avx512(const List<double>& list, size_t padded, double softening2,
                         const Targets<double>& targets, size_t first) {
  __m512d x[Count], y[Count], z[Count], ax[Count], ay[Count], az[Count];
  for (int t = 0; t < Count; ++t) {
    x[t] = _mm512_set1_pd(targets.x[first + t]), ax[t] = _mm512_setzero_pd();
    y[t] = _mm512_set1_pd(targets.y[first + t]), ay[t] = _mm512_setzero_pd();
    z[t] = _mm512_set1_pd(targets.z[first + t]), az[t] = _mm512_setzero_pd();
  }
  const __m512d soft = _mm512_set1_pd(softening2), one = _mm512_set1_pd(1);
  const __m512d c1 = _mm512_set1_pd(1.5), c2 = _mm512_set1_pd(15.0 / 8);
  const __m512d c3 = _mm512_set1_pd(35.0 / 16), c4 = _mm512_set1_pd(315.0 / 128);
  for (size_t j = 0; j < padded; j += 8) {
    const __m512d list_x = _mm512_loadu_pd(&list.x[j]), list_y = _mm512_loadu_pd(&list.y[j]);
    const __m512d list_z = _mm512_loadu_pd(&list.z[j]), mass = _mm512_loadu_pd(&list.mass[j]);
    for (int t = 0; t < Count; ++t) {
      const __m512d dx = _mm512_sub_pd(list_x, x[t]), dy = _mm512_sub_pd(list_y, y[t]);
      const __m512d dz = _mm512_sub_pd(list_z, z[t]);
      const __m512d r2 =
          _mm512_fmadd_pd(dz, dz, _mm512_fmadd_pd(dy, dy, _mm512_fmadd_pd(dx, dx, soft)));
      const __m512d root = _mm512_rsqrt14_pd(r2), square = _mm512_mul_pd(root, root);
      const __m512d e = _mm512_fnmadd_pd(r2, square, one);
      __m512d series = _mm512_fmadd_pd(e, c4, c3);
      series = _mm512_fmadd_pd(e, series, c2);
      series = _mm512_fmadd_pd(e, series, c1);
      series = _mm512_fmadd_pd(e, series, one);
      const __m512d pull = _mm512_mul_pd(_mm512_mul_pd(_mm512_mul_pd(mass, root), square), series);
      ax[t] = _mm512_fmadd_pd(dx, pull, ax[t]);
      ay[t] = _mm512_fmadd_pd(dy, pull, ay[t]);
      az[t] = _mm512_fmadd_pd(dz, pull, az[t]);
    }
  }
  for (int t = 0; t < Count; ++t) {
    targets.acceleration_x[first + t] = _mm512_reduce_add_pd(ax[t]);
    targets.acceleration_y[first + t] = _mm512_reduce_add_pd(ay[t]);
    targets.acceleration_z[first + t] = _mm512_reduce_add_pd(az[t]);
  }
}

template <typename Real>
__attribute__((always_inline)) inline void sum_by_roots(const List<Real>& list, size_t padded,
                                                        Real softening2,
                                                        const Targets<Real>& targets,
                                                        size_t target) {
  const Real *px = list.x.data(), *py = list.y.data(), *pz = list.z.data();
  const Real *mass = list.mass.data(), x = targets.x[target], y = targets.y[target];
  const Real z = targets.z[target];
  Real ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
  for (size_t j = 0; j < padded; ++j) {
    const Real dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
    const Real root = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
    const Real pull = mass[j] * root * root * root;
    ax += dx * pull, ay += dy * pull, az += dz * pull;
  }
  targets.acceleration_x[target] = ax;
  targets.acceleration_y[target] = ay;
  targets.acceleration_z[target] = az;
}

// Overloads, because a template has no clones.
#define FOR_VECTORS __attribute__((target_clones("arch=x86-64-v3", "default"))) void

FOR_VECTORS pulls_by_roots(const List<float>& list, size_t padded, float softening2,
                           const Targets<float>& targets, size_t target) {
  sum_by_roots(list, padded, softening2, targets, target);
}
FOR_VECTORS pulls_by_roots(const List<double>& list, size_t padded, double softening2,
                           const Targets<double>& targets, size_t target) {
  sum_by_roots(list, padded, softening2, targets, target);
}

template <typename Real>
void set_pulls_of(List<Real>& list, Real softening2, const Targets<Real>& targets) {
  static const bool avx512 = __builtin_cpu_supports("avx512f");
  const size_t padded = list.pad();
  size_t target = 0;
  if (avx512) {
    constexpr int together = 4;
    for (; target + together <= targets.count; target += together) {
      pulls_avx512<together>(list, padded, softening2, targets, target);
    }
    for (; target < targets.count; ++target) {
      pulls_avx512<1>(list, padded, softening2, targets, target);
    }
  }
  for (; target < targets.count; ++target) {
    pulls_by_roots(list, padded, softening2, targets, target);
  }
}

}  // namespace

void set_pulls(List<float>& list, float softening2, const Targets<float>& targets) {
  set_pulls_of(list, softening2, targets);
}
void set_pulls(List<double>& list, double softening2, const Targets<double>& targets) {
  set_pulls_of(list, softening2, targets);
}

}  // namespace barnes_hut
