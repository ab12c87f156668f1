#include "sim/texture_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace headroom::sim {
namespace {

constexpr uint32_t canonical_nan = 0x7fff'ffff;
constexpr int kept_of_sum = 37;  // bits of the sum of one slice below the largest element
constexpr int corners_of_slice = 4;

int part(int a, int b) { return (a * b + 128) >> 8; }

// To so many bits, a half away from zero.
double rounded(double value, int bits) {
  int exponent;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return std::copysign(std::ldexp(std::floor(std::ldexp(fraction, bits) + 0.5), exponent - bits),
                       value);
}

// The elements of one slice, aligned at the largest of them.
struct Slice {
  double sum = 0;
  int exponent = INT32_MIN;  // of the largest
};

}  // namespace

// First the slices, then the columns, then the rows share the 256: what is rounded in one of two
// neighbours is the other's loss.
std::array<int, 8> weights(const std::array<int, 3>& fraction, int dimensions) {
  std::array<int, 8> out{};
  const auto [x, y, z] = fraction;
  for (int slice = 0; slice < (dimensions == 3 ? 2 : 1); ++slice) {
    const int all = dimensions < 3 ? whole_weight : slice ? z : whole_weight - z;
    const int right = part(x, all), left = all - right;
    const int upper_right = dimensions > 1 ? part(right, y) : 0;
    const int lower_left = dimensions > 1 ? part(left, whole_weight - y) : left;
    int* at = &out[size_t(slice) * corners_of_slice];
    at[0] = lower_left;
    at[1] = right - upper_right;
    at[2] = left - lower_left;
    at[3] = upper_right;
  }
  return out;
}

void Mixed::add(int corner, int weight, uint32_t stored) {
  weight_[size_t(corner)] = weight;
  stored_[size_t(corner)] = stored;
}

uint32_t Mixed::result() const {
  switch (mix_) {
    case Mixing::single: return floating(23, -126, 4);
    case Mixing::half: return floating(10, -14, 4);
    case Mixing::curved: return floating(10, -14, -3);
    case Mixing::natural: return integer(65535);
    case Mixing::whole: return integer(32767);
  }
  return 0;
}

// `kept` bits of an element count below the last of the largest one.
uint32_t Mixed::floating(int mantissa, int least, int kept) const {
  Slice slices[2];
  bool nan = false, infinite[2] = {};
  for (size_t first = 0; first < 8; first += corners_of_slice) {
    double values[corners_of_slice] = {};
    Slice& slice = slices[first / corners_of_slice];
    for (size_t i = 0; i < corners_of_slice; ++i) {
      if (weight_[first + i] == 0) continue;
      const uint32_t bits = as_float_bits(texture_, stored_[first + i], channel_);
      const double value = std::bit_cast<float>(bits);
      if (std::isnan(value)) nan = true;
      if (std::isinf(value)) infinite[value < 0] = true;
      if (!std::isfinite(value) || (mix_ == Mixing::single && !std::isnormal(float(value))))
        continue;
      values[i] = value;
      if (value != 0) slice.exponent = std::max(slice.exponent, std::ilogb(value));
    }
    if (slice.exponent == INT32_MIN) continue;
    const int unit = std::max(slice.exponent, least) - mantissa - kept;
    for (size_t i = 0; i < corners_of_slice; ++i)
      slice.sum += weight_[first + i] * std::trunc(std::ldexp(values[i], -unit));
    slice.sum = std::ldexp(slice.sum, unit - 8);
  }
  if (nan || (infinite[0] && infinite[1])) return canonical_nan;
  if (infinite[0] || infinite[1]) return infinite[1] ? 0xff80'0000 : 0x7f80'0000;
  double sum = slices[0].sum;
  if (slices[0].exponent != INT32_MIN && slices[1].exponent != INT32_MIN) {
    const int unit = std::max(slices[0].exponent, slices[1].exponent) - kept_of_sum;
    const auto cut = [unit](double v) { return std::floor(std::ldexp(v, -unit)); };
    sum = std::ldexp(cut(slices[0].sum) + cut(slices[1].sum), unit);
  } else {
    sum += slices[1].sum;
  }
  return std::bit_cast<uint32_t>(float(rounded(sum, mantissa + 1)));
}

uint32_t Mixed::integer(int most) const {
  int64_t sum = 0;
  for (size_t i = 0; i < 8; ++i)
    sum += int64_t(weight_[i]) * int32_t(stored_[i]);  // a byte's sign stands in all 32 bits
  // 8 bits become 16: 255 is 65535; for signed ones that is no whole factor.
  if (texture_.bits == 8 && mix_ == Mixing::natural) sum *= 257;
  int64_t value = (sum + 128) >> 8;
  if (texture_.bits == 8 && mix_ == Mixing::whole)
    value = int64_t(std::floor(double(sum) * 32767 / (127 * 256) + 0.5));
  return std::bit_cast<uint32_t>(float(double(std::max<int64_t>(value, -most)) / most));
}

}  // namespace headroom::sim
