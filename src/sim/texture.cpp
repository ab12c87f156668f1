#include "sim/texture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/texture_filter.h"

namespace headroom::sim {
namespace {

constexpr int fraction = 256;             // a place between elements has 8 bits
constexpr double unit = 1.0 / (1 << 21);  // of a normalised coordinate

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

// A coordinate in elements. A NaN, or what is far away, stays far away and finite. One from 0
// to 1 is cut to 21 bits behind the point, and goes round before it is multiplied.
double scaled(const Texture& t, int dimension, float x) {
  if (!(std::fabs(x) >= std::numeric_limits<float>::min())) return 0;
  const Wrap wrap = wrap_of(t, dimension);
  if (!t.normalised) return std::clamp<double>(x, -0x1p40, 0x1p40);
  const bool goes_round = wrap == Wrap::wrap || wrap == Wrap::mirror;
  if (goes_round && std::isinf(x)) return 0;
  double steps = std::floor(std::clamp<double>(x, -0x1p120, 0x1p120) / unit);
  if (goes_round) {
    const double turn = (wrap == Wrap::mirror ? 2 : 1) / unit;
    steps = std::fmod(steps, turn);
    if (steps < 0) steps += turn;
  }
  return std::clamp(steps, -0x1p31, 0x1p31) * extent(t, dimension) * unit;
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

Texel bits_at(const Texture& t, const std::array<int64_t, 3>& at, uint32_t layer, Reads* reads) {
  uint64_t address;
  if (!find(t, at, layer, address)) return of_border(t);
  if (reads) reads->address[size_t(reads->count++)] = address;
  return stored(t, address);
}

Texel nearest(const Texture& t, const std::array<int64_t, 3>& at, uint32_t layer, bool wants_float,
              Reads* reads) {
  Texel out = bits_at(t, at, layer, reads);
  if (gives_numbers(t) && wants_float)
    for (int c = 0; c < t.channels; ++c) out[c] = as_float_bits(t, out[c], c);
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

// Beyond the outermost elements' middles there is nothing to mix.
Between filtered(const Texture& t, int dimension, float x) {
  const double at = scaled(t, dimension, x);
  if (wrap_of(t, dimension) != Wrap::clamp) return between(at);
  return between(std::clamp(at, 0.5, extent(t, dimension) - 0.5));
}

}  // namespace

Textures& textures() {
  static auto* only = new Textures;
  return *only;
}

Texel texel(const Texture& t, const Coordinates& where, bool wants_float, Reads* reads) {
  const int count = dimensions(t);
  if (!t.linear || !wants_float || !gives_numbers(t)) {
    std::array<int64_t, 3> at{};
    for (int d = 0; d < count; ++d) at[d] = int64_t(std::floor(scaled(t, d, where.at[d])));
    return nearest(t, at, where.layer, wants_float, reads);
  }
  Between parts[3] = {};
  std::array<int, 3> above{};
  for (int d = 0; d < count; ++d) {
    parts[d] = filtered(t, d, where.at[d]);
    above[d] = parts[d].weight;
  }
  // A line is a plane of one row, read at 0: half of it is what lies below that row. Only a border
  // differs from the row itself.
  const bool beside_border = count == 1 && t.wrap[1] == Wrap::border;
  if (beside_border) above[1] = whole_weight / 2;
  const std::array<int, 8> weight = weights(above, count + beside_border);
  Texel corners[8], out{};
  for (int corner = 0; corner < 2 && beside_border; ++corner) corners[corner] = of_border(t);
  const int first = beside_border ? 2 : 0;
  for (int corner = 0; corner < 1 << count; ++corner) {
    std::array<int64_t, 3> at{};
    for (int d = 0; d < count; ++d) at[d] = parts[d].below + (corner >> d & 1);
    corners[first + corner] = bits_at(t, at, where.layer, reads);
  }
  for (int c = 0; c < t.channels; ++c) {
    Mixed sum(t, c);
    for (int corner = 0; corner < 1 << (count + beside_border); ++corner)
      sum.add(corner, weight[corner], corners[corner][c]);
    out[c] = sum.result();
  }
  return out;
}

Texel element(const Texture& t, int64_t index, bool wants_float, Reads* reads) {
  if (index >= 0 && index < int64_t(t.width))
    return nearest(t, {index, 0, 0}, 0, wants_float, reads);
  return {};  // beyond plain memory lies nothing
}

Texel gather(const Texture& t, const Coordinates& where, int channel, bool wants_float,
             Reads* reads) {
  const int64_t x = between(scaled(t, 0, where.at[0])).below,
                y = between(scaled(t, 1, where.at[1])).below;
  Texel out;
  const std::array<int64_t, 3> corners[4] = {
      {x, y + 1, 0}, {x + 1, y + 1, 0}, {x + 1, y, 0}, {x, y, 0}};
  for (int i = 0; i < 4; ++i)
    out[i] = nearest(t, corners[i], where.layer, wants_float, reads)[channel];
  return out;
}

}  // namespace headroom::sim
