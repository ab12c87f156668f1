// Tensor maps as programs have them made: the checks of a driver, then a map of ours (sim/tensor_map.h)
// in the 128 bytes. What is wrong is said once, as a driver says an invalid value and no more.
//
//   Tensor rows{Element::f32, 2, address, {128, 64}, {512}, {1, 1}, …};
//   encode_tiles("cuTensorMapEncodeTiled", bytes, rows, {32, 8})   boxes of 8 rows of 32 floats
#pragma once
#include <cstdint>

#include "device/status.h"

namespace headroom::device {

// The part of a request that both kinds of map have. Its numbers are those of both sim::TensorMap
// and the driver API.
struct Tensor {
  unsigned element = 0;  // type
  uint32_t rank = 0;
  uint64_t address = 0;
  const uint64_t* size = nullptr;
  const uint64_t* stride = nullptr;  // bytes, from dimension 1 on
  const uint32_t* step = nullptr;    // elements
  unsigned interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};

// What a box of pixels takes in, for convolutions.
struct PixelBox {
  const int *lower = nullptr, *upper = nullptr;  // corners, by dimension
  uint32_t channels = 0, pixels = 0;
};

inline constexpr uint64_t tensor_map_bytes = 128, tensor_map_alignment = 64;

Status encode_tiles(const char* call, void* map, const Tensor&, const uint32_t* box);
Status encode_pixels(const char* call, void* map, const Tensor&, const PixelBox&);
Status replace_tensor_address(void* map, uint64_t address);

}  // namespace headroom::device
