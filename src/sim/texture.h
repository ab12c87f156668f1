// Textures and surfaces: elements in device memory, and how they are read through coordinates.
//
//   texel(t, {{1.25f, 0.5f}})   the four channels at column 1, row 0 (point), or between the four
//                               elements around it (linear)
//
// As the CUDA programming guide has it ("Texture Fetching"), and below that as an H200 does it:
// texture_filter.h says how a linear filter sums.
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>

namespace headroom::sim {

enum class Channel : uint8_t { signed_integer, unsigned_integer, floating };
enum class Wrap : uint8_t { wrap, clamp, mirror, border };  // numbered as cudaTextureAddressMode

// What an object stands for: a piece of memory, and for textures the way of reading it.
struct Texture {
  uint64_t base = 0;                                      // address of the first element
  uint64_t pitch = 0, slice = 0;                          // bytes to the next row, slice or layer
  uint32_t width = 1, height = 0, depth = 0, layers = 0;  // elements; 0: not in that dimension
  uint8_t channels = 1, bits = 32;                        // of one channel
  Channel channel = Channel::floating;
  bool linear_memory = false;  // one row of plain memory
  bool surface = false;

  std::array<Wrap, 3> wrap{};
  bool linear = false;      // filter; else the nearest element
  bool normalised = false;  // coordinates from 0 to 1
  bool as_float = false;    // integers become numbers from 0 or -1 to 1
  bool srgb = false;
  std::array<float, 4> border{};

  uint32_t element() const { return uint32_t(channels) * bits / 8; }  // bytes
};

// By the handle that a program has: those of this process, changed only while no kernel runs.
using Textures = std::unordered_map<uint64_t, Texture>;
Textures& textures();

// Four channels; integers keep their bits. Channels that the elements lack are 0, alpha too.
using Texel = std::array<uint32_t, 4>;

struct Coordinates {
  std::array<float, 3> at{};
  uint32_t layer = 0;
};

// Addresses of the elements that a read took in; the border has none.
struct Reads {
  std::array<uint64_t, 8> address{};
  int count = 0;
};

// What type the instruction reads as: tex….v4.f32 asks for floats.
Texel texel(const Texture&, const Coordinates&, bool wants_float, Reads* = nullptr);
// tex….s32 coordinates, of which only a row of plain memory has any use.
Texel element(const Texture&, int64_t index, bool wants_float, Reads* = nullptr);
// tld4: one channel of the four elements that a linear filter would mix, from the lower left on
// against the clock: (0,1) (1,1) (1,0) (0,0).
Texel gather(const Texture&, const Coordinates&, int channel, bool wants_float, Reads* = nullptr);

}  // namespace headroom::sim
