// What golden kernels compute with: for every class of operands 528 rows of four values of 16 bytes; the first 256 rows are all pairs of
// sixteen special values (zeros, ones, extremes, infinities, NaNs, subnormals, counts around the width), the rest random, some of it close
// to one. The same on every machine.
//
//   [ i16 | i32 | … | b128 ], each  [ row 0: a b c d | row 1: a b c d | … ]
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace headroom::golden {

inline constexpr int rows = 528, operand_bytes = 16, row_bytes = 4 * operand_bytes,
                     class_bytes = rows * row_bytes;

struct OperandClass {
  std::string_view name;
  int bytes;  // of a value
};
inline constexpr OperandClass classes[] = {{"i16", 2}, {"i32", 4},  {"i64", 8},   {"i16x2", 4},
                                           {"f16", 2}, {"bf16", 2}, {"f16x2", 4}, {"bf16x2", 4},
                                           {"f32", 4}, {"f64", 8},  {"b128", 16}};
int class_of(std::string_view type);  // "u32" -> 1: index into classes; -1 if there is none

std::vector<uint8_t> input();

}  // namespace headroom::golden
