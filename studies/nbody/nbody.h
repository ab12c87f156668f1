// All pairs: the acceleration that each of n bodies owes to all, with the gravitational constant 1,
//
//   a_i = sum over j of  m_j d / (|d|^2 + softening^2)^(3/2),   d = r_j - r_i
//
// An interaction is 3 subtractions, 3 multiply-adds, a reciprocal square root, 3 multiplications
// and 3 multiply-adds: 12 instructions and the root; 20 operations as the source counts them.
// Softening is above 0, so that a body's interaction with itself, or with one at its place, is 0
// and no accident.
//
//   thread_per_body.launch(problem);      // asynchronous, on the default stream
//
// Source of the ladder: M. Burtscher, "CUDA Optimization Tutorial", slides, part I.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace nbody {

template <typename Real>
struct Body {
  Real x, y, z, mass;
  Real velocity_x, velocity_y, velocity_z;
  Real acceleration_x, acceleration_y, acceleration_z;
};

// Four values that are loaded at once.
template <typename Real>
struct alignas(4 * sizeof(Real)) Point {
  Real x, y, z, mass;
};

// The bodies in every layout that a rung asks for; a rung writes accelerations into its own.
template <typename Real>
struct Problem {
  int n;
  Real softening2;
  Body<Real>* structs;
  const Real *x, *y, *z, *mass;
  const Point<Real>* points;
  Real *acceleration_x, *acceleration_y, *acceleration_z;  // one behind the other
};

// Before sums that several blocks share.
template <typename Real>
void clear_accelerations(const Problem<Real>& p) {
  cudaMemsetAsync(p.acceleration_x, 0, 3 * p.n * sizeof(Real));
}

struct Rung {
  const char* name;
  void (*single_precision)(const Problem<float>&);
  void (*double_precision)(const Problem<double>&);
  bool structs = false;  // reads and writes structs
  int most = 1 << 24;    // more bodies would take minutes
  bool kept = true;      // the next rung builds on this one

  void launch(const Problem<float>& problem) const { single_precision(problem); }
  void launch(const Problem<double>& problem) const { double_precision(problem); }
};

constexpr int block_size = 256;  // threads a block, as in the source
inline int blocks_over(int n, int per_block) { return (n - 1) / per_block + 1; }

// For sums that several blocks share: how many of `n` terms a block takes, a multiple of `unit`, so
// that with `blocks` blocks a piece there are thousands of blocks, but no more than there are
// units.
inline int piece_of(int n, int blocks, int unit) {
  constexpr int enough = 4096;
  const int pieces = blocks_over(enough, blocks);
  return blocks_over(blocks_over(n, pieces), unit) * unit;
}

extern const Rung one_thread, thread_per_body, scalar_arrays, constant_parameters, reciprocal_root,
    two_loops, shared_tile, unroll_8, no_test, fused_terms, unroll_128, flush, samples_manner,
    cut_sum, bodies_per_thread, uniform_bodies, two_banks, symmetric_pairs;

// The ladder, from the ground up: the source's twelve steps, a peer, and what follows.
constexpr const Rung* rungs[] = {&one_thread,          &thread_per_body, &scalar_arrays,
                                 &constant_parameters, &reciprocal_root, &two_loops,
                                 &shared_tile,         &unroll_8,        &no_test,
                                 &fused_terms,         &unroll_128,      &flush,
                                 &samples_manner,      &cut_sum,         &bodies_per_thread,
                                 &uniform_bodies,      &two_banks,       &symmetric_pairs};

// The rung that this one builds on; null for the first.
inline const Rung* before(const Rung* rung) {
  const Rung* last = nullptr;
  for (const Rung* each : rungs) {
    if (each == rung) return last;
    if (each->kept) last = each;
  }
  return nullptr;
}

}  // namespace nbody
