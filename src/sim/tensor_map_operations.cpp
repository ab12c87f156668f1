#include "sim/tensor_map_operations.h"

#include <bit>
#include <cstring>

#include "sim/spaces.h"
#include "sim/tensor_map.h"

namespace headroom::sim {
namespace {

// The element types of tensormap.replace, numbered otherwise than the driver's.
constexpr TensorMap::Type element_types[] = {
    TensorMap::u8,   TensorMap::u16,  TensorMap::u32,     TensorMap::s32,     TensorMap::u64,
    TensorMap::s64,  TensorMap::f16,  TensorMap::f32,     TensorMap::f32_ftz, TensorMap::f64,
    TensorMap::bf16, TensorMap::tf32, TensorMap::tf32_ftz};

// True if the map can hold the value.
bool replace(TensorMap& map, std::string_view field, size_t dimension, uint64_t value) {
  if (field == "global_address") return map.address = value, value % 16 == 0;
  if (field == "rank") return map.rank = uint8_t(value + 1), value < 5;
  if (field == "elemtype") {
    if (value >= std::size(element_types)) return false;
    map.type = element_types[value];
    return true;
  }
  if (field == "interleave_layout" || field == "swizzle_atomicity") return value == 0;
  if (field == "swizzle_mode") return map.swizzle = uint8_t(value), value <= TensorMap::swizzle_128;
  if (field == "fill_mode") return map.fill = uint8_t(value), value <= 1;
  if (field == "global_stride") {
    if (dimension >= map.stride.size()) return false;
    map.stride[dimension] = value;
    return value % 16 == 0 && value < 1ull << 40;
  }
  if (dimension >= map.box.size()) return false;
  if (field == "box_dim") return map.box[dimension] = uint16_t(value), value >= 1 && value <= 256;
  if (field == "global_dim") return map.last[dimension] = uint32_t(value - 1), value >= 1;
  // element_stride
  return map.element_stride[dimension] = uint8_t(value), value >= 1 && value <= 8;
}

uint64_t column(const Warp& warp, uint32_t operand, int lane) {
  return reinterpret_cast<const uint64_t*>(warp.base + operand)[lane];
}

}  // namespace

void replace_in_tensor_map(Warp& warp, const Operation& operation) {
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t address = column(warp, operation.operand[0], lane);
    std::byte* place = (operation.site ? resolve_shared : resolve_generic)(
        warp, lane, address, sizeof(TensorMap), "store", operation.instruction);
    TensorMap map;
    std::memcpy(&map, place, sizeof map);
    const std::string field(tensor_map_fields[operation.offset]);
    const uint64_t value = column(warp, operation.operand[1], lane);
    std::string wrong;
    if (map.signed_by != TensorMap::signature)
      wrong = "no tensor map lies at this address";
    else if (!replace(map, field, operation.extra, value))
      wrong = "." + field + " of a tensor map cannot be " + std::to_string(value);
    if (!wrong.empty())
      throw Fault{"illegal_tensor_map", wrong, 715, address, operation.instruction, lane};
    std::memcpy(place, &map, sizeof map);
  }
}

void copy_tensor_map(Warp& warp, const Operation& operation) {
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::byte* from = resolve_shared(warp, lane, column(warp, operation.operand[1], lane),
                                           sizeof(TensorMap), "load", operation.instruction);
    std::memcpy(resolve_global(warp, lane, column(warp, operation.operand[0], lane),
                               sizeof(TensorMap), "store", operation.instruction),
                from, sizeof(TensorMap));
  }
}

}  // namespace headroom::sim
