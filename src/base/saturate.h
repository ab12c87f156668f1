// Sums and products of sizes that a program gives: where 64 bits do not hold the result it is the
// largest number there is, which no range check lets pass.
//
//   saturated_add(8, size_t(-4))    UINT64_MAX, not 4
//   saturated_multiply(2, 3)        6
#pragma once
#include <cstdint>

namespace headroom {

constexpr uint64_t saturated_add(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

constexpr uint64_t saturated_multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// The next multiple of `step`, a power of two; past the last one the largest number.
constexpr uint64_t saturated_round_up(uint64_t bytes, uint64_t step) {
  const uint64_t most = saturated_add(bytes, step - 1);
  return most == UINT64_MAX ? most : most & ~(step - 1);
}

// Whether [address, address + bytes) lies in [begin, end), also where the sum would wrap.
constexpr bool is_within(uint64_t address, uint64_t bytes, uint64_t begin, uint64_t end) {
  return address >= begin && address <= end && bytes <= end - address;
}

}  // namespace headroom
