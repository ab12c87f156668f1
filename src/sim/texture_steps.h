// The steps of texture and surface instructions: a lane at a time, through texture.h.
//
//   operand[0 … 3] the channels, [4] the object's handle, [5 …] layer and coordinates
#pragma once
#include "sim/step.h"

namespace headroom::sim {

enum class TextureAction : uint8_t { read, element, gather, load, store, ask };
enum class Geometry : uint8_t { d1, d2, d3, a1d, a2d, cube };
enum class ClampMode : uint8_t { trap, clamp, zero };

// Step::extra: geometry, clamp mode << 8, channels << 16, bytes of a register << 24, and
inline constexpr uint64_t wants_float = uint64_t(1) << 32, of_surface = uint64_t(1) << 33;
// Step::offset: the channel gathered, or the question asked (width, height, depth, array_size,
// normalized_coords).

Handler texture_handler(TextureAction);

}  // namespace headroom::sim
