// What a profiler counts of an access, from where its lanes' addresses lie.
#include "sim/access_pattern.h"

#include <algorithm>
#include <bit>

namespace headroom::sim {
namespace {

// What chooses a clone runs before the thread sanitizer is ready.
#ifdef __SANITIZE_THREAD__
#define HEADROOM_CLONES
#else
#define HEADROOM_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#endif

constexpr uint32_t no_word = ~0u;  // equals no number and, as −1, is less than all

// The 4-byte word in which an address lies, of less than 4 GiB on either side of the first lane's;
// from so high a number on that none is negative. Its bank is the number modulo 32.
inline uint32_t word_of(uint64_t address) { return uint32_t(address >> 2) + (1u << 30); }

// The words of the fullest bank of one pass, whose first 4-byte words these are, `no_word` where no lane
// takes part. Lanes that want the same word share it. An access is aligned to its width, so two
// lanes have all their words in common or none, and the banks of a lane's further words are as full
// as that of its first.
HEADROOM_CLONES
int fullest_bank(const uint32_t* words, int n) {
  uint32_t padded[2 * lanes], again[lanes];
  for (uint32_t& word : padded) word = no_word;
  uint32_t* const word = padded + lanes;  // of those that take part
  int active = 0;
  uint32_t banks = 0;
  for (int i = 0; i < n; ++i) {
    const uint32_t runs = words[i] != no_word;
    word[active] = words[i];
    banks |= runs << words[i] % 32;
    active += int(runs);
  }
  // Where no two lanes share a bank there is no more to find out.
  if (std::popcount(banks) == active) return active > 0;
  uint32_t falls = 0, rises = 0;
  for (int i = 0; i < lanes; ++i) {
    const uint32_t is = word[i] != no_word, was = word[i - 1] != no_word;
    falls |= is & was & uint32_t(int32_t(word[i]) < int32_t(word[i - 1]));
    rises |= is & was & uint32_t(int32_t(word[i]) > int32_t(word[i - 1]));
    again[i] = uint32_t(word[i] == word[i - 1]) | (is ^ 1);
  }
  if (falls & rises) {  // in no order: equal words need not be neighbours
    for (int back = 2; back < active; ++back) {
      for (int i = 0; i < lanes; ++i) again[i] |= uint32_t(word[i] == word[i - back]);
    }
  }
  int in_bank[32] = {}, highest = 0;
  for (int i = 0; i < active; ++i)
    highest = std::max(highest, in_bank[word[i] % 32] += int(again[i] == 0));
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
HEADROOM_CLONES
void analyse_global(AccessPattern& pattern) {
  int64_t sector[lanes], lowest = INT64_MAX, highest = INT64_MIN;
  for (int i = 0; i < lanes; ++i) {
    sector[i] = int64_t(pattern.phase + pattern.delta[i]) >> 5;
    lowest = sector[i] < lowest ? sector[i] : lowest;
    highest = sector[i] > highest ? sector[i] : highest;
  }
  if (highest - lowest >= INT32_MAX) return far_sectors(pattern, sector);

  uint32_t padded[2 * lanes], again[lanes];
  for (int i = 0; i < lanes; ++i) padded[i] = no_word;
  for (int i = 0; i < lanes; ++i) padded[lanes + i] = uint32_t(sector[i] - lowest);
  const uint32_t* number = padded + lanes;
  uint32_t falls = 0;
  for (int i = 0; i < lanes; ++i) falls |= uint32_t(int32_t(number[i]) < int32_t(number[i - 1]));
  for (int i = 0; i < lanes; ++i) again[i] = number[i] == number[i - 1] ? no_word : 0;
  if (falls) {
    for (int back = 2; back < lanes; ++back) {
      for (int i = 0; i < lanes; ++i) again[i] |= number[i] == number[i - back] ? no_word : 0;
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
// side, so a sector holds one word of eight lanes. Each lane's words are counted but for those that
// one before it, of its eight, has too: an access is aligned to its width, so they have all or none.
HEADROOM_CLONES
void analyse_local(AccessPattern& pattern) {
  constexpr int together = 8, groups = lanes / together;
  uint32_t padded[groups][2 * together], again[groups][together];
  for (int i = 0; i < lanes; ++i) {
    const bool runs = pattern.mask >> i & 1;
    padded[i / together][i % together] = no_word;
    padded[i / together][together + i % together] =
        runs ? word_of(pattern.phase + pattern.delta[i]) : no_word;
    again[i / together][i % together] = !runs;
  }
  for (int back = 1; back < together; ++back) {
    for (int group = 0; group < groups; ++group) {
      const uint32_t* word = padded[group] + together;
      for (int i = 0; i < together; ++i) again[group][i] |= uint32_t(word[i] == word[i - back]);
    }
  }
  uint32_t n = 0;
  for (int i = 0; i < lanes; ++i) n += again[i / together][i % together] == 0;
  pattern.sectors = uint16_t(n * uint32_t(std::max(1, pattern.bytes / 4)));
}

// Shared memory (sm_70 and later): 32 banks of 4 bytes. Up to 4 bytes a lane: one pass. 8 bytes: a
// pass per half warp, one if they merge. 16 bytes: a pass per quarter, and per half if they merge.
// A pass takes as many wavefronts as words of its fullest bank; those beyond the first are
// conflicts.
void analyse_shared(AccessPattern& pattern) {
  const int parts = pattern.bytes <= 4 ? 1 : pattern.bytes == 8 ? 2 : 4;
  const uint32_t part_lanes = parts == 1 ? all_lanes : (1u << (lanes / parts)) - 1;
  pattern.wavefronts = pattern.conflicts = 0;
  auto serve = [&](uint32_t part) {
    const uint32_t running = pattern.mask & part;
    if (running == 0) return;
    const int first = std::countr_zero(part), n = lanes - std::countl_zero(part) - first;
    uint32_t word[lanes];
    for (int i = 0; i < n; ++i)
      word[i] =
          running >> (first + i) & 1 ? word_of(pattern.phase + pattern.delta[first + i]) : no_word;
    const int wavefronts = fullest_bank(word, n);
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

int wavefronts_in_l1(const AccessPattern& pattern) {
  const int part = lanes / (pattern.bytes <= 4 ? 1 : pattern.bytes == 8 ? 2 : 4);
  int wavefronts = 0;
  for (int first = 0; first < lanes; first += part) {
    uint32_t word[lanes];
    for (int i = 0; i < part; ++i)
      word[i] = pattern.mask >> (first + i) & 1 ? word_of(pattern.phase + pattern.delta[first + i])
                                                : no_word;
    wavefronts += fullest_bank(word, part);
  }
  return wavefronts;
}

void analyse_matrix_rows(AccessPattern& pattern) {
  pattern.wavefronts = pattern.conflicts = 0;
  for (int matrix = 0; matrix < lanes && pattern.mask >> matrix; matrix += 8) {
    uint32_t row[8];
    for (int i = 0; i < 8; ++i) row[i] = word_of(pattern.delta[matrix + i]);
    const int wavefronts = fullest_bank(row, 8);
    pattern.wavefronts = uint16_t(pattern.wavefronts + wavefronts);
    pattern.conflicts = uint16_t(pattern.conflicts + wavefronts - 1);
  }
}

}  // namespace headroom::sim
