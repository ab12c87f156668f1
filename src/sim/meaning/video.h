// Video instructions: PTX ISA 9.7.18, one 32-bit operation on selected bytes or half-words, or two
// or four at once. They are rare and have many variants, so one function reads its variant from a
// word. The results are an H200's: ptxas makes several plain instructions of each, and these do not
// saturate, compare and merge quite as the manual says.
//
//   vadd.s32.u32.s32.sat.min d, a.b0, b.h1, c      Video{vadd, signed d and b, saturated, min, …}
//   vabsdiff4.u32.u32.u32.add d, a, b, c           c + the sum of four absolute differences
//
// Holds   uint32_t video(Video, uint32_t a, uint32_t b, uint32_t c)
#pragma once
#include "sim/meaning/integer.h"

namespace headroom::sim::meaning {

enum class VideoOperation : uint64_t { add, sub, absdiff, min, max, avrg, shl, shr, mad, set };
enum class VideoSecond : uint64_t { none, add, min, max };

// Which part is meant: of one element 0 is the word, 1 … 4 are bytes, 5 and 6 half-words; of
// several d has a mask, a and b have two bits (four elements: three bits) for each part of the pair
// b:a.
struct Video {   // eight bytes: an immediate of an operation
  VideoOperation operation : 4 = VideoOperation::add;
  VideoSecond second : 2 = VideoSecond::none;
  uint64_t parts : 3 = 1;      // 1, 2 or 4 elements
  uint64_t relation : 3 = 0;   // of set: eq ne lt le gt ge
  uint64_t d_signed : 1 = 0, a_signed : 1 = 0, b_signed : 1 = 0, saturate : 1 = 0;
  uint64_t wrap : 1 = 0, plus_one : 1 = 0, negate_product : 1 = 0, negate_c : 1 = 0;
  uint64_t scale : 4 = 0;   // of mad: 0, 7 or 15
  uint64_t d_part : 4 = 0, a_parts : 12 = 0, b_parts : 12 = 0;
};
static_assert(sizeof(Video) == 8);

inline int64_t video_element(uint32_t word, int at, int width, bool is_signed) {
  const uint64_t bits = width == 32 ? word : word >> at & ((1u << width) - 1);
  return is_signed ? int64_t(bits << (64 - width)) >> (64 - width) : int64_t(bits);
}
// part: 0 the word, 1 … 4 a byte, 5 and 6 a half-word
inline int video_width(int part) { return part == 0 ? 32 : part <= 4 ? 8 : 16; }
inline int video_place(int part) {
  return part == 0 ? 0 : part <= 4 ? 8 * (part - 1) : 16 * (part - 5);
}

inline int64_t video_clamp(int64_t x, int width, bool is_signed) {
  const int64_t low = is_signed ? -(int64_t(1) << (width - 1)) : 0,
                high = (int64_t(1) << (width - is_signed)) - 1;
  return x < low ? low : x > high ? high : x;
}
inline bool video_holds(int relation, int64_t a, int64_t b) {
  switch (relation) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    default: return a >= b;
  }
}
inline int64_t video_value(Video v, int64_t a, int64_t b) {
  switch (v.operation) {
    case VideoOperation::add: return a + b;
    case VideoOperation::sub: return a - b;
    case VideoOperation::absdiff: return a < b ? b - a : a - b;
    case VideoOperation::min: return a < b ? a : b;
    case VideoOperation::max: return a > b ? a : b;
    case VideoOperation::avrg: return (a + b + (a + b >= 0)) >> 1;   // halves go away from zero
    case VideoOperation::set: return video_holds(int(v.relation), a, b);
    default: break;
  }
  const uint32_t amount = v.wrap ? uint32_t(b) & 31 : uint32_t(b) > 32 ? 32 : uint32_t(b);
  return v.operation == VideoOperation::shl ? int64_t(uint64_t(a) << amount) : a >> amount;
}

// The product is of signed words, whatever the types say, and so is c.
inline uint32_t video_mad(Video v, int64_t a, int64_t b, uint32_t c) {
  const bool is_signed = v.a_signed || v.b_signed || v.negate_product || v.negate_c;
  const uint64_t product = uint64_t(int64_t(int32_t(a)) * int32_t(b)),
                 addend = uint64_t(int64_t(int32_t(c)));
  uint64_t sum = (v.negate_product ? 0 - product : product) + (v.negate_c ? 0 - addend : addend);
  sum += v.plus_one;
  sum = is_signed ? uint64_t(int64_t(sum) >> v.scale) : sum >> v.scale;
  return uint32_t(v.saturate ? video_clamp(int64_t(sum), 32, is_signed) : int64_t(sum));
}

// Saturation as ptxas makes it. Words: an unsigned shift is clamped, what is unsigned otherwise is
// kept from being negative only; the result of a shift has 34 bits. Parts (no shifts): what is
// negative becomes the largest.
inline int64_t video_saturated(Video v, int64_t x, bool shift) {
  if (shift) return video_clamp(int64_t(uint64_t(x) << 30) >> 30, 32, v.d_signed);
  if (v.d_part) {
    const int64_t high = (int64_t(1) << (video_width(int(v.d_part)) - v.d_signed)) - 1;
    return uint64_t(x) > uint64_t(high) ? high : x;
  }
  return v.d_signed ? video_clamp(x, 32, true) : x < 0 ? 0 : x;
}

// The second operation takes sums, differences and clamped values as signed words, all others as
// they are; compares with c as d's type says.
inline uint32_t video_second(Video v, int64_t value, bool word, uint32_t c) {
  if (v.second == VideoSecond::add) return uint32_t(value) + c;
  const int64_t x = word ? int64_t(int32_t(value)) : value;
  const int64_t other = v.d_signed ? int64_t(int32_t(c)) : int64_t(c);
  const bool below = v.d_signed ? x < other : uint64_t(x) < uint64_t(other);
  return below == (v.second == VideoSecond::min) ? uint32_t(x) : c;
}

inline uint32_t video_one(Video v, uint32_t a, uint32_t b, uint32_t c) {
  const int a_part = int(v.a_parts), b_part = int(v.b_parts), d_part = int(v.d_part);
  const int64_t x = video_element(a, video_place(a_part), video_width(a_part), v.a_signed);
  const int64_t y = video_element(b, video_place(b_part), video_width(b_part), v.b_signed);
  if (v.operation == VideoOperation::mad) return video_mad(v, x, y, c);
  int64_t value = video_value(v, x, y);
  const bool shift = v.operation == VideoOperation::shl || v.operation == VideoOperation::shr;
  if (v.saturate) value = video_saturated(v, value, shift);
  const bool sum = v.operation == VideoOperation::add || v.operation == VideoOperation::sub;
  if (v.second != VideoSecond::none)
    return video_second(v, value, sum || (v.saturate && (shift || v.d_signed)), c);
  if (d_part == 0) return uint32_t(value);
  if (d_part == 6) return (uint32_t(value) & 0xffff0000) | (c & 0xffff);   // ptxas does not move it
  const int width = video_width(d_part), place = video_place(d_part);
  const uint32_t mask = ((1u << width) - 1) << place;
  return (c & ~mask) | (uint32_t(value) << place & mask);
}

inline uint32_t video_several(Video v, uint32_t a, uint32_t b, uint32_t c) {
  const int count = int(v.parts), width = 32 / count, selector = count == 4 ? 3 : 2,
            all = (1 << selector) - 1;
  auto pick = [&](int parts, int i, bool is_signed) {
    const int part = parts >> (selector * i) & all;
    return video_element(part < count ? a : b, part % count * width, width, is_signed);
  };
  uint32_t result = v.second == VideoSecond::add ? c : 0;
  for (int i = 0; i < count; ++i) {
    const uint32_t mask = ((1u << width) - 1) << (width * i);
    if (v.d_part >> i & 1) {
      int64_t value =
          video_value(v, pick(int(v.a_parts), i, v.a_signed), pick(int(v.b_parts), i, v.b_signed));
      if (v.saturate) value = video_clamp(value, width, v.d_signed);
      if (v.second == VideoSecond::add)
        result += uint32_t(value);
      else
        result |= uint32_t(value) << (width * i) & mask;
    } else if (v.second != VideoSecond::add) {
      result |= c & mask;
    }
  }
  return result;
}

inline uint32_t video(Video v, uint32_t a, uint32_t b, uint32_t c) {
  return v.parts == 1 ? video_one(v, a, b, c) : video_several(v, a, b, c);
}

}   // namespace headroom::sim::meaning
