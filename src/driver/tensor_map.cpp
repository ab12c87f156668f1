// cuTensorMapEncodeTiled, …Im2col and cuTensorMapReplaceAddress: the driver's checks of the
// arguments, then a TensorMap of ours in the 128 bytes. What is wrong is said once, as a driver
// says CUDA_ERROR_INVALID_VALUE and no more.
#include "sim/tensor_map.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "device/say.h"
#include "driver/driver.h"

namespace headroom::driver {
using sim::TensorMap;
namespace {

// Arguments that are no good throw this.
struct Refusal {
  std::string what;
};
void require(bool holds, const std::string& what) {
  if (!holds) throw Refusal{what};
}

// What both kinds of map have.
struct Common {
  CUtensorMapDataType type;
  cuuint32_t rank;
  void* address;
  const cuuint64_t* size;
  const cuuint64_t* stride;
  const cuuint32_t* step;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

TensorMap common_of(const CUtensorMap* map, const Common& a, uint32_t least_rank) {
  require(map && uint64_t(map) % 64 == 0, "tensorMap must be aligned to 64 bytes");
  require(a.type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
          "tensorDataType: packed 4- and 6-bit types are not of this machine");
  require(a.rank >= least_rank && a.rank <= 5,
          fmt::format("tensorRank is {}, not from {} to 5", a.rank, least_rank));
  require(a.size && a.step && (a.stride || a.rank == 1), "an array is a null pointer");
  require(a.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE,
          "interleaved layouts are not executed yet: use CU_TENSOR_MAP_INTERLEAVE_NONE");
  require(a.swizzle <= CU_TENSOR_MAP_SWIZZLE_128B,
          "swizzle: chunks of 32 and 64 bytes are not of this machine");
  require(a.promotion <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B, "l2Promotion has no such value");
  require(uint64_t(a.address) % 16 == 0,
          fmt::format("globalAddress {} is not aligned to 16 bytes", a.address));
  TensorMap out;
  out.signed_by = TensorMap::signature;
  out.rank = uint8_t(a.rank);
  out.type = uint8_t(a.type);
  out.swizzle = uint8_t(a.swizzle);
  out.promotion = uint8_t(a.promotion);
  out.fill = uint8_t(a.fill);
  require(a.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE ||
              (a.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA && out.is_float()),
          "oobFill: only elements of a floating-point type are filled with NaN");
  out.address = uint64_t(a.address);
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
CUresult encode(const char* function, CUtensorMap* out, Make&& make) {
  try {
    const TensorMap map = make();
    std::memcpy(out, &map, sizeof map);
    return CUDA_SUCCESS;
  } catch (const Refusal& refusal) {
    say(fmt::format("{}: {}: the program gets CUDA_ERROR_INVALID_VALUE", function, refusal.what));
    return CUDA_ERROR_INVALID_VALUE;
  }
}

// How far a corner may be from the tensor's, by dimensions of the pixels.
constexpr int corner_limit[] = {0, 1 << 15, 1 << 7, 1 << 4};

}  // namespace

CUresult tensor_map_encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                 void* address, const cuuint64_t* size, const cuuint64_t* stride,
                                 const cuuint32_t* box, const cuuint32_t* step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return encode("cuTensorMapEncodeTiled", map, [&] {
    TensorMap out = common_of(
        map, {type, rank, address, size, stride, step, interleave, swizzle, promotion, fill}, 1);
    require(box != nullptr, "boxDim is a null pointer");
    for (size_t d = 0; d < rank; ++d) {
      require(box[d] >= 1 && box[d] <= 256,
              fmt::format("boxDim[{}] is {}, not from 1 to 256", d, box[d]));
      out.box[d] = uint16_t(box[d]);
    }
    require_row(out, box[0], "boxDim[0]");
    return out;
  });
}

CUresult tensor_map_encode_im2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                  void* address, const cuuint64_t* size, const cuuint64_t* stride,
                                  const int* lower, const int* upper, cuuint32_t channels,
                                  cuuint32_t pixels, const cuuint32_t* step,
                                  CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                  CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return encode("cuTensorMapEncodeIm2col", map, [&] {
    TensorMap out = common_of(
        map, {type, rank, address, size, stride, step, interleave, swizzle, promotion, fill}, 3);
    require(lower && upper, "a corner is a null pointer");
    out.im2col = 1;
    const size_t spatial = rank - 2;
    for (size_t d = 0; d < spatial; ++d) {
      const int limit = corner_limit[spatial];
      for (const int corner : {lower[d], upper[d]})
        require(corner >= -limit && corner < limit,
                fmt::format("a pixel box's corner is {}, not from {} to {}", corner, -limit,
                            limit - 1));
      out.lower[d] = int16_t(lower[d]);
      out.upper[d] = int16_t(upper[d]);
      require(int64_t(size[d + 1]) + upper[d] > lower[d], "the box of pixels is empty");
    }
    require_row(out, channels, "channelsPerPixel");
    require(pixels >= 1 && pixels <= 1024,
            fmt::format("pixelsPerColumn is {}, not from 1 to 1024", pixels));
    out.box[0] = uint16_t(channels);
    out.pixels = pixels;
    return out;
  });
}

CUresult tensor_map_replace_address(CUtensorMap* map, void* address) {
  if (!map || uint64_t(address) % 16) return CUDA_ERROR_INVALID_VALUE;
  TensorMap now = std::bit_cast<TensorMap>(*map);
  if (now.signed_by != TensorMap::signature) return CUDA_ERROR_INVALID_VALUE;
  now.address = uint64_t(address);
  std::memcpy(map, &now, sizeof now);
  return CUDA_SUCCESS;
}

}  // namespace headroom::driver
