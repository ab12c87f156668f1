// Logic, shifts and bit fields: PTX ISA 9.7.1, 9.7.8 and prmt of 9.7.9.
//
//   shl<uint32_t>(1, 40) == 0                        bfe<int32_t>(0xf0, 4, 4) == -1
//   prmt(0x03020100, 0x07060504, 0x7531) == 0x07050301
//
// Holds, over T in u16 u32 u64 and their signed twins:
//   T          and_ or_ xor_ (T, T)    not_ (T), also of bool    cnot(T)
//   T          shl shr (T, uint32_t): shr of a signed T copies the sign; beyond the width they clamp
//   uint32_t   shf_l_clamp shf_l_wrap shf_r_clamp shf_r_wrap (low, high, amount)
//   uint32_t   popc clz bfind bfind_shiftamt (T)
//   T          brev(T)
//   T          bfe(T, position, length)    bfi(T field, T into, position, length)
//   uint32_t   fns(mask, base, int32_t offset)
//   uint32_t   prmt prmt_f4e prmt_b4e prmt_rc8 prmt_ecl prmt_ecr prmt_rc16 (a, b, selector)
//   uint32_t   lop3(a, b, c, table)    bmsk_clamp bmsk_wrap (position, length)
//   T          szext_clamp szext_wrap (T, uint32_t)
//   C          dp4a dp2a_lo dp2a_hi <A, B, C>(uint32_t, uint32_t, C): A, B, C in u32 s32
// Without a type of their own they are over uint32_t.
#pragma once
#include "sim/meaning/integer.h"

namespace headroom::sim::meaning {

template <std::integral T> inline T and_(T a, T b) { return T(a & b); }
template <std::integral T> inline T or_(T a, T b) { return T(a | b); }
template <std::integral T> inline T xor_(T a, T b) { return T(a ^ b); }
template <std::integral T> inline T not_(T a) { return std::same_as<T, bool> ? T(!a) : T(~a); }
template <Integer T> inline T cnot(T a) { return T(a == 0); }

template <Integer T> inline T shl(T a, uint32_t amount) {
  Ring<T> shifted = Ring<T>(a) << (amount & (width<T> - 1));
  return amount < width<T> ? T(shifted) : T(0);
}
template <Integer T> inline T shr(T a, uint32_t amount) {
  T all = std::is_signed_v<T> ? T(a >> (width<T> - 1)) : T(0);
  return amount < width<T> ? T(a >> (amount & (width<T> - 1))) : all;
}

// ---- funnel shifts: of the 64 bits high:low

inline uint64_t join(uint32_t low, uint32_t high) { return uint64_t(high) << 32 | low; }
inline uint32_t shf_l_wrap(uint32_t low, uint32_t high, uint32_t n) {
  return uint32_t((join(low, high) << (n & 31)) >> 32);
}
inline uint32_t shf_r_wrap(uint32_t low, uint32_t high, uint32_t n) {
  return uint32_t(join(low, high) >> (n & 31));
}
inline uint32_t shf_l_clamp(uint32_t low, uint32_t high, uint32_t n) {
  return uint32_t((join(low, high) << (n < 32 ? n : 32)) >> 32);
}
inline uint32_t shf_r_clamp(uint32_t low, uint32_t high, uint32_t n) {
  return uint32_t(join(low, high) >> (n < 32 ? n : 32));
}

// ---- counting and finding

template <Integer T> inline uint32_t popc(T a) { return uint32_t(std::popcount(Unsigned<T>(a))); }
template <Integer T> inline uint32_t clz(T a) { return uint32_t(std::countl_zero(Unsigned<T>(a))); }

// The position of the highest bit that is not a copy of the sign; all ones if there is none.
template <Integer T> inline uint32_t bfind(T a) {
  T significant = a < 0 ? T(~a) : a;
  return uint32_t(width<T> - 1) - clz(significant);
}
// The shift that brings that bit to the top.
template <Integer T> inline uint32_t bfind_shiftamt(T a) {
  uint32_t position = bfind(a);
  return position == ~0u ? ~0u : uint32_t(width<T> - 1) - position;
}

template <Integer T> inline T brev(T a) {
  uint64_t x = Unsigned<T>(a);
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return T(__builtin_bswap64(x) >> (64 - width<T>));
}

// The offset-th set bit from base upward (downward if negative); offset 0 asks for bit base itself.
inline uint32_t fns(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == INT32_MIN) return 0;   // has no opposite (H200)
  int64_t step = offset < 0 ? -1 : 1, left = offset < 0 ? -int64_t(offset) : offset;
  if (left == 0) return base < 32 && (mask >> base & 1) ? base : ~0u;
  for (int64_t at = base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0) return uint32_t(at);
  return ~0u;
}

// ---- fields: what lies beyond the top does not exist. Of position and length the 32-bit forms see
// the low byte, the 64-bit forms all (H200; the manual allows 0..255)

template <Integer T> inline Unsigned<T> ones(uint32_t length) {   // the low `length` bits
  return length < width<T> ? Unsigned<T>((Ring<T>(1) << (length & (width<T> - 1))) - 1)
                           : Unsigned<T>(-1);
}
template <Integer T> inline uint32_t field_number(uint32_t x) {
  return sizeof(T) == 4 ? x & 0xff : x < 255 ? x : 255;
}
template <Integer T> inline T bfe(T a, uint32_t position, uint32_t length) {
  using U = Unsigned<T>;
  constexpr uint32_t top = width<T> - 1;
  position = field_number<T>(position), length = field_number<T>(length);
  U field = shr(U(a), position), mask = ones<T>(length), present = U(mask & shr(U(-1), position));
  uint32_t last = position + length - 1;
  bool negative = std::is_signed_v<T> && length != 0 && (U(a) >> (last < top ? last : top) & 1);
  return T((field & present) | (negative ? U(~present) : U(0)));
}
template <Integer T> inline T bfi(T field, T into, uint32_t position, uint32_t length) {
  using U = Unsigned<T>;
  position = field_number<T>(position), length = field_number<T>(length);
  U mask = shl(ones<T>(length), position);
  return T((U(into) & U(~mask)) | (shl(U(field), position) & mask));
}
inline uint32_t bmsk(uint32_t position, uint32_t length) {
  return shl(ones<uint32_t>(length), position);
}
inline uint32_t bmsk_wrap(uint32_t position, uint32_t length) {
  return bmsk(position & 31, length & 31);
}
inline uint32_t bmsk_clamp(uint32_t position, uint32_t length) { return bmsk(position, length); }

// Sign- or zero-extends the low `length` bits.
template <Integer T> inline T szext_clamp(T a, uint32_t length) {
  Unsigned<T> mask = ones<T>(length);
  bool negative = std::is_signed_v<T> && length != 0 && (a & T(mask ^ (mask >> 1)));
  return T((a & mask) | (negative ? ~mask : 0));
}
template <Integer T> inline T szext_wrap(T a, uint32_t length) {
  return szext_clamp(a, length & 31);
}

// ---- bytes of the pair b:a, numbered 7…0

inline uint32_t byte_at(uint32_t a, uint32_t b, uint32_t selector) {
  uint32_t word = selector & 4 ? b : a, byte = word >> (selector & 3) * 8 & 0xff;
  return selector & 8 ? -(byte >> 7) & 0xff : byte;
}
inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t s) {
  return byte_at(a, b, s & 15) | byte_at(a, b, s >> 4 & 15) << 8 |
         byte_at(a, b, s >> 8 & 15) << 16 | byte_at(a, b, s >> 12 & 15) << 24;
}
// The named modes: what selector each value of c[1:0] stands for.
inline uint32_t prmt_mode(uint32_t a, uint32_t b, uint32_t s, uint64_t selectors) {
  return prmt(a, b, uint32_t(selectors >> (s & 3) * 16) & 0xffff);
}
inline uint32_t prmt_f4e(uint32_t a, uint32_t b, uint32_t s) {
  return prmt_mode(a, b, s, 0x6543'5432'4321'3210);
}
inline uint32_t prmt_b4e(uint32_t a, uint32_t b, uint32_t s) {
  return prmt_mode(a, b, s, 0x0123'7012'6701'5670);
}
inline uint32_t prmt_rc8(uint32_t a, uint32_t b, uint32_t s) {
  return prmt_mode(a, b, s, 0x3333'2222'1111'0000);
}
inline uint32_t prmt_ecl(uint32_t a, uint32_t b, uint32_t s) {
  return prmt_mode(a, b, s, 0x3333'3222'3211'3210);
}
inline uint32_t prmt_ecr(uint32_t a, uint32_t b, uint32_t s) {
  return prmt_mode(a, b, s, 0x3210'2210'1110'0000);
}
inline uint32_t prmt_rc16(uint32_t a, uint32_t b, uint32_t s) {
  return prmt_mode(a, b, s, 0x3232'1010'3232'1010);
}

// Bit i of the result is table[4·a_i + 2·b_i + c_i].
inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  auto row = [&](int i) { return -(table >> i & 1); };
  uint32_t without_a = (~b & ((~c & row(0)) | (c & row(1)))) | (b & ((~c & row(2)) | (c & row(3))));
  uint32_t with_a = (~b & ((~c & row(4)) | (c & row(5)))) | (b & ((~c & row(6)) | (c & row(7))));
  return (~a & without_a) | (a & with_a);
}

// ---- dot products of bytes: 32-bit A, B stand for the sign of the elements

template <Integer T> inline int32_t byte_of(uint32_t x, int i) {
  return std::is_signed_v<T> ? int32_t(int8_t(x >> 8 * i)) : int32_t(uint8_t(x >> 8 * i));
}
template <Integer T> inline int32_t word_of(uint32_t x, int i) {
  return std::is_signed_v<T> ? int32_t(int16_t(x >> 16 * i)) : int32_t(uint16_t(x >> 16 * i));
}
template <Integer A, Integer B, Integer C> inline C dp4a(uint32_t a, uint32_t b, C c) {
  int32_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += byte_of<A>(a, i) * byte_of<B>(b, i);
  return add(C(sum), c);
}
template <Integer A, Integer B, Integer C> inline C dp2a_lo(uint32_t a, uint32_t b, C c) {
  return add(C(word_of<A>(a, 0) * byte_of<B>(b, 0) + word_of<A>(a, 1) * byte_of<B>(b, 1)), c);
}
template <Integer A, Integer B, Integer C> inline C dp2a_hi(uint32_t a, uint32_t b, C c) {
  return dp2a_lo<A, B, C>(a, b >> 16, c);
}

}   // namespace headroom::sim::meaning
