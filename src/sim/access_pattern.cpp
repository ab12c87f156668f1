// What a profiler counts of an access, from where its lanes' addresses lie.
#include "sim/access_pattern.h"

#include <algorithm>
#include <bit>

namespace headroom::sim {
namespace {

struct Lane {
  uint64_t address;
  int lane;
};

int active_lanes(const AccessPattern& pattern, Lane* out) {
  int n = 0;
  for (uint32_t left = pattern.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    out[n++] = {pattern.phase + pattern.delta[lane], lane};
  }
  return n;
}

// Words in the fullest bank of one pass. Lanes that want the same word share it. `words` is 4-byte
// words a lane.
int fullest_bank(const uint64_t* address, int n, int words) {
  uint64_t seen[lanes * 4];
  int count = 0;
  for (int i = 0; i < n; ++i) {
    for (int w = 0; w < words; ++w) seen[count++] = address[i] / 4 + uint64_t(w);
  }
  std::sort(seen, seen + count);
  count = int(std::unique(seen, seen + count) - seen);
  int in_bank[32] = {}, highest = 0;
  for (int i = 0; i < count; ++i) highest = std::max(highest, ++in_bank[seen[i] % 32]);
  return highest;
}

// Parts of a warp are served together if every running lane's neighbour (i ^ 1, or i ^ 2), all over
// the warp, idles or wants the same address.
bool merges(const AccessPattern& pattern, int neighbour) {
  for (uint32_t left = pattern.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left), other = lane ^ neighbour;
    if ((pattern.mask >> other & 1) && pattern.delta[lane] != pattern.delta[other]) return false;
  }
  return true;
}

// Sectors too far apart for 32 bits to tell them apart.
[[gnu::noinline]] void far_sectors(AccessPattern& pattern, int64_t (&sector)[lanes]) {
  std::sort(sector, sector + lanes);
  const auto n = std::unique(sector, sector + lanes) - sector;
  std::copy(sector, sector + n, pattern.sector);
  pattern.sectors = uint16_t(n);
  pattern.consecutive = false;
}

}  // namespace

// Global memory: the distinct 32-byte sectors. An aligned access of up to 32 bytes lies in one.
// Idle lanes lie in the first one's. Lanes that lie anywhere are the slow case, so every number is
// compared with those before it by whole vectors instead of being sorted.
#ifndef __SANITIZE_THREAD__  // what chooses a clone runs before the sanitizer is ready
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
void analyse_global(AccessPattern& pattern) {
  int64_t sector[lanes], lowest = INT64_MAX, highest = INT64_MIN;
  for (int i = 0; i < lanes; ++i) {
    sector[i] = int64_t(pattern.phase + pattern.delta[i]) >> 5;
    lowest = sector[i] < lowest ? sector[i] : lowest;
    highest = sector[i] > highest ? sector[i] : highest;
  }
  if (highest - lowest >= INT32_MAX) return far_sectors(pattern, sector);

  constexpr uint32_t none = ~0u;  // equals no number and, as −1, is less than all
  uint32_t padded[2 * lanes], again[lanes];
  for (int i = 0; i < lanes; ++i) padded[i] = none;
  for (int i = 0; i < lanes; ++i) padded[lanes + i] = uint32_t(sector[i] - lowest);
  const uint32_t* number = padded + lanes;
  uint32_t falls = 0;
  for (int i = 0; i < lanes; ++i) falls |= uint32_t(int32_t(number[i]) < int32_t(number[i - 1]));
  for (int i = 0; i < lanes; ++i) again[i] = number[i] == number[i - 1] ? none : 0;
  if (falls) {
    for (int back = 2; back < lanes; ++back) {
      for (int i = 0; i < lanes; ++i) again[i] |= number[i] == number[i - back] ? none : 0;
    }
  }
  int n = 0;
  for (int i = 0; i < lanes; ++i) {
    pattern.sector[n] = sector[i];
    n += again[i] == 0;
  }
  pattern.sectors = uint16_t(n);
  pattern.consecutive = highest - lowest == n - 1;
  if (!pattern.consecutive) return;
  for (int i = 0; i < n; ++i) pattern.sector[i] = lowest + i;
}

// Local memory is interleaved: the 4-byte words of the 32 lanes at one local address lie side by
// side, so a sector holds one word of eight lanes.
void analyse_local(AccessPattern& pattern) {
  Lane lane[lanes];
  int64_t sector[lanes * 4];
  const int n = active_lanes(pattern, lane);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const int words = std::max(1, pattern.bytes / 4);
    for (int w = 0; w < words; ++w)
      sector[count++] = ((int64_t(lane[i].address) >> 2) + w) * 4 + lane[i].lane / 8;
  }
  std::sort(sector, sector + count);
  pattern.sectors = uint16_t(std::unique(sector, sector + count) - sector);
}

// Shared memory (sm_70 and later): 32 banks of 4 bytes. Up to 4 bytes a lane: one pass. 8 bytes: a
// pass per half warp, one if they merge. 16 bytes: a pass per quarter, and per half if they merge.
// A pass takes as many wavefronts as words of its fullest bank; those beyond the first are
// conflicts.
void analyse_shared(AccessPattern& pattern) {
  const int parts = pattern.bytes <= 4 ? 1 : pattern.bytes == 8 ? 2 : 4;
  const int words = std::max(1, pattern.bytes / 4);
  const uint32_t part_lanes = parts == 1 ? all_lanes : (1u << (lanes / parts)) - 1;
  pattern.wavefronts = pattern.conflicts = 0;
  auto serve = [&](uint32_t part) {
    uint64_t address[lanes];
    int n = 0;
    for (uint32_t left = pattern.mask & part; left; left &= left - 1) {
      address[n++] = pattern.phase + pattern.delta[std::countr_zero(left)];
    }
    if (n == 0) return;
    const int wavefronts = fullest_bank(address, n, words);
    pattern.wavefronts = uint16_t(pattern.wavefronts + wavefronts);
    pattern.conflicts = uint16_t(pattern.conflicts + wavefronts - 1);
  };
  const bool merged = parts > 1 && (merges(pattern, 1) || merges(pattern, 2));
  if (parts == 1) {
    serve(all_lanes);
  } else if (parts == 2) {
    if (merged)
      serve(all_lanes);
    else
      serve(0xffffu), serve(0xffff0000u);
  } else {
    for (const uint32_t half : {0xffffu, 0xffff0000u}) {
      if (merged)
        serve(half);
      else
        serve(half & (part_lanes | part_lanes << 16)),
            serve(half & ~(part_lanes | part_lanes << 16));
    }
  }
}

void analyse_matrix_rows(AccessPattern& pattern) {
  pattern.wavefronts = pattern.conflicts = 0;
  for (int matrix = 0; matrix < lanes && pattern.mask >> matrix; matrix += 8) {
    const int wavefronts = fullest_bank(pattern.delta + matrix, 8, 4);
    pattern.wavefronts = uint16_t(pattern.wavefronts + wavefronts);
    pattern.conflicts = uint16_t(pattern.conflicts + wavefronts - 1);
  }
}

}  // namespace headroom::sim
