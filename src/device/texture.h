// Texture and surface objects: a resource, and the way of reading it. The executor has them by the
// handle that a program passes to its kernels (sim/texture.h).
//
//   uint64_t handle;
//   create_texture(session, {.kind = Resource::Kind::array, .array = a}, {.linear = true}, {}, handle)
#pragma once
#include "device/array.h"

namespace headroom::device {

// What an object stands for.
struct Resource {
  enum class Kind { array, mipmapped_array, linear, rows };  // both faces number them so
  Kind kind = Kind::array;
  const void* array = nullptr;  // its handle
  // Linear memory: `bytes` of it, or `height` rows of `width` elements.
  void* pointer = nullptr;
  Format format;
  uint64_t bytes = 0, width = 0, height = 0, pitch = 0;
};

// How it is read; the last line concerns mipmaps, and is told again only.
struct Reading {
  std::array<sim::Wrap, 3> wrap{};
  bool linear = false, as_float = false, normalised = false, srgb = false, seamless = false;
  std::array<float, 4> border{};
  unsigned anisotropy = 0;
  int level_filter = 0, disable_trilinear = 0;
  float level_bias = 0, least_level = 0, most_level = 0;
};

// A view of another shape than the resource's is not supported: this is told again only.
struct View {
  Extent extent;
  unsigned first_level = 0, last_level = 0, first_layer = 0, last_layer = 0;
};

struct TextureObject {
  Resource resource;
  Reading reading;
  View view;
  bool surface = false;
};

// Throw Failure for what is not supported.
Status create_texture(Session&, const Resource&, const Reading&, const View&, uint64_t& handle);
Status create_surface(Session&, const Resource&, uint64_t& handle);
// A handle of no object, or of one of the other kind, is no mistake.
void destroy_texture(Session&, uint64_t handle);
void destroy_surface(Session&, uint64_t handle);
// Null: there is none of that kind with this handle.
const TextureObject* find_texture(const Session&, uint64_t handle);
const TextureObject* find_surface(const Session&, uint64_t handle);

}  // namespace headroom::device
