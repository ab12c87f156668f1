// See candidates.h: the distances by vectors, a piece of the candidates at a time; then each candidate is
// written to the end of all three results, and only one of them becomes longer. That is no branch
// to mispredict.
#include "studies/barnes_hut/host/candidates.h"

namespace barnes_hut {

namespace {

constexpr size_t piece = 256;
enum Fate : int { one, undecided, open };

template <typename Real>
__attribute__((always_inline)) inline void find_fates(const Decision<Real>& decision,
                                                      const Candidates<Real>& candidates,
                                                      size_t begin, size_t count, int* fates) {
  const Real *x = &candidates.x[begin], *y = &candidates.y[begin], *z = &candidates.z[begin];
  const Real* edge2 = &candidates.edge2[begin];
  const Box<Real> box = decision.box;
  const Real theta2 = decision.theta2, max_theta2 = decision.last ? 0 : theta2;
#pragma omp simd
  for (size_t i = 0; i < count; ++i) {
    Real nearest2 = 0, farthest2 = 0;
    const Real at[3] = {x[i], y[i], z[i]};
    for (int axis = 0; axis < 3; ++axis) {
      const Real below = box.least[axis] - at[axis], above = at[axis] - box.most[axis];
      const Real out = below > above ? below : above, outside = out > 0 ? out : 0;
      const Real across = below < above ? -below : -above;
      nearest2 += outside * outside, farthest2 += across * across;
    }
    fates[i] = edge2[i] < theta2 * nearest2        ? one
               : edge2[i] < max_theta2 * farthest2 ? undecided
                                                   : open;
  }
}

// Overloads, because a template has no clones.
#define FOR_VECTORS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))) void

FOR_VECTORS fates(const Decision<float>& decision, const Candidates<float>& candidates,
                  size_t begin, size_t count, int* fates) {
  find_fates(decision, candidates, begin, count, fates);
}
FOR_VECTORS fates(const Decision<double>& decision, const Candidates<double>& candidates,
                  size_t begin, size_t count, int* fates) {
  find_fates(decision, candidates, begin, count, fates);
}

template <typename Real>
void decide_pieces(const Decision<Real>& decision, const Candidates<Real>& candidates, size_t begin,
                   size_t end, const Results<Real>& results) {
  auto& [list, later, open_cells] = results;
  list.reserve(end - begin);
  later.reserve(end - begin);
  size_t opened = open_cells.size();
  open_cells.resize(opened + (end - begin) + 1);
  int fate[piece];
  for (size_t first = begin; first < end; first += piece) {
    const size_t count = std::min(piece, end - first);
    fates(decision, candidates, first, count, fate);
    for (size_t i = 0; i < count; ++i) {
      const size_t from = first + i;
      const Real x = candidates.x[from], y = candidates.y[from], z = candidates.z[from];
      const Real mass = candidates.mass[from], edge2 = candidates.edge2[from];
      const int cell = candidates.cell[from];
      const size_t l = list.size, u = later.size;
      list.x[l] = x, list.y[l] = y, list.z[l] = z, list.mass[l] = mass;
      later.x[u] = x, later.y[u] = y, later.z[u] = z, later.mass[u] = mass;
      later.edge2[u] = edge2, later.cell[u] = cell;
      open_cells[opened] = cell;
      list.size += fate[i] == one;
      later.size += fate[i] == undecided;
      opened += fate[i] == open;
    }
  }
  open_cells.resize(opened);
}

}  // namespace

void decide(const Decision<float>& decision, const Candidates<float>& candidates, size_t begin,
            size_t end, const Results<float>& results) {
  decide_pieces(decision, candidates, begin, end, results);
}
void decide(const Decision<double>& decision, const Candidates<double>& candidates, size_t begin,
            size_t end, const Results<double>& results) {
  decide_pieces(decision, candidates, begin, end, results);
}

}  // namespace barnes_hut
