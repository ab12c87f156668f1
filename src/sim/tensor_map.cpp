#include "sim/tensor_map.h"

namespace headroom::sim {
namespace {

struct ElementType {
  uint8_t bytes;
  std::string_view name, bits;
};
constexpr ElementType types[] = {
    {1, "u8", "b8"},   {2, "u16", "b16"}, {4, "u32", "b32"}, {4, "s32", "b32"}, {8, "u64", "b64"},
    {8, "s64", "b64"}, {2, "f16", "b16"}, {4, "f32", "b32"}, {8, "f64", "b64"}, {2, "bf16", "b16"},
    {4, "f32", "b32"}, {4, "f32", "b32"}, {4, "f32", "b32"},
};

}  // namespace

uint64_t TensorMap::element() const { return types[type].bytes; }

std::string TensorMap::problem() const {
  if (type >= std::size(types)) return "an unknown type of elements";
  if (im2col > 1) return "an unknown kind of box";
  if (rank < (im2col ? 3 : 1) || rank > 5) return std::to_string(rank) + " dimensions";
  if (interleave != linear) return "an interleaved layout";
  if (swizzle > swizzle_128) return "an unknown swizzle";
  if (fill > nans || (fill == nans && !is_float())) return "an unknown fill";
  if (address % 16) return "an address that is no multiple of 16";
  for (size_t d = 0; d < rank; ++d) {
    const std::string dimension = " in dimension " + std::to_string(d);
    if (element_stride[d] < 1 || element_stride[d] > 8)
      return "an element stride of " + std::to_string(element_stride[d]) + dimension;
    if ((d == 0 || !im2col) && (box[d] < 1 || box[d] > 256))
      return "a box of " + std::to_string(box[d]) + " elements" + dimension;
    if (d > 0 && (stride[d - 1] % 16 || stride[d - 1] >> 40))
      return "a stride of " + std::to_string(stride[d - 1]) + " bytes" + dimension;
  }
  const uint64_t row = box[0] * element();
  if (row % 16 || (swizzle && row > 16ull << swizzle))
    return "rows of " + std::to_string(row) + " bytes";
  if (!im2col) return "";
  if (pixels < 1 || pixels > 1024) return "columns of " + std::to_string(pixels) + " pixels";
  for (size_t d = 0; d + 2 < rank; ++d)
    if (int64_t(size(int(d) + 1)) + upper[d] <= lower[d]) return "an empty box of pixels";
  return "";
}

std::string_view TensorMap::type_name(bool bitwise) const {
  return bitwise ? types[type].bits : types[type].name;
}

}  // namespace headroom::sim
