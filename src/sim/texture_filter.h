// A linear filter as an H200 has it: weights of 8 bits for up to eight elements, and a sum of them
// whose bits below those of the largest element are cut.
//
//   const auto weight = weights({128, 64, 0}, 2);  // of the corners 000 001 010 011: 96 96 32 32
//   Mixed sum(texture, channel);
//   sum.add(0, weight[0], stored(texture, address)[channel]);  // each corner once
//   uint32_t result = sum.result();
//
// Compared on some 800 000 reads (tests/golden/texture_reads.txt keeps a few thousand): equal in
// every bit for floats of 32 and 16 bits (but for 1 of 1000 in three dimensions, if the elements
// differ by more than 2^30), for unsigned bytes and all 16-bit integers. Signed bytes are within
// 1/32767, sRGB colours within 1/240; on a line they are equal too.
#pragma once
#include <array>
#include <cstdint>

#include "sim/texture_format.h"

namespace headroom::sim {

constexpr int whole_weight = 256;

// Of the corners of a cell, x in the lowest bit of a corner's number; together 256. Given is how
// far (of 256) the place lies towards the upper element in each dimension.
std::array<int, 8> weights(const std::array<int, 3>& fraction, int dimensions);

class Mixed {
 public:
  Mixed(const Texture& t, int channel) : texture_(t), channel_(channel), mix_(mix_of(t, channel)) {}

  void add(int corner, int weight, uint32_t stored);
  uint32_t result() const;  // bits of a float

 private:
  uint32_t floating(int mantissa, int least, int kept) const;
  uint32_t integer(int most) const;

  const Texture& texture_;
  int channel_;
  Mixing mix_;
  std::array<int, 8> weight_{};
  std::array<uint32_t, 8> stored_{};
};

}  // namespace headroom::sim
