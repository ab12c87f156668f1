// A matrix in shared memory as the descriptors of wgmma say it. Along rows of A (columns of B) and along
// k it is made of units of 16 bytes, eight of which follow each other at `swizzle` bytes.
//
//   each_unit(Described(descriptor), UnitsOf{.bits = 16, .rows = 16, .k = 16},
//             [](int row, int k, uint64_t address) { … })
#pragma once
#include <cstdint>

namespace headroom::sim {
namespace {  // each file its own: some are compiled for instruction sets that others must not meet

constexpr uint64_t unit_bytes = 16;  // what descriptors count in

struct Described {
  uint64_t start, leading, stride;
  uint64_t swizzle;  // 16: none; 32, 64, 128
  uint64_t mask;     // bits of the address that choose a unit among those of a line

  explicit Described(uint64_t bits) {
    auto field = [&](int at) { return (bits >> at & 0x3fff) * unit_bytes; };
    static constexpr uint64_t sizes[] = {16, 128, 64, 32};
    start = field(0), leading = field(16), stride = field(32);
    swizzle = sizes[bits >> 62];
    mask = swizzle / unit_bytes - 1;
  }
  // Neighbours along k lie in a unit (K-major): unit `u` of row `r`.
  uint64_t of_row(uint64_t r, uint64_t u) const {
    const uint64_t within = r % 8 * swizzle + r / 8 * stride;
    return place(within + (mask ? u * unit_bytes : u * leading));
  }
  // Neighbours along the rows lie in a unit: unit `v` of column k.
  uint64_t of_column(uint64_t k, uint64_t v) const {
    const uint64_t per_line = swizzle / unit_bytes, line = k % 8 * swizzle;
    if (!mask) return place(line + k / 8 * leading + v * stride);
    return place(line + k / 8 * stride + v % per_line * unit_bytes + v / per_line * leading);
  }

 private:
  uint64_t place(uint64_t offset) const {
    const uint64_t address = start + offset;
    return (address ^ (address >> 7 & mask) << 4) & 0x3ffff;
  }
};

struct UnitsOf {
  int bits;             // of an element
  bool across = false;  // neighbours along the rows lie in a unit, not those along k
  int first = 0, rows = 0, k = 0;
};

// Calls body(row, k, address) for the first element of each unit of rows [first, first + rows).
template <class Body>
void each_unit(const Described& from, const UnitsOf& part, Body&& body) {
  const int per_unit = 128 / part.bits;
  if (part.across) {
    for (int x = 0; x < part.k; ++x)
      for (int v = 0; v < part.rows / per_unit; ++v)
        body(v * per_unit, x, from.of_column(uint64_t(x), uint64_t(part.first / per_unit + v)));
    return;
  }
  for (int r = 0; r < part.rows; ++r)
    for (int u = 0; u < part.k / per_unit; ++u)
      body(r, u * per_unit, from.of_row(uint64_t(part.first + r), uint64_t(u)));
}

}  // namespace
}  // namespace headroom::sim
