// Functions of the driver that programs and libraries reach through cudaGetDriverEntryPoint: there
// is no libcuda here, so the stand-in has the few of them itself, each on the runtime's own call.
#pragma once
#include <cuda.h>

#include <string_view>

namespace headroom::cudart::driver {

void* find(std::string_view symbol);  // "cuTensorMapEncodeTiled"; null if there is none

// driver_tensor_map.cpp
CUresult tensor_map_encode_tiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t rank, void* address,
                                 const cuuint64_t* size, const cuuint64_t* stride,
                                 const cuuint32_t* box, const cuuint32_t* step,
                                 CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill);
CUresult tensor_map_encode_im2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t rank, void* address,
                                  const cuuint64_t* size, const cuuint64_t* stride,
                                  const int* lower, const int* upper, cuuint32_t channels,
                                  cuuint32_t pixels, const cuuint32_t* step, CUtensorMapInterleave,
                                  CUtensorMapSwizzle, CUtensorMapL2promotion,
                                  CUtensorMapFloatOOBfill);
CUresult tensor_map_replace_address(CUtensorMap*, void* address);

}  // namespace headroom::cudart::driver
