#include "device/tensor_map.h"

#include <fmt/format.h>

#include <cstring>

#include "device/say.h"
#include "sim/tensor_map.h"

namespace headroom::device {
using sim::TensorMap;
namespace {

// Arguments that are no good throw this.
struct Refusal {
  std::string what;
};
void require(bool holds, const std::string& what) {
  if (!holds) throw Refusal{what};
}

constexpr unsigned widest_promotion = 3;  // to 256 bytes

TensorMap common_of(const void* map, const Tensor& a, uint32_t least_rank) {
  require(map && uint64_t(map) % tensor_map_alignment == 0,
          "tensorMap must be aligned to 64 bytes");
  require(a.element <= TensorMap::tf32_ftz,
          "tensorDataType: packed 4- and 6-bit types are not of this machine");
  require(a.rank >= least_rank && a.rank <= 5,
          fmt::format("tensorRank is {}, not from {} to 5", a.rank, least_rank));
  require(a.size && a.step && (a.stride || a.rank == 1), "an array is a null pointer");
  require(a.interleave == TensorMap::linear,
          "interleaved layouts are not executed yet: use CU_TENSOR_MAP_INTERLEAVE_NONE");
  require(a.swizzle <= TensorMap::swizzle_128,
          "swizzle: chunks of 32 and 64 bytes are not of this machine");
  require(a.promotion <= widest_promotion, "l2Promotion has no such value");
  require(a.address % 16 == 0,
          fmt::format("globalAddress {:#x} is not aligned to 16 bytes", a.address));
  TensorMap out;
  out.signed_by = TensorMap::signature;
  out.rank = uint8_t(a.rank);
  out.type = uint8_t(a.element);
  out.swizzle = uint8_t(a.swizzle);
  out.promotion = uint8_t(a.promotion);
  out.fill = uint8_t(a.fill);
  require(a.fill == TensorMap::zeros || (a.fill == TensorMap::nans && out.is_float()),
          "oobFill: only elements of a floating-point type are filled with NaN");
  out.address = a.address;
  for (size_t d = 0; d < a.rank; ++d) {
    require(a.size[d] >= 1 && a.size[d] <= 1ull << 32,
            fmt::format("globalDim[{}] is {}, not from 1 to 2^32", d, a.size[d]));
    require(a.step[d] >= 1 && a.step[d] <= 8,
            fmt::format("elementStrides[{}] is {}, not from 1 to 8", d, a.step[d]));
    out.last[d] = uint32_t(a.size[d] - 1);
    out.element_stride[d] = uint8_t(a.step[d]);
    if (d == 0) continue;
    require(a.stride[d - 1] % 16 == 0 && a.stride[d - 1] < 1ull << 40,
            fmt::format("globalStrides[{}] is {}, not a multiple of 16 below 2^40", d - 1,
                        a.stride[d - 1]));
    out.stride[d - 1] = a.stride[d - 1];
  }
  return out;
}

void require_row(const TensorMap& map, uint64_t elements, const char* name) {
  const uint64_t bytes = elements * map.element();
  require(elements >= 1 && elements <= 256,
          fmt::format("{} is {}, not from 1 to 256", name, elements));
  require(bytes % 16 == 0, fmt::format("{} makes {} bytes, not a multiple of 16", name, bytes));
  require(!map.swizzle || bytes <= 16ull << map.swizzle,
          fmt::format("{} makes {} bytes, more than the {} of the swizzle", name, bytes,
                      16 << map.swizzle));
}

template <class Make>
Status encode(const char* call, void* out, Make&& make) {
  try {
    const TensorMap map = make();
    std::memcpy(out, &map, sizeof map);
    return Status::ok;
  } catch (const Refusal& refusal) {
    say(fmt::format("{}: {}: the program gets CUDA_ERROR_INVALID_VALUE", call, refusal.what));
    return Status::invalid_value;
  }
}

// How far a corner may be from the tensor's, by dimensions of the pixels.
constexpr int corner_limit[] = {0, 1 << 15, 1 << 7, 1 << 4};

}  // namespace

Status encode_tiles(const char* call, void* map, const Tensor& tensor, const uint32_t* box) {
  return encode(call, map, [&] {
    TensorMap out = common_of(map, tensor, 1);
    require(box != nullptr, "boxDim is a null pointer");
    for (size_t d = 0; d < tensor.rank; ++d) {
      require(box[d] >= 1 && box[d] <= 256,
              fmt::format("boxDim[{}] is {}, not from 1 to 256", d, box[d]));
      out.box[d] = uint16_t(box[d]);
    }
    require_row(out, box[0], "boxDim[0]");
    return out;
  });
}

Status encode_pixels(const char* call, void* map, const Tensor& tensor, const PixelBox& box) {
  return encode(call, map, [&] {
    TensorMap out = common_of(map, tensor, 3);
    require(box.lower && box.upper, "a corner is a null pointer");
    out.im2col = 1;
    const size_t spatial = tensor.rank - 2;
    for (size_t d = 0; d < spatial; ++d) {
      const int limit = corner_limit[spatial];
      for (const int corner : {box.lower[d], box.upper[d]})
        require(corner >= -limit && corner < limit,
                fmt::format("a pixel box's corner is {}, not from {} to {}", corner, -limit,
                            limit - 1));
      out.lower[d] = int16_t(box.lower[d]);
      out.upper[d] = int16_t(box.upper[d]);
      require(int64_t(tensor.size[d + 1]) + box.upper[d] > box.lower[d],
              "the box of pixels is empty");
    }
    require_row(out, box.channels, "channelsPerPixel");
    require(box.pixels >= 1 && box.pixels <= 1024,
            fmt::format("pixelsPerColumn is {}, not from 1 to 1024", box.pixels));
    out.box[0] = uint16_t(box.channels);
    out.pixels = box.pixels;
    return out;
  });
}

Status replace_tensor_address(void* map, uint64_t address) {
  if (!map || address % 16) return Status::invalid_value;
  TensorMap now;
  std::memcpy(&now, map, sizeof now);
  if (now.signed_by != TensorMap::signature) return Status::invalid_value;
  now.address = address;
  std::memcpy(map, &now, sizeof now);
  return Status::ok;
}

}  // namespace headroom::device
