// The operations of texture and surface instructions: a lane at a time, through texture.h.
//
//   operand[0 … 3] the channels, [4] the object's handle, [5 …] layer and coordinates
#pragma once
#include "sim/program.h"

namespace headroom::sim {

enum class TextureAction : uint8_t {
  read,
  element,
  gather,
  load,
  store,
  store_sample,
  reduce,
  ask
};
enum class SurfaceReduction : uint8_t { add, min, max, and_, or_ };
enum class Geometry : uint8_t { d1, d2, d3, a1d, a2d, cube };
enum class ClampMode : uint8_t { trap, clamp, zero };

// Operation::extra: geometry, clamp mode << 8, channels << 16, bytes of a register << 24, and
inline constexpr uint64_t wants_float = uint64_t(1) << 32;
inline constexpr uint64_t of_surface = uint64_t(1) << 33;
inline constexpr uint64_t of_samples = uint64_t(1) << 34;   // x counts elements, not bytes
inline constexpr uint64_t signed_type = uint64_t(1) << 35;  // a reduction's type
inline constexpr uint64_t of_level = uint64_t(1) << 36;     // operand[5]: which
inline constexpr uint64_t of_any = uint64_t(1) << 37;  // a question about either kind of object
// Operation::offset: the channel gathered, the reduction, or the question asked (width, height,
// depth, array_size, normalized_coords).

Handler texture_handler(TextureAction);

}  // namespace headroom::sim
