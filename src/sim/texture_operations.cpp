#include "sim/texture_operations.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "sim/machinery.h"
#include "sim/observer.h"
#include "sim/texture.h"

namespace headroom::sim {
namespace {

template <class T>
T& lane_of(Warp& warp, uint32_t operand, int lane) {
  return *reinterpret_cast<T*>(warp.base + operand + size_t(lane) * sizeof(T));
}

[[noreturn]] void fail(const Operation& operation, int lane, std::optional<uint64_t> address,
                       const std::string& what, int code) {
  throw Fault{"illegal_texture", what, code, address, operation.instruction, lane};
}

// The object behind a handle; as a rule all lanes have the same.
struct Objects {
  const Operation& operation;
  bool surface;
  uint64_t last = 0;
  const Texture* found = nullptr;

  const Texture& at(uint64_t handle, int lane) {
    if (found && handle == last) return *found;
    const auto entry = textures().find(handle);
    const bool either = operation.extra & of_any;
    if (entry == textures().end() || (entry->second.surface != surface && !either))
      fail(operation, lane, handle,
           std::string("no ") + (surface ? "surface" : "texture") + " object has the handle " +
               std::to_string(handle),
           717);
    last = handle;
    found = &entry->second;
    return *found;
  }
};

Objects objects(const Operation& operation, bool surface) { return {operation, surface}; }

Geometry geometry_of(const Operation& operation) { return Geometry(operation.extra & 0xff); }
bool is_layered(Geometry g) { return g == Geometry::a1d || g == Geometry::a2d; }
int dimensions(Geometry g) {
  return g == Geometry::d3 || g == Geometry::cube  ? 3
         : g == Geometry::d2 || g == Geometry::a2d ? 2
                                                   : 1;
}

void keep(Warp& warp, const Operation& operation, int lane, const Texel& texel) {
  for (int c = 0; c < 4; ++c) lane_of<uint32_t>(warp, operation.operand[c], lane) = texel[c];
}

// What the lanes of an instruction touch, for the observer. A read of several elements is as many
// accesses: the first element of every lane, the second of those that have one, …
class Touched {
 public:
  Touched(const Warp& warp, const Operation& operation, Use use)
      : warp_(warp), operation_(operation), use_(use) {}
  void tell() const {
    for (const Round& round : rounds_) {
      if (!round.mask) break;
      observe(warp_, operation_, {Place::texture, use_, round.mask, bytes_}, round.address);
    }
  }
  // Null where nobody looks.
  Reads* reads() {
    reads_.count = 0;
    return warp_.block->machinery->observer ? &reads_ : nullptr;
  }
  void note(int lane, uint32_t bytes) {
    for (int i = 0; i < reads_.count; ++i) note(lane, size_t(i), reads_.address[size_t(i)], bytes);
  }
  void note(int lane, const std::byte* at, uint32_t bytes) {
    if (at) note(lane, 0, reinterpret_cast<uint64_t>(at), bytes);
  }

 private:
  void note(int lane, size_t round, uint64_t address, uint32_t bytes) {
    rounds_[round].mask |= 1u << lane;
    rounds_[round].address[lane] = address;
    bytes_ = uint8_t(bytes);
  }

  struct Round {
    uint32_t mask = 0;
    uint64_t address[lanes];
  };
  const Warp& warp_;
  const Operation& operation_;
  const Use use_;
  uint8_t bytes_ = 0;
  Reads reads_;
  std::array<Round, 8> rounds_;
};

// A direction meets a face of the cube, which is a layer: the programming guide's table; of two
// faces the one of z, then of y.
Coordinates on_face(const std::array<float, 3>& to) {
  const auto [x, y, z] = to;
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  struct Face {
    uint32_t number;
    float along, s, t;
  };
  const Face at = az >= ay && az >= ax ? Face{4u + (z < 0), az, z < 0 ? -x : x, -y}
                  : ay >= ax           ? Face{2u + (y < 0), ay, x, y < 0 ? -z : z}
                                       : Face{x < 0, ax, x < 0 ? z : -z, -y};
  // No direction: machine code divides by the largest part, so that all three are NaN there.
  if (at.along == 0 || (std::isnan(x) && std::isnan(y) && std::isnan(z)))
    return {{0.5f, 0.5f, 0}, 4};
  return {{(at.s / at.along + 1) / 2, (at.t / at.along + 1) / 2, 0}, at.number};
}

Coordinates coordinates(Warp& warp, const Operation& operation, int lane) {
  Coordinates where;
  int operand = 5;
  if (is_layered(geometry_of(operation)))
    where.layer = lane_of<uint32_t>(warp, operation.operand[operand++], lane);
  for (int d = 0; d < dimensions(geometry_of(operation)); ++d)
    where.at[size_t(d)] = lane_of<float>(warp, operation.operand[operand++], lane);
  return geometry_of(operation) == Geometry::cube ? on_face(where.at) : where;
}

void read_texture(Warp& warp, const Operation& operation) {
  Touched touched(warp, operation, Use::load);
  Objects all = objects(operation, false);
  each_lane(warp, [&](int lane) {
    const Texture& t = all.at(lane_of<uint64_t>(warp, operation.operand[4], lane), lane);
    keep(warp, operation, lane,
         texel(t, coordinates(warp, operation, lane), operation.extra & wants_float,
               touched.reads()));
    touched.note(lane, t.element());
  });
  touched.tell();
}

void read_element(Warp& warp, const Operation& operation) {
  Touched touched(warp, operation, Use::load);
  Objects all = objects(operation, false);
  each_lane(warp, [&](int lane) {
    const Texture& t = all.at(lane_of<uint64_t>(warp, operation.operand[4], lane), lane);
    const int32_t index = lane_of<int32_t>(warp, operation.operand[5], lane);
    keep(warp, operation, lane, element(t, index, operation.extra & wants_float, touched.reads()));
    touched.note(lane, t.element());
  });
  touched.tell();
}

void gather_texture(Warp& warp, const Operation& operation) {
  Touched touched(warp, operation, Use::load);
  Objects all = objects(operation, false);
  each_lane(warp, [&](int lane) {
    const Texture& t = all.at(lane_of<uint64_t>(warp, operation.operand[4], lane), lane);
    keep(warp, operation, lane,
         gather(t, coordinates(warp, operation, lane), int(operation.offset),
                operation.extra & wants_float, touched.reads()));
    touched.note(lane, t.element());
  });
  touched.tell();
}

// --- surfaces: x counts bytes or elements, y and z elements ---

struct Spot {
  std::byte* at;  // null: outside, where reads give 0 and writes go nowhere
};

Spot spot(Warp& warp, const Operation& operation, const Texture& t, int lane) {
  int operand = 5;
  int64_t layer = 0, at[3] = {};
  if (is_layered(geometry_of(operation)))
    layer = lane_of<uint32_t>(warp, operation.operand[operand++], lane);
  for (int d = 0; d < dimensions(geometry_of(operation)); ++d)
    at[d] = lane_of<int32_t>(warp, operation.operand[operand++], lane);
  const int64_t size[3] = {int64_t(t.width) * t.element(), std::max<int64_t>(t.height, 1),
                           std::max<int64_t>(t.depth, 1)};
  const int64_t layers = std::max<int64_t>(t.layers, 1);
  const int64_t bytes = operation.extra & of_samples ? int64_t(t.element()) : operation.bytes;
  if (operation.extra & of_samples) at[0] *= bytes;
  bool outside = at[0] < 0 || at[0] + bytes > size[0] || layer >= layers;
  for (int d = 1; d < 3; ++d) outside |= at[d] < 0 || at[d] >= size[d];
  if (outside) {
    const auto clamp = ClampMode(operation.extra >> 8 & 0xff);
    if (clamp == ClampMode::zero) return {nullptr};
    if (clamp == ClampMode::trap)
      fail(operation, lane, uint64_t(at[0]),
           "byte " + std::to_string(at[0]) + ", row " + std::to_string(at[1]) + ", slice " +
               std::to_string(std::max(at[2], layer)) + " lies outside of the surface",
           719);
    at[0] = std::clamp<int64_t>(at[0], 0, size[0] - bytes);
    for (int d = 1; d < 3; ++d) at[d] = std::clamp<int64_t>(at[d], 0, size[d] - 1);
    layer = std::min(layer, layers - 1);
  }
  if (at[0] % bytes)
    fail(operation, lane, uint64_t(at[0]),
         "byte " + std::to_string(at[0]) + " of a surface is not aligned for an access of " +
             std::to_string(bytes) + " bytes",
         716);
  return {reinterpret_cast<std::byte*>(t.base + uint64_t(at[0]) + uint64_t(at[1]) * t.pitch +
                                       uint64_t(at[2] + layer) * t.slice)};
}

// Calls body(place of the channel, its register, bytes in memory, bytes in the register).
template <bool Store>
void move_surface(Warp& warp, const Operation& operation) {
  Touched touched(warp, operation, Store ? Use::store : Use::load);
  Objects all = objects(operation, true);
  const int count = int(operation.extra >> 16 & 0xff), held = int(operation.extra >> 24 & 0xff);
  const size_t piece = operation.bytes / size_t(count);
  each_lane(warp, [&](int lane) {
    const Texture& t = all.at(lane_of<uint64_t>(warp, operation.operand[4], lane), lane);
    const Spot where = spot(warp, operation, t, lane);
    touched.note(lane, where.at, operation.bytes);
    for (int c = 0; c < count; ++c) {
      std::byte* value = warp.base + operation.operand[c] + size_t(lane) * size_t(held);
      if (Store) {
        if (where.at) std::memcpy(where.at + size_t(c) * piece, value, piece);
        continue;
      }
      std::memset(value, 0, size_t(held));
      if (where.at) std::memcpy(value, where.at + size_t(c) * piece, piece);
    }
  });
  touched.tell();
}

// As many of the element's channels as there are values.
void store_sample(Warp& warp, const Operation& operation) {
  Touched touched(warp, operation, Use::store);
  Objects all = objects(operation, true);
  const int count = int(operation.extra >> 16 & 0xff);
  each_lane(warp, [&](int lane) {
    const uint64_t handle = lane_of<uint64_t>(warp, operation.operand[4], lane);
    const Texture& t = all.at(handle, lane);
    if (t.bits != 32)
      fail(operation, lane, handle,
           "sust.p to channels of " + std::to_string(t.bits) +
               " bits is not executed: only those of 32 bits need no conversion",
           719);
    const Spot where = spot(warp, operation, t, lane);
    touched.note(lane, where.at, 4u * uint32_t(std::min<int>(count, t.channels)));
    for (int c = 0; where.at && c < std::min<int>(count, t.channels); ++c)
      std::memcpy(where.at + 4 * c, &lane_of<uint32_t>(warp, operation.operand[c], lane), 4);
  });
  touched.tell();
}

template <class T>
void reduce(std::byte* at, T value, SurfaceReduction how) {
  std::atomic_ref<T> place(*reinterpret_cast<T*>(at));
  T old = place.load();
  const auto next = [&]() -> T {
    switch (how) {
      case SurfaceReduction::add:
        return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value));
      case SurfaceReduction::min: return std::min(old, value);
      case SurfaceReduction::max: return std::max(old, value);
      case SurfaceReduction::and_: return old & value;
      case SurfaceReduction::or_: return old | value;
    }
    return value;
  };
  while (!place.compare_exchange_weak(old, next())) {
  }
}

void reduce_surface(Warp& warp, const Operation& operation) {
  Touched touched(warp, operation, Use::atomic);
  Objects all = objects(operation, true);
  const auto how = SurfaceReduction(operation.offset);
  each_lane(warp, [&](int lane) {
    const uint64_t handle = lane_of<uint64_t>(warp, operation.operand[4], lane);
    const Texture& t = all.at(handle, lane);
    const bool by_format = operation.extra & of_samples;
    if (by_format && (t.element() != 4 || t.channel == Channel::floating))
      fail(operation, lane, handle, "sured.p needs elements of one integer of 32 bits", 719);
    const bool with_sign =
        by_format ? t.channel == Channel::signed_integer : (operation.extra & signed_type) != 0;
    const Spot where = spot(warp, operation, t, lane);
    if (!where.at) return;
    touched.note(lane, where.at, operation.bytes);
    if (operation.bytes == 8 && with_sign)
      reduce(where.at, lane_of<int64_t>(warp, operation.operand[0], lane), how);
    else if (operation.bytes == 8)
      reduce(where.at, lane_of<uint64_t>(warp, operation.operand[0], lane), how);
    else if (with_sign)
      reduce(where.at, lane_of<int32_t>(warp, operation.operand[0], lane), how);
    else
      reduce(where.at, lane_of<uint32_t>(warp, operation.operand[0], lane), how);
  });
  touched.tell();
}

void ask(Warp& warp, const Operation& operation) {
  Objects all = objects(operation, operation.extra & of_surface);
  each_lane(warp, [&](int lane) {
    const Texture& t = all.at(lane_of<uint64_t>(warp, operation.operand[4], lane), lane);
    if (operation.extra & of_level && lane_of<uint32_t>(warp, operation.operand[5], lane) != 0)
      fail(operation, lane, std::nullopt, "a question about a level of a texture that has one only",
           719);
    const uint32_t answers[] = {t.width, t.height, t.depth, t.layers, t.normalised};
    lane_of<uint32_t>(warp, operation.operand[0], lane) = answers[operation.offset];
  });
}

}  // namespace

Handler texture_handler(TextureAction action) {
  switch (action) {
    case TextureAction::read: return &read_texture;
    case TextureAction::element: return &read_element;
    case TextureAction::gather: return &gather_texture;
    case TextureAction::load: return &move_surface<false>;
    case TextureAction::store: return &move_surface<true>;
    case TextureAction::store_sample: return &store_sample;
    case TextureAction::reduce: return &reduce_surface;
    case TextureAction::ask: return &ask;
  }
  return nullptr;
}

}  // namespace headroom::sim
