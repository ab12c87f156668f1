// A tensor map: what cuTensorMapEncodeTiled or …Im2col made of a tensor in global memory and of the
// boxes that are copied out of it. 128 bytes in a layout of our own; programs may only hand it on.
//
//   64 rows of 128 floats, boxes of 8 rows of 32, swizzled: rank 2, type f32, size {128, 64},
//   stride {512}, box {32, 8}, element_stride {1, 1}, swizzle 3
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace headroom::sim {

struct TensorMap {
  static constexpr uint32_t signature = 0x50414d54;
  enum Type : uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };
  enum Interleave : uint8_t { linear, slices_16, slices_32 };  // of bytes a pixel
  enum Swizzle : uint8_t { none, swizzle_32, swizzle_64, swizzle_128 };
  enum Fill : uint8_t { zeros, nans };

  uint32_t signed_by = 0;  // signature
  uint8_t rank = 0, type = 0, interleave = 0, swizzle = 0, promotion = 0, fill = 0, im2col = 0,
          unused = 0;
  uint32_t pixels = 0;                      // im2col: pixels of a column
  uint64_t address = 0;                     // of the first element
  std::array<uint64_t, 4> stride{};         // bytes from one to the next in dimensions 1, 2 …
  std::array<uint32_t, 5> last{};           // size - 1, as sizes go to 2^32
  std::array<uint16_t, 5> box{};            // im2col: [0] is channels of a pixel
  std::array<uint8_t, 6> element_stride{};  // elements from one copied to the next
  std::array<int16_t, 3> lower{}, upper{};  // im2col: corners of the pixels' box
  std::array<uint8_t, 22> rest{};

  uint64_t size(int dimension) const { return uint64_t(last[size_t(dimension)]) + 1; }
  uint64_t element() const;  // bytes
  bool is_float() const { return type >= f16; }
  // Why it is none that the driver makes, as its bytes were changed; empty: it is one.
  std::string problem() const;
  // What an atomic on an element is called: "f32"; bitwise ones take "b32".
  std::string_view type_name(bool bitwise) const;
};
static_assert(sizeof(TensorMap) == 128);

// Where the 16 bytes at a shared address lie in a swizzled box: bits 4 … 6 of the address change
// with bits 7 … 9, as many of them as the span has chunks.
constexpr uint64_t swizzled(uint64_t address, uint8_t swizzle) {
  const uint64_t chunks = swizzle ? (1u << swizzle) - 1 : 0;
  return address ^ (address >> 7 & chunks) << 4;
}

}  // namespace headroom::sim
