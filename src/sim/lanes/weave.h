// Stores of vectors: two or four registers' words side by side, lane by lane.
//
//   weave({x, y}, to)   to = x0 y0 x1 y1 …         weave({x, y, z, w}, to)   to = x0 y0 z0 w0 x1 …
#pragma once
#include "sim/lanes/gather.h"

namespace headroom::sim::HEADROOM_ISA {

inline void weave(const uint32_t* const (&from)[2], uint32_t* to) {
#ifdef __AVX512F__
  const __m512i first = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0),
                second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
  for (int i = 0; i < lanes; i += 16) {
    const __m512i x = _mm512_loadu_si512(from[0] + i), y = _mm512_loadu_si512(from[1] + i);
    _mm512_storeu_si512(to + 2 * i, _mm512_permutex2var_epi32(x, first, y));
    _mm512_storeu_si512(to + 2 * i + 16, _mm512_permutex2var_epi32(x, second, y));
  }
#else
  for (int i = 0; i < lanes; ++i) {
    to[2 * i] = from[0][i];
    to[2 * i + 1] = from[1][i];
  }
#endif
}

inline void weave(const uint32_t* const (&from)[4], uint32_t* to) {
#ifdef __AVX512F__
  for (int i = 0; i < lanes; i += 16) {
    __m512i r[4];
    for (int n = 0; n < 4; ++n) r[n] = _mm512_loadu_si512(from[n] + i);
    const __m512i a = _mm512_unpacklo_epi32(r[0], r[1]), b = _mm512_unpackhi_epi32(r[0], r[1]),
                  c = _mm512_unpacklo_epi32(r[2], r[3]), d = _mm512_unpackhi_epi32(r[2], r[3]);
    // lanes k, k + 4, k + 8, k + 12
    const __m512i lane[4] = {_mm512_unpacklo_epi64(a, c), _mm512_unpackhi_epi64(a, c),
                             _mm512_unpacklo_epi64(b, d), _mm512_unpackhi_epi64(b, d)};
    const __m512i low = _mm512_shuffle_i32x4(lane[0], lane[1], 0x44),
                  high = _mm512_shuffle_i32x4(lane[0], lane[1], 0xee),
                  more_low = _mm512_shuffle_i32x4(lane[2], lane[3], 0x44),
                  more_high = _mm512_shuffle_i32x4(lane[2], lane[3], 0xee);
    _mm512_storeu_si512(to + 4 * i, _mm512_shuffle_i32x4(low, more_low, 0x88));
    _mm512_storeu_si512(to + 4 * i + 16, _mm512_shuffle_i32x4(low, more_low, 0xdd));
    _mm512_storeu_si512(to + 4 * i + 32, _mm512_shuffle_i32x4(high, more_high, 0x88));
    _mm512_storeu_si512(to + 4 * i + 48, _mm512_shuffle_i32x4(high, more_high, 0xdd));
  }
#else
  for (int i = 0; i < lanes; ++i)
    for (int n = 0; n < 4; ++n) to[4 * i + n] = from[n][i];
#endif
}

}  // namespace headroom::sim::HEADROOM_ISA
