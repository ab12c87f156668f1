// Loads whose lanes lie anywhere: 32 lanes' elements, from where each lane's bytes begin, into a
// register's order. What a compiler makes of the plain loop is one load and one store a lane; a
// processor with wide vectors does better where the lanes are near each other or read vectors.
//
//   near_words(out, window, index, words, n)      words of one window of 128 bytes, by index
//   words_by_eights(out, base, delta, true)        words of which each eight are side by side, or false: the same
//   spread_words(out, base, delta)                 a word a lane, within 2 GiB of each other
//   pairs(out, base, delta)                        8 bytes a lane -> two registers
//   pairs_of_row(out, from)                        the same of lanes in a row
//   quads(out, base, delta)                        16 bytes a lane -> four registers
//   narrow<int8_t>(out, base, delta)               a byte or two a lane, extended to a word
//   words_of(out, host, n), narrow_of<M>(out, host, n)    from an address a lane
#pragma once
#include <cstdint>
#include <cstring>

#include "sim/program.h"
#ifdef __AVX2__
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // of __Y = __Y: GCC's bug 105593
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace headroom::sim::HEADROOM_ISA {

// out[i] = the 4-byte word index[i] + n of the window. Only the window's first `words` may be read.
inline void near_words(uint32_t* out, const uint32_t* window, const uint32_t* index, uint32_t words,
                       uint32_t n) {
#ifdef __AVX512F__
  const uint32_t all = words >= 32 ? ~0u : (1u << words) - 1;
  const __m512i low = _mm512_maskz_loadu_epi32(__mmask16(all), window),
                high = _mm512_maskz_loadu_epi32(__mmask16(all >> 16), window + 16),
                step = _mm512_set1_epi32(int(n));
  for (int i = 0; i < lanes; i += 16) {
    const __m512i at = _mm512_add_epi32(_mm512_loadu_si512(index + i), step);
    _mm512_storeu_si512(out + i, _mm512_permutex2var_epi32(low, at, high));
  }
#else
  (void)words;
  for (int i = 0; i < lanes; ++i) out[i] = window[index[i] + n];
#endif
}

// Of each eight lanes the words side by side; the word that all of them want.
inline void words_by_eights(uint32_t* out, uint64_t base, const uint32_t* delta,
                            bool side_by_side) {
  for (int i = 0; i < lanes; i += 8) {
    const auto* from = reinterpret_cast<const uint32_t*>(base + uint64_t(int32_t(delta[i])));
#ifdef __AVX2__
    const __m256i words = side_by_side ? _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))
                                       : _mm256_set1_epi32(int(*from));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), words);
#else
    for (int k = 0; k < 8; ++k) out[i + k] = from[side_by_side ? k : 0];
#endif
  }
}

// out[i] = the 4-byte word at base + delta[i], sign extended.
inline void spread_words(uint32_t* out, uint64_t base, const uint32_t* delta) {
#ifdef __AVX512F__
  for (int i = 0; i < lanes; i += 16)
    _mm512_storeu_si512(out + i, _mm512_i32gather_epi32(_mm512_loadu_si512(delta + i),
                                                        reinterpret_cast<const void*>(base), 1));
#else
  for (int i = 0; i < lanes; ++i)
    std::memcpy(out + i, reinterpret_cast<const void*>(base + uint64_t(int32_t(delta[i]))), 4);
#endif
}

// out[n][i] = the nth 4-byte word at base + delta[i].
inline void pairs(uint32_t* const (&out)[2], uint64_t base, const uint32_t* delta) {
#ifdef __AVX512F__
  const void* from = reinterpret_cast<const void*>(base);
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0),
                odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  for (int i = 0; i < lanes; i += 16) {
    const auto eight = [&](int first) {
      const auto* at = reinterpret_cast<const __m256i*>(delta + first);
      return _mm512_i32gather_epi64(_mm256_loadu_si256(at), from, 1);
    };
    const __m512i low = eight(i), high = eight(i + 8);
    _mm512_storeu_si512(out[0] + i, _mm512_permutex2var_epi32(low, even, high));
    _mm512_storeu_si512(out[1] + i, _mm512_permutex2var_epi32(low, odd, high));
  }
#else
  for (int i = 0; i < lanes; ++i) {
    uint32_t words[2];
    std::memcpy(words, reinterpret_cast<const void*>(base + uint64_t(int32_t(delta[i]))), 8);
    out[0][i] = words[0];
    out[1][i] = words[1];
  }
#endif
}

// The same of lanes in a row.
inline void pairs_of_row(uint32_t* const (&out)[2], const uint32_t* from) {
#ifdef __AVX512F__
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0),
                odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  for (int i = 0; i < lanes; i += 16) {
    const __m512i low = _mm512_loadu_si512(from + 2 * i),
                  high = _mm512_loadu_si512(from + 2 * i + 16);
    _mm512_storeu_si512(out[0] + i, _mm512_permutex2var_epi32(low, even, high));
    _mm512_storeu_si512(out[1] + i, _mm512_permutex2var_epi32(low, odd, high));
  }
#else
  for (int i = 0; i < lanes; ++i) {
    const uint32_t words[2] = {from[2 * i], from[2 * i + 1]};
    out[0][i] = words[0];
    out[1][i] = words[1];
  }
#endif
}

#ifdef __AVX512F__
// What lies at the beginning of each word, or `bits` behind it, extended. Words are read whole: they
// are aligned, so that they lie in the page of what they hold.
template <class M>
inline __m512i extended(__m512i words, __m512i bits) {
  constexpr int unused = 32 - 8 * int(sizeof(M));
  const __m512i top = _mm512_sllv_epi32(words, _mm512_sub_epi32(_mm512_set1_epi32(unused), bits));
  return M(-1) < M(0) ? _mm512_srai_epi32(top, unused) : _mm512_srli_epi32(top, unused);
}
#endif

// out[i] = the M at base + delta[i].
template <class M>
inline void narrow(uint32_t* out, uint64_t base, const uint32_t* delta) {
#ifdef __AVX512F__
  const void* from = reinterpret_cast<const void*>(base & ~uint64_t(3));
  const __m512i begin = _mm512_set1_epi32(int(base & 3)), in_word = _mm512_set1_epi32(3);
  for (int i = 0; i < lanes; i += 16) {
    const __m512i at = _mm512_add_epi32(_mm512_loadu_si512(delta + i), begin),
                  word = _mm512_i32gather_epi32(_mm512_andnot_si512(in_word, at), from, 1),
                  bits = _mm512_slli_epi32(_mm512_and_si512(at, in_word), 3);
    _mm512_storeu_si512(out + i, extended<M>(word, bits));
  }
#else
  for (int i = 0; i < lanes; ++i) {
    M value;
    std::memcpy(&value, reinterpret_cast<const void*>(base + uint64_t(int32_t(delta[i]))),
                sizeof value);
    out[i] = uint32_t(int32_t(value));
  }
#endif
}

// out[i] = the word at host[i], n words on.
inline void words_of(uint32_t* out, const uint64_t* host, int n) {
#ifdef __AVX512F__
  for (int i = 0; i < lanes; i += 8)
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(out + i),
        _mm512_i64gather_epi32(_mm512_loadu_si512(host + i),
                               reinterpret_cast<const void*>(uint64_t(4) * uint64_t(n)), 1));
#else
  for (int i = 0; i < lanes; ++i)
    std::memcpy(out + i, reinterpret_cast<const void*>(host[i] + 4 * uint64_t(n)), 4);
#endif
}

// out[i] = the M at host[i], n of them on.
template <class M>
inline void narrow_of(uint32_t* out, const uint64_t* host, int n) {
#ifdef __AVX512F__
  const __m512i begin = _mm512_set1_epi64(n * int(sizeof(M))), in_word = _mm512_set1_epi64(3);
  for (int i = 0; i < lanes; i += 16) {
    const __m512i first = _mm512_add_epi64(_mm512_loadu_si512(host + i), begin),
                  second = _mm512_add_epi64(_mm512_loadu_si512(host + i + 8), begin);
    const auto word = [&](__m512i at) {
      return _mm512_i64gather_epi32(_mm512_andnot_si512(in_word, at), nullptr, 1);
    };
    const auto joined = [](__m256i low, __m256i high) {
      return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    };
    const __m512i at = joined(_mm512_cvtepi64_epi32(first), _mm512_cvtepi64_epi32(second)),
                  bits = _mm512_slli_epi32(_mm512_and_si512(at, _mm512_set1_epi32(3)), 3);
    _mm512_storeu_si512(out + i, extended<M>(joined(word(first), word(second)), bits));
  }
#else
  for (int i = 0; i < lanes; ++i) {
    M value;
    std::memcpy(&value, reinterpret_cast<const void*>(host[i] + uint64_t(n) * sizeof(M)),
                sizeof value);
    out[i] = uint32_t(int32_t(value));
  }
#endif
}

// out[n][i] = the nth 4-byte word at base + delta[i].
inline void quads(uint32_t* const (&out)[4], uint64_t base, const uint64_t* delta) {
#if defined(__AVX512F__)
  auto word4 = [&](int lane) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(base + delta[lane]));
  };
  for (int i = 0; i < lanes; i += 16) {
    __m512i row[4];
    for (int k = 0; k < 4; ++k) {  // lanes k, k + 4, k + 8, k + 12
      __m512i r = _mm512_castsi128_si512(word4(i + k));
      r = _mm512_inserti32x4(r, word4(i + k + 4), 1);
      r = _mm512_inserti32x4(r, word4(i + k + 8), 2);
      row[k] = _mm512_inserti32x4(r, word4(i + k + 12), 3);
    }
    const __m512i a = _mm512_unpacklo_epi32(row[0], row[1]),
                  b = _mm512_unpackhi_epi32(row[0], row[1]),
                  c = _mm512_unpacklo_epi32(row[2], row[3]),
                  d = _mm512_unpackhi_epi32(row[2], row[3]);
    _mm512_storeu_si512(out[0] + i, _mm512_unpacklo_epi64(a, c));
    _mm512_storeu_si512(out[1] + i, _mm512_unpackhi_epi64(a, c));
    _mm512_storeu_si512(out[2] + i, _mm512_unpacklo_epi64(b, d));
    _mm512_storeu_si512(out[3] + i, _mm512_unpackhi_epi64(b, d));
  }
#elif defined(__AVX2__)
  auto word4 = [&](int lane) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(base + delta[lane]));
  };
  for (int i = 0; i < lanes; i += 8) {
    __m256i row[4];
    for (int k = 0; k < 4; ++k)  // lanes k, k + 4
      row[k] = _mm256_inserti128_si256(_mm256_castsi128_si256(word4(i + k)), word4(i + k + 4), 1);
    const __m256i a = _mm256_unpacklo_epi32(row[0], row[1]),
                  b = _mm256_unpackhi_epi32(row[0], row[1]),
                  c = _mm256_unpacklo_epi32(row[2], row[3]),
                  d = _mm256_unpackhi_epi32(row[2], row[3]);
    auto put = [&](int n, __m256i value) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out[n] + i), value);
    };
    put(0, _mm256_unpacklo_epi64(a, c));
    put(1, _mm256_unpackhi_epi64(a, c));
    put(2, _mm256_unpacklo_epi64(b, d));
    put(3, _mm256_unpackhi_epi64(b, d));
  }
#else
  for (int i = 0; i < lanes; ++i) {
    uint32_t words[4];
    std::memcpy(words, reinterpret_cast<const void*>(base + delta[i]), sizeof words);
    for (int n = 0; n < 4; ++n) out[n][i] = words[n];
  }
#endif
}

}  // namespace headroom::sim::HEADROOM_ISA
