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

std::string_view TensorMap::type_name(bool bitwise) const {
  return bitwise ? types[type].bits : types[type].name;
}

}  // namespace headroom::sim
