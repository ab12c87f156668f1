// What the bits of a texture's element stand for.
//
//   stored(t, address)             the bits of its channels: 0xff in an unsigned byte
//   as_float_bits(t, 0xff, 0)      what a point read gives for one: the bits of 1.0
//   of_border(t)                   the border's colour as the elements could hold it: 0.3 in a byte
//                                  is 76
#pragma once
#include "sim/texture.h"

namespace headroom::sim {

// How a filter mixes channels of a kind: floats of 32 or 16 bits or from sRGB, integers as parts of
// 65535 or 32767.
enum class Mixing : uint8_t { single, half, curved, natural, whole };
Mixing mix_of(const Texture&, int channel);

inline bool gives_numbers(const Texture& t) { return t.channel == Channel::floating || t.as_float; }

Texel stored(const Texture&, uint64_t address);
Texel of_border(const Texture&);
// One channel that gives_numbers, as the bits of a float.
uint32_t as_float_bits(const Texture&, uint32_t bits, int channel);

}  // namespace headroom::sim
