// Which kernel computes a product, and into how many parts its k is cut: the one that a small model says is
// done first. No CUDA in here.
//
//   const Choice choice = choose(341, 222, 2002, false, 132);     // tiles of 32 x 64, 8 blocks each in a cluster
//
// The time of tiles: waves of blocks, as many on an SM as fit; a wave takes what its blocks
// need of the SM, or what a lone block waits for, whichever is longer; then what it costs to
// add the parts; and never less than to read A and B and write C. The numbers were fitted to the times of 200
// random shapes on an H100 (results/h100/sgemm_tuning.json), and tried on others.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>

namespace sgemm {

struct TileTimes {
  int rows, columns, depth, resident;  // of a block, and blocks on an SM
  float busy, wait;                    // microseconds a step: of the SM, and of a block alone
  float busy_block, wait_block;        // and a block, beside its steps
  float ones;  // how much longer a step takes whose B comes by fours of bytes
};

// What all kernels have in common, in microseconds.
struct CommonTimes {
  float launch;
  float cluster, cluster_byte;  // to add within a cluster: at all, and by bytes of a tile
  float parts, parts_byte;      // between clusters
  float byte, byte_of_a;        // of B and C, of A
};

// stream_k: a step whose B comes by sixteens of bytes or by fours, the end of a tile, shared tiles;
// and to copy B to rows that begin at multiples of 16 bytes.
struct RingTimes {
  float fours, ones, tile, shared, copy, copied_byte;
};

struct FewTimes {
  float launch, byte;
};

struct Cut {
  int splits = 1, cluster = 1;  // blocks that share a tile, and how many of them are a cluster
};

inline int64_t parts_of(int64_t extent, int64_t part) { return (extent + part - 1) / part; }

// Not every SM can have its block of a cluster of four or eight: measured on an H100, 124 of 132 can at most.
inline int sms_for_clusters(int sms) { return sms - sms / 11; }

inline float time_of(const TileTimes& tile, const CommonTimes& common, int m, int n, int k,
                     bool fours, Cut cut, int all_sms) {
  const int sms = cut.cluster > 2 ? sms_for_clusters(all_sms) : all_sms;
  const int64_t blocks = parts_of(m, tile.rows) * parts_of(n, tile.columns) * cut.splits;
  const int64_t wave = int64_t(sms) * tile.resident, full = blocks / wave;
  const float steps = parts_of(parts_of(k, tile.depth), cut.splits) * (fours ? 1 : tile.ones);
  const auto wave_time = [&](float on_an_sm) {
    return std::max(steps * tile.wait + tile.wait_block,
                    on_an_sm * (steps * tile.busy + tile.busy_block));
  };
  float time = full * wave_time(float(tile.resident));
  if (blocks > full * wave) time += wave_time(float(parts_of(blocks - full * wave, sms)));
  const float bytes = 4.f * tile.rows * tile.columns;
  const int parts = cut.splits / cut.cluster;
  if (cut.cluster > 1) time += common.cluster + common.cluster_byte * bytes;
  if (parts > 1) time += common.parts + common.parts_byte * bytes * parts / cut.cluster;
  const float memory = common.byte_of_a * 4 * m * k + common.byte * 4 * n * (float(k) + m);
  return common.launch + std::max(time, memory);
}

inline float time_of(const RingTimes& ring, const CommonTimes& common, int m, int n, int k,
                     bool fours, bool copied, int sms) {
  const int64_t tiles = parts_of(m, 128) * parts_of(n, 256), steps = tiles * parts_of(k, 8);
  const int64_t blocks = std::min<int64_t>(sms, parts_of(steps, 16));
  float time = common.launch + float(steps) / blocks * (fours || copied ? ring.fours : ring.ones) +
               parts_of(tiles, blocks) * ring.tile;
  if (tiles % blocks != 0) time += ring.shared;
  if (copied) time += ring.copy + ring.copied_byte * 4 * k * n;
  return time;
}

constexpr TileTimes tile_times[] = {
    {64, 64, 16, 5, 0.363f, 0.162f, 0.423f, 2.64f, 1.21f},
    {24, 256, 16, 4, 0.598f, 0.501f, 0.813f, 1.62f, 1.14f},
    {128, 32, 16, 5, 0.441f, 2.02e-05f, 0.625f, 2.0f, 1.04f},
    {64, 96, 16, 4, 0.515f, 0.526f, 0.65f, 1.47f, 1.06f},
    {16, 256, 16, 3, 0.472f, 0.199f, 0.663f, 3.69f, 1.11f},
    {128, 48, 16, 4, 0.549f, 0.00267f, 0.955f, 3.85f, 1.11f},
    {48, 128, 16, 4, 0.579f, 5.42e-05f, 0.567f, 4.38f, 1.1f},
    {128, 16, 32, 4, 0.674f, 0.461f, 0.46f, 2.16f, 1.05f},
    {32, 64, 32, 5, 0.473f, 0.00113f, 0.32f, 1.55f, 1.23f},
    {32, 128, 16, 5, 0.396f, 0.724f, 0.575f, 0.704f, 1.12f},
};
constexpr CommonTimes common_times = {4.3f,      1.15f,     3.78e-05f, 3.48f,
                                      4.16e-05f, 3.73e-07f, 4.76e-07f};
constexpr RingTimes ring_times = {1.16f, 1.45f, 9.97f, 8.85f, 22.0f, 1.72e-06f};
constexpr FewTimes few_times = {16.6f, 3.56e-07f};
constexpr int most_few_columns = 2;

enum class Kernel { few_columns, stream_k, stream_k_of_copy, tiles };

struct Choice {
  Kernel kernel = Kernel::tiles;
  int tile = 0;  // of tile_times
  Cut cut;
  float time = 1e30f;  // microseconds, by the model

  void consider(const Choice& other) {
    if (other.time < time) *this = other;
  }
};

// Ways to share the k of a tile that were measured.
constexpr Cut cuts[] = {{1, 1},  {2, 2},  {2, 1},  {3, 1},  {4, 4},  {4, 1},  {6, 1},
                        {8, 8},  {8, 4},  {12, 4}, {12, 1}, {16, 8}, {16, 4}, {24, 8},
                        {32, 8}, {48, 8}, {64, 8}, {96, 8}, {128, 8}};

inline int splits_of_few_columns(int m, int k, int sms) {
  const int blocks = int(parts_of(m, 32));
  return std::clamp(std::min(k / 1024, 16 * sms / blocks), 1, 64);
}

// `fours`: rows of B begin at multiples of 16 bytes.
inline Choice choose(int m, int n, int k, bool fours, int sms) {
  Choice best;
  if (n <= most_few_columns) {
    const float time = few_times.launch + few_times.byte * 4 * m * k;
    best.consider({Kernel::few_columns, 0, {splits_of_few_columns(m, k, sms), 1}, time});
  }
  if (k > 64) {
    const auto time = [&](bool copied) {
      return time_of(ring_times, common_times, m, n, k, fours, copied, sms);
    };
    best.consider({Kernel::stream_k, 0, {}, time(false)});
    if (!fours) best.consider({Kernel::stream_k_of_copy, 0, {}, time(true)});
  }
  for (int i = 0; i < int(std::size(tile_times)); ++i) {
    const TileTimes& tile = tile_times[i];
    const int64_t tiles = parts_of(m, tile.rows) * parts_of(n, tile.columns);
    for (const Cut& cut : cuts) {
      const bool too_many = tiles * cut.splits > 3ll * sms * tile.resident;
      if (cut.splits > 1 && (too_many || k / cut.splits < 2 * tile.depth)) break;
      const float time = time_of(tile, common_times, m, n, k, fours, cut, sms);
      best.consider({Kernel::tiles, i, cut, time});
    }
  }
  return best;
}

}  // namespace sgemm
