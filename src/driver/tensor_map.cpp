// cuTensorMapEncodeTiled, …Im2col and cuTensorMapReplaceAddress, as the device takes them.
#include "device/tensor_map.h"

#include "driver/driver.h"

namespace headroom::driver {
namespace {

static_assert(sizeof(CUtensorMap) == tensor_map_bytes);

Tensor tensor_of(CUtensorMapDataType type, cuuint32_t rank, void* address, const cuuint64_t* size,
                 const cuuint64_t* stride, const cuuint32_t* step, CUtensorMapInterleave interleave,
                 CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                 CUtensorMapFloatOOBfill fill) {
  return {unsigned(type), rank,       uint64_t(address), size,      stride,
          step,           interleave, swizzle,           promotion, fill};
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* size, const cuuint64_t* stride,
                                const cuuint32_t* box, const cuuint32_t* step,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  const Tensor tensor =
      tensor_of(type, rank, address, size, stride, step, interleave, swizzle, promotion, fill);
  return code_of(encode_tiles("cuTensorMapEncodeTiled", map, tensor, box));
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                 void* address, const cuuint64_t* size, const cuuint64_t* stride,
                                 const int* lower, const int* upper, cuuint32_t channels,
                                 cuuint32_t pixels, const cuuint32_t* step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  const Tensor tensor =
      tensor_of(type, rank, address, size, stride, step, interleave, swizzle, promotion, fill);
  return code_of(
      encode_pixels("cuTensorMapEncodeIm2col", map, tensor, {lower, upper, channels, pixels}));
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return code_of(replace_tensor_address(map, uint64_t(address)));
}
}
