// How the lanes of an access lie, and what a profiler counts of it (access_pattern.cpp), by vectors: one
// pass over 32 addresses instead of a comparison of each with each. For what changes with every access
// (gathers, tables, hashes), where nothing is gained by remembering.
//
//   32 addresses   ->   delta, layout, low and high   ->   which lanes no lane before shares a sector with
//
// What is counted so lies within 1 GiB; else, and on other processors, the plain count is asked.
#include "sim/lanes/pattern.h"

#include <bit>
#include <utility>

#ifdef __AVX512CD__
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // of __Y = __Y: GCC's bug 105593
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace headroom::sim::HEADROOM_ISA {
namespace {

struct Lie {
  bool differs;  // some lane's address from the first one's
  bool strays;   // some lane from where it were if all lay side by side
  bool misaligned;
  bool within;  // some lane's place in its sector from the first one's
  int64_t low, high;
};

// Fills in delta and delta32.
inline Lie plain_lie(uint64_t first, uint64_t bytes, const uint64_t* address,
                     AccessPattern& pattern) {
  uint64_t differs = 0, strays = 0, address_bits = 0;
  int64_t low = 0, high = 0;
  // nothing else lies there: the loop is one of vectors
  uint64_t* __restrict delta = pattern.delta;
  uint32_t* __restrict delta32 = pattern.delta32;
  for (int i = 0; i < lanes; ++i) {
    const uint64_t d = address[i] - first;
    delta[i] = d;
    delta32[i] = uint32_t(d);
    differs |= d;
    strays |= d ^ (uint64_t(i) * bytes);
    address_bits |= address[i];
    low = int64_t(d) < low ? int64_t(d) : low;
    high = int64_t(d) > high ? int64_t(d) : high;
  }
  return {differs != 0,        strays != 0, (address_bits & (bytes - 1)) != 0,
          (differs & 31) != 0, low,         high};
}

#ifdef __AVX512CD__

struct Words {  // of lanes 0 … 15, 16 … 31
  __m512i low, high;
};

inline Words words_at(const uint32_t* from) {
  return {_mm512_loadu_si512(from), _mm512_loadu_si512(from + 16)};
}

// The least of the words of eight lanes each, at lanes 0 and 8.
inline __m512i least_of_halves(__m512i v) {
  v = _mm512_min_epi32(v, _mm512_permutex_epi64(v, 0x4e));
  v = _mm512_min_epi32(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC));
  return _mm512_min_epi32(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB));
}

inline Lie lie_of(uint64_t first, uint64_t bytes, const uint64_t* address, AccessPattern& pattern) {
  const __m512i from = _mm512_set1_epi64(int64_t(first)),
                width = _mm512_set1_epi64(int64_t(8 * bytes));
  __m512i in_a_row = _mm512_sll_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                      _mm_cvtsi32_si128(std::countr_zero(bytes)));
  __m512i differs = _mm512_setzero_si512(), strays = differs, all = differs, far = differs;
  __m256i words[4];
  for (int k = 0; k < 4; ++k) {
    const __m512i here = _mm512_loadu_si512(address + 8 * k), delta = _mm512_sub_epi64(here, from);
    _mm512_storeu_si512(pattern.delta + 8 * k, delta);
    words[k] = _mm512_cvtepi64_epi32(delta);
    differs = _mm512_or_si512(differs, delta);
    strays = _mm512_ternarylogic_epi64(strays, delta, in_a_row, 0xf6);  // | delta ^ in_a_row
    all = _mm512_or_si512(all, here);
    far = _mm512_ternarylogic_epi64(far, delta, _mm512_srai_epi64(delta, 63), 0xf6);
    in_a_row = _mm512_add_epi64(in_a_row, width);
  }
  const auto joined = [&](int k) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(words[k]), words[k + 1], 1);
  };
  const Words delta = {joined(0), joined(2)};
  _mm512_storeu_si512(pattern.delta32, delta.low);
  _mm512_storeu_si512(pattern.delta32 + 16, delta.high);
  if (_mm512_test_epi64_mask(far, _mm512_set1_epi64(-(int64_t(1) << 30))))
    return plain_lie(first, bytes, address, pattern);
  // low and ~high: the one half of a vector, and the other
  const __m512i low = _mm512_min_epi32(delta.low, delta.high),
                not_high = _mm512_xor_si512(_mm512_max_epi32(delta.low, delta.high),
                                            _mm512_set1_epi32(-1));
  const __m512i both = least_of_halves(_mm512_min_epi32(_mm512_shuffle_i64x2(low, not_high, 0x44),
                                                        _mm512_shuffle_i64x2(low, not_high, 0xee)));
  return {_mm512_test_epi64_mask(differs, differs) != 0,
          _mm512_test_epi64_mask(strays, strays) != 0,
          _mm512_test_epi64_mask(all, _mm512_set1_epi64(int64_t(bytes - 1))) != 0,
          _mm512_test_epi64_mask(differs, _mm512_set1_epi64(31)) != 0,
          _mm_cvtsi128_si32(_mm512_castsi512_si128(both)),
          ~_mm_cvtsi128_si32(_mm512_extracti32x4_epi32(both, 2))};
}

inline uint32_t bits_of(__mmask16 low, __mmask16 high) {
  return uint32_t(low) | uint32_t(high) << 16;
}

// Lanes 0 … 15 in all rotations against 16 … 31: body(rotated, how far).
template <class Body, int... By>
[[gnu::always_inline]] inline void each_rotation(__m512i low, Body&& body,
                                                 std::integer_sequence<int, By...>) {
  (body(_mm512_alignr_epi32(low, low, By)), ...);
}
constexpr auto all_rotations = std::make_integer_sequence<int, 16>{};

// Of lanes 16 … 31 those whose word one of 0 … 15 has.
inline __mmask16 repeated(const Words& words) {
  __m512i least = _mm512_set1_epi32(-1);  // zero where equal
  each_rotation(
      words.low,
      [&](__m512i other) { least = _mm512_min_epu32(least, _mm512_xor_si512(other, words.high)); },
      all_rotations);
  return _mm512_testn_epi32_mask(least, least);
}

// Lanes whose word no lane before them has, of the same 16 or of all.
inline uint32_t first_of_equals(const Words& words, bool of_all) {
  const __m512i low = _mm512_conflict_epi32(words.low), high = _mm512_conflict_epi32(words.high);
  const uint32_t bits =
      bits_of(_mm512_testn_epi32_mask(low, low), _mm512_testn_epi32_mask(high, high));
  return of_all ? bits & ~(uint32_t(repeated(words)) << 16) : bits;
}

inline bool near(const AccessPattern& pattern) {
  return uint64_t(pattern.high) - uint64_t(pattern.low) < uint64_t(1) << 30;
}

inline void put_sectors(int64_t* to, __m512i words, uint32_t which) {
  const auto put = [](int64_t* at, __m256i eight, uint32_t those) {
    const __m512i wide = _mm512_cvtepi32_epi64(eight);
    _mm512_storeu_si512(at, _mm512_maskz_compress_epi64(__mmask8(those), wide));
  };
  put(to, _mm512_castsi512_si256(words), which & 0xff);
  put(to + std::popcount(which & 0xff), _mm512_extracti64x4_epi64(words, 1), which >> 8);
}

inline void global_sectors(AccessPattern& pattern) {
  const Words delta = words_at(pattern.delta32);
  const __m512i phase = _mm512_set1_epi32(int(pattern.phase));
  const Words sector = {_mm512_srai_epi32(_mm512_add_epi32(delta.low, phase), 5),
                        _mm512_srai_epi32(_mm512_add_epi32(delta.high, phase), 5)};
  const Words before = {_mm512_alignr_epi32(sector.low, sector.low, 15),
                        _mm512_alignr_epi32(sector.high, sector.low, 15)};
  const uint32_t falls = bits_of(_mm512_cmplt_epi32_mask(sector.low, before.low),
                                 _mm512_cmplt_epi32_mask(sector.high, before.high)) &
                         ~1u;
  const uint32_t firsts = falls ? first_of_equals(sector, true)
                                : 1 | bits_of(_mm512_cmpneq_epi32_mask(sector.low, before.low),
                                              _mm512_cmpneq_epi32_mask(sector.high, before.high));
  const int64_t lowest = (int64_t(pattern.phase) + pattern.low) >> 5,
                highest = (int64_t(pattern.phase) + pattern.high) >> 5;
  const int n = std::popcount(firsts);
  pattern.sectors = uint16_t(n);
  pattern.consecutive = highest - lowest == n - 1;
  if (pattern.consecutive) {
    __m512i next =
        _mm512_add_epi64(_mm512_set1_epi64(lowest), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    for (int i = 0; i < n; i += 8) {
      _mm512_storeu_si512(pattern.sector + i, next);
      next = _mm512_add_epi64(next, _mm512_set1_epi64(8));
    }
  } else {
    // the second half writes over what was written too much of the first
    put_sectors(pattern.sector, sector.low, firsts & 0xffff);
    put_sectors(pattern.sector + std::popcount(firsts & 0xffff), sector.high, firsts >> 16);
  }
}

// The 4-byte words of the lanes from the lowest on; those that do not run have none (−1).
inline Words words_of(const AccessPattern& pattern) {
  const Words delta = words_at(pattern.delta32);
  const int64_t lowest = (int64_t(pattern.phase) + pattern.low) >> 2;
  const __m512i phase = _mm512_set1_epi32(int(pattern.phase)),
                least = _mm512_set1_epi32(int(lowest)), none = _mm512_set1_epi32(-1);
  const auto of = [&](__m512i from, uint32_t runs) {
    const __m512i word = _mm512_srai_epi32(_mm512_add_epi32(from, phase), 2);
    return _mm512_mask_sub_epi32(none, __mmask16(runs), word, least);
  };
  return {of(delta.low, pattern.mask), of(delta.high, pattern.mask >> 16)};
}

// The banks that lanes want.
inline uint32_t banks_of(const Words& word, uint32_t lanes_that_run) {
  const __m512i one = _mm512_set1_epi32(1), in_bank = _mm512_set1_epi32(31);
  const auto of = [&](__m512i words, uint32_t runs) {
    return _mm512_maskz_sllv_epi32(__mmask16(runs), one, _mm512_and_si512(words, in_bank));
  };
  return uint32_t(_mm512_reduce_or_epi32(
      _mm512_or_si512(of(word.low, lanes_that_run), of(word.high, lanes_that_run >> 16))));
}

// Every running lane's neighbour idles or wants the same address.
inline bool neighbours_agree(const AccessPattern& pattern) {
  const Words delta = words_at(pattern.delta32);
  const auto differ = [&](auto swapped) {
    return bits_of(_mm512_cmpneq_epi32_mask(swapped(delta.low), delta.low),
                   _mm512_cmpneq_epi32_mask(swapped(delta.high), delta.high));
  };
  const uint32_t runs = pattern.mask;
  const uint32_t one = differ([](__m512i v) { return _mm512_shuffle_epi32(v, _MM_PERM_CDAB); }),
                 two = differ([](__m512i v) { return _mm512_shuffle_epi32(v, _MM_PERM_BADC); });
  const uint32_t by_one = (runs >> 1 & 0x55555555) | (runs & 0x55555555) << 1,
                 by_two = (runs >> 2 & 0x33333333) | (runs & 0x33333333) << 2;
  return (one & runs & by_one) == 0 || (two & runs & by_two) == 0;
}

// Of each word, how many bits below 2^16 it has.
inline __m512i bits_in_each(__m512i words) {
  const __m512i nibble = _mm512_set1_epi8(15), count = _mm512_broadcast_i32x4(_mm_setr_epi8(
                                                   0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i bytes = _mm512_add_epi8(
      _mm512_shuffle_epi8(count, _mm512_and_si512(words, nibble)),
      _mm512_shuffle_epi8(count, _mm512_and_si512(_mm512_srli_epi32(words, 4), nibble)));
  return _mm512_and_si512(_mm512_add_epi32(bytes, _mm512_srli_epi32(bytes, 8)),
                          _mm512_set1_epi32(31));
}

inline void shared_passes(AccessPattern& pattern) {
  const bool merged = pattern.bytes > 4 && neighbours_agree(pattern);
  const bool one_pass = pattern.bytes <= 4 || (pattern.bytes == 8 && merged);
  const bool by_quarters = pattern.bytes > 8 && !merged;
  const uint32_t runs = pattern.mask;
  const int64_t lowest = (int64_t(pattern.phase) + pattern.low) >> 2,
                highest = (int64_t(pattern.phase) + pattern.high) >> 2;
  if (highest - lowest < 32) {  // no two words in one bank
    const auto some = [&](uint32_t lanes_of_it) { return int((runs & lanes_of_it) != 0); };
    const int passes = one_pass      ? 1
                       : by_quarters ? some(0xff) + some(0xff00) + some(0xff0000) + some(0xff000000)
                                     : some(0xffff) + some(0xffff0000);
    pattern.wavefronts = uint16_t(passes);
    pattern.conflicts = 0;
    return;
  }
  const Words word = words_of(pattern);
  if (one_pass && std::popcount(banks_of(word, runs)) == std::popcount(runs)) {
    pattern.wavefronts = 1;
    pattern.conflicts = 0;
    return;
  }
  // Banks of quarters are told apart by a bit.
  const __m512i in_bank = _mm512_set1_epi32(31);
  const auto bank_of = [&](__m512i words) {
    const __m512i bank = _mm512_and_si512(words, in_bank);
    return by_quarters ? _mm512_mask_or_epi32(bank, 0xff00, bank, _mm512_set1_epi32(32)) : bank;
  };
  const uint32_t firsts = [&] {
    if (!by_quarters) return first_of_equals(word, one_pass) & runs;
    const __m512i half = _mm512_set1_epi32(1 << 29);
    const auto apart = [&](__m512i words) {
      return _mm512_mask_xor_epi32(words, 0xff00, words, half);
    };
    return first_of_equals({apart(word.low), apart(word.high)}, false) & runs;
  }();
  const __m512i none = _mm512_set1_epi32(-1);
  const Words bank = {_mm512_mask_mov_epi32(none, __mmask16(firsts), bank_of(word.low)),
                      _mm512_mask_mov_epi32(none, __mmask16(firsts >> 16), bank_of(word.high))};
  // How many words before a lane's own its bank has.
  Words before = {
      _mm512_maskz_mov_epi32(__mmask16(firsts), bits_in_each(_mm512_conflict_epi32(bank.low))),
      _mm512_maskz_mov_epi32(__mmask16(firsts >> 16),
                             bits_in_each(_mm512_conflict_epi32(bank.high)))};
  int wavefronts = 0, passes = 0;
  if (one_pass) {
    const __m512i more = _mm512_set1_epi32(1);
    const __mmask16 taking = __mmask16(firsts >> 16);
    each_rotation(
        bank.low,
        [&](__m512i other) {
          before.high = _mm512_mask_add_epi32(
              before.high, _mm512_mask_cmpeq_epi32_mask(taking, other, bank.high), before.high,
              more);
        },
        all_rotations);
    wavefronts = 1 + int(_mm512_reduce_max_epu32(_mm512_max_epu32(before.low, before.high)));
    passes = 1;
  } else {
    const auto pass = [&](uint32_t lanes_of_it, __m512i counts) {
      passes += (runs & lanes_of_it) != 0;
      if (runs & lanes_of_it) wavefronts += 1 + int(_mm512_reduce_max_epu32(counts));
    };
    if (by_quarters) {
      pass(0xff, _mm512_maskz_mov_epi32(0xff, before.low));
      pass(0xff00, _mm512_maskz_mov_epi32(0xff00, before.low));
      pass(0xff0000, _mm512_maskz_mov_epi32(0xff, before.high));
      pass(0xff000000, _mm512_maskz_mov_epi32(0xff00, before.high));
    } else {
      pass(0xffff, before.low);
      pass(0xffff0000, before.high);
    }
  }
  pattern.wavefronts = uint16_t(wavefronts);
  pattern.conflicts = uint16_t(wavefronts - passes);
}

inline void local_sectors(AccessPattern& pattern) {
  const Words word = words_of(pattern);
  const __m512i half = _mm512_set1_epi32(1 << 29);
  const auto apart = [&](__m512i words) {
    return _mm512_mask_xor_epi32(words, 0xff00, words, half);
  };
  const uint32_t firsts =
      first_of_equals({apart(word.low), apart(word.high)}, false) & pattern.mask;
  const int words_of_lane = pattern.bytes < 4 ? 1 : pattern.bytes / 4;
  pattern.sectors = uint16_t(std::popcount(firsts) * words_of_lane);
}

#else
inline Lie lie_of(uint64_t first, uint64_t bytes, const uint64_t* address, AccessPattern& pattern) {
  return plain_lie(first, bytes, address, pattern);
}
#endif

// rows, steps, or spread.
inline HostAddresses::Layout by_eights(const AccessPattern& pattern) {
  if (pattern.mask != all_lanes || pattern.bytes != 4) return HostAddresses::spread;
  uint32_t differs = 0, strays = 0;
#ifdef __AVX512CD__
  const __m512i first_of_eight = _mm512_set_epi32(8, 8, 8, 8, 8, 8, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0),
                in_a_row =
                    _mm512_set_epi32(28, 24, 20, 16, 12, 8, 4, 0, 28, 24, 20, 16, 12, 8, 4, 0);
  for (int i = 0; i < lanes; i += 16) {
    const __m512i delta = _mm512_loadu_si512(pattern.delta32 + i),
                  from = _mm512_sub_epi32(delta, _mm512_permutexvar_epi32(first_of_eight, delta));
    differs |= _mm512_test_epi32_mask(from, from);
    strays |= _mm512_cmpneq_epi32_mask(from, in_a_row);
  }
#else
  for (uint32_t i = 0; i < uint32_t(lanes); ++i) {
    const uint32_t from_first = pattern.delta32[i] - pattern.delta32[i & ~7u];
    differs |= from_first;
    strays |= from_first ^ 4 * (i & 7);
  }
#endif
  return !strays ? HostAddresses::rows : !differs ? HostAddresses::steps : HostAddresses::spread;
}

}  // namespace

bool take_pattern(uint32_t mask, uint8_t bytes_of_lane, const uint64_t* address,
                  AccessPattern& pattern) {
  const uint64_t first = address[std::countr_zero(mask)], bytes = bytes_of_lane;
  pattern.mask = mask;
  pattern.phase = uint32_t(first & 31);
  pattern.bytes = bytes_of_lane;
  pattern.marked = ~0ull;
  const Lie lie = lie_of(first, bytes, address, pattern);
  pattern.low = lie.low;
  pattern.high = lie.high;
  pattern.phase_mask = lie.within ? 31 : 0;
  const uint64_t span = uint64_t(lie.high - lie.low) + bytes;
  pattern.layout = uint8_t(!lie.differs                          ? HostAddresses::uniform
                           : !lie.strays && mask == all_lanes    ? HostAddresses::contiguous
                           : span <= 4 * lanes && bytes % 4 == 0 ? HostAddresses::window
                           : span < (uint64_t(1) << 31) - 64     ? by_eights(pattern)
                                                                 : HostAddresses::scattered);
  if (pattern.layout == HostAddresses::window) {
    pattern.words = uint32_t(span / 4);
    const uint32_t low = uint32_t(lie.low);
    for (int i = 0; i < lanes; ++i) pattern.index[i] = (pattern.delta32[i] - low) / 4;
  }
  return !lie.misaligned;
}

void analyse(AccessPattern& pattern) {
  pattern.marked = ~0ull;
#ifdef __AVX512CD__
  if (near(pattern)) {
    switch (pattern.place) {
      case Place::global: return global_sectors(pattern);
      case Place::shared: return shared_passes(pattern);
      case Place::local: return local_sectors(pattern);
      default: return;
    }
  }
#endif
  switch (pattern.place) {
    case Place::global: return analyse_global(pattern);
    case Place::shared: return analyse_shared(pattern);
    case Place::local: return analyse_local(pattern);
    default: return;
  }
}

}  // namespace headroom::sim::HEADROOM_ISA
