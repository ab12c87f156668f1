// Which kernel computes a product on tensor cores, and into how many parts its k is cut: the one that a small model
// says is done first, as in any_choice.h, which has the terms of it. No CUDA in here.
//
//   const TensorChoice choice = choose_tensor(341, 222, 2002, false, 132);
//
// Tiles of 3 x TF32 split A and B on their way; two terms of f16 (tensor_product.h) want passes over A and B before
// the product, and twice the speed pays for them where all sides are long. Some products of few
// columns are read faster than tensor cores want them: those stay with any_shape.
#pragma once
#include "studies/sgemm/any_choice.h"

namespace sgemm {

constexpr TileTimes tensor_tile_times[] = {
    {128, 128, 32, 1, 2.22f, 0.984f, 3.16f, 4.48f, 1.0f},
    {128, 64, 32, 2, 1.32f, 1.45f, 1.6f, 1.98f, 1.0f},
    {64, 128, 32, 2, 1.34f, 1.63f, 1.57f, 1.65f, 0.909f},
    {64, 64, 32, 3, 0.857f, 0.33f, 0.765f, 1.21f, 1.0f},
    {32, 128, 32, 3, 0.733f, 0.992f, 0.654f, 0.784f, 0.964f},
    {128, 32, 32, 3, 0.74f, 0.905f, 0.859f, 1.18f, 1.0f},
    {32, 64, 32, 4, 0.478f, 0.701f, 0.422f, 0.366f, 1.02f},
    {64, 32, 32, 4, 0.458f, 0.637f, 0.618f, 0.688f, 1.1f},
    {16, 128, 32, 3, 0.638f, 0.668f, 0.104f, 2.31f, 1.0f},
    {128, 16, 32, 3, 0.589f, 0.835f, 0.661f, 0.604f, 1.0f},
    {128, 8, 64, 2, 1.19f, 0.696f, 2.61f, 5.72f, 1.0f},
    {128, 24, 32, 2, 0.722f, 0.856f, 1.02f, 1.69f, 1.1f},
    {32, 128, 8, 4, 0.166f, 0.00442f, 0.619f, 1.28f, 1.0f},
    {64, 128, 8, 2, 0.293f, 0.0987f, 1.11f, 1.88f, 1.0f},
    {64, 64, 8, 4, 0.212f, 0.413f, 0.256f, 3.05f, 1.0f},
    {128, 32, 8, 4, 0.175f, 0.968f, 0.887f, 0.2f, 1.0f},
};
constexpr CommonTimes tensor_common_times = {3.26f,     0.656f,    7.75e-06f, 1.7f,
                                             5.56e-05f, 1.24e-07f, 4.19e-07f};

// Of two terms of f16, which want passes over A and B: launches, bytes of A and B and of C, a step of 64 k of a tile on
// every SM, a tile, and one that blocks share.
struct TermsTimes {
  float launches, byte, byte_of_c, step, tile, shared;
};
constexpr TermsTimes terms_times = {12.9f, 1.05e-06f, 3.03e-07f, 2.27f, 5.66f, 15.3f};

inline float time_of(const TermsTimes& terms, int m, int n, int k, int sms) {
  const int64_t tiles = parts_of(m, 128) * parts_of(n, 256), steps = parts_of(k, 64);
  const int64_t whole = tiles / sms, left = tiles % sms;
  float time = terms.launches + terms.byte * 4 * k * (float(m) + n) + terms.byte_of_c * 4 * m * n +
               whole * (steps * terms.step + terms.tile);
  if (left) {
    const int64_t slices = std::clamp<int64_t>(sms / left, 1, parts_of(k, 256));
    time += parts_of(steps, slices) * terms.step + terms.tile + (slices > 1 ? terms.shared : 0);
  }
  return time;
}

// Tiles whose steps are shorter than 32 promote no sums.
constexpr int most_shallow_k = 64;
inline bool suits(const TileTimes& tile, int k) { return tile.depth >= 32 || k <= most_shallow_k; }

enum class TensorKernel { tiles, terms, any_shape };

struct TensorChoice {
  TensorKernel kernel = TensorKernel::tiles;
  int tile = 0;  // of tensor_tile_times
  Cut cut;
  float time = 1e30f;  // microseconds, by the model

  void consider(const TensorChoice& other) {
    if (other.time < time) *this = other;
  }
};

// `fours`: rows of B begin at multiples of 16 bytes. `sixteens`: A and B do, which tiles want.
inline TensorChoice choose_tensor(int m, int n, int k, bool fours, bool sixteens, int sms) {
  TensorChoice best;
  best.consider({TensorKernel::any_shape, 0, {}, choose(m, n, k, fours, sms).time});
  if (k > 0) best.consider({TensorKernel::terms, 0, {}, time_of(terms_times, m, n, k, sms)});
  if (!sixteens) return best;
  for (int i = 0; i < int(std::size(tensor_tile_times)); ++i) {
    const TileTimes& tile = tensor_tile_times[i];
    if (!suits(tile, k)) continue;
    const int64_t tiles = parts_of(m, tile.rows) * parts_of(n, tile.columns);
    for (const Cut& cut : cuts) {
      const bool too_many = tiles * cut.splits > 3ll * sms * tile.resident;
      if (cut.splits > 1 && (too_many || k / cut.splits < 2 * tile.depth)) break;
      const float time = time_of(tile, tensor_common_times, m, n, k, true, cut, sms);
      best.consider({TensorKernel::tiles, i, cut, time});
    }
  }
  return best;
}

}  // namespace sgemm
