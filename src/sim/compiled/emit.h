// What meanings of operations are made of (meanings.h): an operation on one, two or three registers of 4 bytes
// a lane, a half of the result after the other; constants; masks.
//
//   two<add>      Values of operands 1 and 2, add(vectors, d, p, q) for each half, d the value of operand 0
#pragma once
#include <bit>

#include "sim/compiled/meanings.h"
#include "sim/compiled/vectors.h"

namespace headroom::sim::compiled {

using x86::Zmm;
using Value = Vectors::Value;

inline const x86::KReg k1 = x86::k1, k2 = x86::k2, k3 = x86::k3, k4 = x86::k4, k5 = x86::k5,
                       k6 = x86::k6, k7 = x86::k7;

// Where lanes of words and of pairs of words lie.
inline constexpr std::array<uint32_t, 16> woven_low = {0, 16, 1, 17, 2, 18, 3, 19,
                                                       4, 20, 5, 21, 6, 22, 7, 23},
                                          woven_high = {8,  24, 9,  25, 10, 26, 11, 27,
                                                        12, 28, 13, 29, 14, 30, 15, 31},
                                          even = {0,  2,  4,  6,  8,  10, 12, 14,
                                                  16, 18, 20, 22, 24, 26, 28, 30},
                                          odd = {1,  3,  5,  7,  9,  11, 13, 15,
                                                 17, 19, 21, 23, 25, 27, 29, 31};
inline constexpr uint32_t next_register = 4 * lanes;  // of a pair of registers the upper one

// A word in every lane, from memory.
inline x86::Mem all(Vectors& v, uint32_t word) {
  std::array<uint32_t, 16> words;
  words.fill(word);
  return v.table(words);
}

inline x86::Mem all64(Vectors& v, uint64_t bits) {
  std::array<uint32_t, 16> words;
  for (size_t i = 0; i < words.size(); i += 2) words[i] = uint32_t(bits), words[i + 1] = bits >> 32;
  return v.table(words);
}
inline x86::Mem all64(Vectors& v, double value) { return all64(v, std::bit_cast<uint64_t>(value)); }

// Floats of 32 bits: every NaN that operations make is one, where it does not go to Vectors as it is; what is below the
// normal numbers becomes a zero of its sign (by k1).
inline void canonical(Vectors& v, Zmm d) {
  v.quiet_nan();
  v.settle(d);
}
inline void flush(Vectors& v, Zmm d, Zmm p) {
  if (d != p) v.a.vmovdqa64(d, p);
  v.a.vptestnmd(k1, p, all(v, 0x7f800000));
  v.a.k(k1).vpandd(d, p, all(v, 0x80000000));
}

template <auto F, auto In = &Vectors::in>
void one(Vectors& v, const Operation& o) {
  const Value p = (v.*In)(o.operand[1]), d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) v.half(h), F(v, d[h], p[h]);
  v.done();
}
template <auto F, auto In = &Vectors::in>
void two(Vectors& v, const Operation& o) {
  const Value p = (v.*In)(o.operand[1]), q = (v.*In)(o.operand[2]), d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) v.half(h), F(v, d[h], p[h], q[h]);
  v.done();
}
template <auto F>
void three(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), r = v.in(o.operand[3]),
              d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) v.half(h), F(v, d[h], p[h], q[h], r[h]);
  v.done();
}

}  // namespace headroom::sim::compiled
