// What meanings of operations are made of (meanings.h): an operation on one, two or three registers of 4 bytes
// a lane, a half of the result after the other; constants; masks.
//
//   two<add>      Values of operands 1 and 2, add(vectors, d, p, q) for each half, d the value of operand 0
#pragma once
#include "sim/compiled/meanings.h"
#include "sim/compiled/vectors.h"

namespace headroom::sim::compiled {

using x86::Zmm;
using Value = Vectors::Value;

inline const x86::KReg k1 = x86::k1, k2 = x86::k2, k3 = x86::k3, k4 = x86::k4, k5 = x86::k5,
                       k6 = x86::k6, k7 = x86::k7;

// A word in every lane, from memory.
inline x86::Mem all(Vectors& v, uint32_t word) {
  std::array<uint32_t, 16> words;
  words.fill(word);
  return v.table(words);
}

template <auto F>
void one(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) F(v, d[h], p[h]);
  v.done();
}
template <auto F>
void two(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) F(v, d[h], p[h], q[h]);
  v.done();
}
template <auto F>
void three(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), r = v.in(o.operand[3]),
              d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) F(v, d[h], p[h], q[h], r[h]);
  v.done();
}

}  // namespace headroom::sim::compiled
