#include "sim/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace headroom::sim {
namespace {

constexpr int fraction = 256;  // a weight has 8 bits

// One element as it lies in memory: the bits of its channels, integers extended.
Texel stored(const Texture& t, uint64_t address) {
  Texel out{};
  for (int c = 0; c < t.channels; ++c) {
    const auto* at = reinterpret_cast<const std::byte*>(address + uint64_t(c) * t.bits / 8);
    uint32_t bits = 0;
    std::memcpy(&bits, at, t.bits / 8);
    if (t.channel == Channel::signed_integer && t.bits < 32)
      bits = uint32_t(int32_t(bits << (32 - t.bits)) >> (32 - t.bits));
    out[c] = bits;
  }
  return out;
}

double from_srgb(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }

double number(const Texture& t, uint32_t bits, int channel) {
  if (t.channel == Channel::floating)
    return t.bits == 16 ? float(std::bit_cast<_Float16>(uint16_t(bits)))
                        : std::bit_cast<float>(bits);
  if (t.channel == Channel::signed_integer)
    return std::max(-1.0, int32_t(bits) / (std::ldexp(1.0, t.bits - 1) - 1));
  const double value = bits / (std::ldexp(1.0, t.bits) - 1);
  return t.srgb && channel < 3 ? from_srgb(value) : value;
}

bool gives_numbers(const Texture& t) { return t.channel == Channel::floating || t.as_float; }

using Numbers = std::array<double, 4>;

Numbers numbers(const Texture& t, const Texel& texel) {
  Numbers out{0, 0, 0, 1};
  for (int c = 0; c < t.channels; ++c) out[c] = number(t, texel[c], c);
  return out;
}

Texel as_bits(const Numbers& numbers) {
  Texel out;
  for (int c = 0; c < 4; ++c) out[c] = std::bit_cast<uint32_t>(float(numbers[c]));
  return out;
}

uint32_t extent(const Texture& t, int dimension) {
  return dimension == 0 ? t.width : dimension == 1 ? t.height : t.depth;
}
int dimensions(const Texture& t) { return t.depth ? 3 : t.height ? 2 : 1; }

// Wrapping and mirroring are for coordinates from 0 to 1 alone; others are clamped.
Wrap wrap_of(const Texture& t, int dimension) {
  const Wrap wrap = t.wrap[dimension];
  if (t.normalised || wrap == Wrap::border) return wrap;
  return Wrap::clamp;
}

// Back into 0 … n-1; -1 where the border's colour is read.
int64_t place(int64_t i, int64_t n, Wrap wrap) {
  switch (wrap) {
    case Wrap::wrap: return ((i % n) + n) % n;
    case Wrap::clamp: return std::clamp<int64_t>(i, 0, n - 1);
    case Wrap::mirror: {
      const int64_t m = ((i % (2 * n)) + 2 * n) % (2 * n);
      return m < n ? m : 2 * n - 1 - m;
    }
    case Wrap::border: return i < 0 || i >= n ? -1 : i;
  }
  return -1;
}

// A coordinate in elements. What is no number, or far away, stays far away and finite.
double scaled(const Texture& t, int dimension, float x) {
  const double value = t.normalised ? double(x) * extent(t, dimension) : double(x);
  return std::isnan(value) ? 0 : std::clamp(value, -0x1p40, 0x1p40);
}

bool find(const Texture& t, const std::array<int64_t, 3>& at, uint32_t layer, uint64_t& address) {
  int64_t inside[3] = {};
  for (int d = 0; d < dimensions(t); ++d) {
    inside[d] = place(at[d], extent(t, d), wrap_of(t, d));
    if (inside[d] < 0) return false;
  }
  const uint64_t slice = t.layers ? std::min(layer, t.layers - 1) : uint64_t(inside[2]);
  address =
      t.base + uint64_t(inside[0]) * t.element() + uint64_t(inside[1]) * t.pitch + slice * t.slice;
  return true;
}

Numbers numbers_at(const Texture& t, const std::array<int64_t, 3>& at, uint32_t layer) {
  uint64_t address;
  if (find(t, at, layer, address)) return numbers(t, stored(t, address));
  return {t.border[0], t.border[1], t.border[2], t.border[3]};
}

Texel nearest(const Texture& t, const std::array<int64_t, 3>& at, uint32_t layer,
              bool wants_float) {
  if (gives_numbers(t) && wants_float) return as_bits(numbers_at(t, at, layer));
  uint64_t address;
  Texel out{};
  if (find(t, at, layer, address)) return stored(t, address);
  for (int c = 0; c < 4; ++c) out[c] = std::bit_cast<uint32_t>(t.border[c]);
  return out;
}

// The element below a coordinate and the weight, of 256, of the one above.
struct Between {
  int64_t below;
  int weight;
};
Between between(double x) {
  const auto fixed = int64_t(std::floor((x - 0.5) * fraction + 0.5));
  return {fixed >> 8, int(fixed & (fraction - 1))};
}

}  // namespace

Textures& textures() {
  static auto* only = new Textures;
  return *only;
}

Texel texel(const Texture& t, const Coordinates& where, bool wants_float) {
  const int count = dimensions(t);
  if (!t.linear || !wants_float || !gives_numbers(t)) {
    std::array<int64_t, 3> at{};
    for (int d = 0; d < count; ++d) at[d] = int64_t(std::floor(scaled(t, d, where.at[d])));
    return nearest(t, at, where.layer, wants_float);
  }
  Between parts[3] = {};
  for (int d = 0; d < count; ++d) parts[d] = between(scaled(t, d, where.at[d]));
  Numbers sum{};
  for (int corner = 0; corner < 1 << count; ++corner) {
    std::array<int64_t, 3> at{};
    double weight = 1;
    for (int d = 0; d < count; ++d) {
      const bool above = corner >> d & 1;
      at[d] = parts[d].below + above;
      weight *= double(above ? parts[d].weight : fraction - parts[d].weight) / fraction;
    }
    if (weight == 0) continue;
    const Numbers one = numbers_at(t, at, where.layer);
    for (int c = 0; c < 4; ++c) sum[c] += weight * one[c];
  }
  return as_bits(sum);
}

Texel element(const Texture& t, int64_t index, bool wants_float) {
  if (index >= 0 && index < int64_t(t.width)) return nearest(t, {index, 0, 0}, 0, wants_float);
  return {};  // beyond plain memory lies nothing
}

Texel gather(const Texture& t, const Coordinates& where, int channel, bool wants_float) {
  const int64_t x = between(scaled(t, 0, where.at[0])).below,
                y = between(scaled(t, 1, where.at[1])).below;
  Texel out;
  const std::array<int64_t, 3> corners[4] = {
      {x, y + 1, 0}, {x + 1, y + 1, 0}, {x + 1, y, 0}, {x, y, 0}};
  for (int i = 0; i < 4; ++i) out[i] = nearest(t, corners[i], where.layer, wants_float)[channel];
  return out;
}

}  // namespace headroom::sim
