// Tensor maps: what a bulk copy (cp.async.bulk.tensor) reads a box of a row-major matrix by. The
// driver encodes them; its function is asked of the runtime, so that nothing links with libcuda.
//
//   const CUtensorMap map = tensor_map(a, m, k, k, {128, 16});   // boxes of 128 rows x 16 columns
//   kernel<<<grid, block>>>(map);                                // const __grid_constant__ CUtensorMap
//
// What lies outside the matrix arrives as zeros. can_be_mapped() says whether a matrix can have a map:
// its first element and its rows must begin at multiples of 16 bytes.
#pragma once
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "studies/common/check.h"

namespace study {

struct Box {
  int rows, columns;  // at most 256 each; a row of it is a multiple of 16 bytes
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  int matrices = 1;  // more: of as many matrices that follow each other, all at once
};

template <typename T>
bool can_be_mapped(const T* matrix, int64_t pitch) {
  return reinterpret_cast<uintptr_t>(matrix) % 16 == 0 && pitch * sizeof(T) % 16 == 0;
}

template <typename T>
constexpr CUtensorMapDataType tensor_map_type() {
  if (std::is_same_v<T, __nv_bfloat16>) return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  if (std::is_same_v<T, __half>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, __nv_bfloat16> ||
                std::is_same_v<T, __half>);
  return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}

inline decltype(&cuTensorMapEncodeTiled) tensor_map_encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                         cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess || !function) {
    std::fprintf(stderr, "the driver has no cuTensorMapEncodeTiled: it is older than CUDA 12\n");
    std::exit(1);
  }
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
}

// `pitch`: elements from one row to the next.
template <typename T>
CUtensorMap tensor_map(const T* matrix, int64_t rows, int64_t columns, int64_t pitch,
                       const Box& box) {
  static const auto encode = tensor_map_encoder();
  // The driver counts from the innermost dimension; the stride of that one is no argument.
  const cuuint64_t extents[] = {cuuint64_t(columns), cuuint64_t(rows), cuuint64_t(box.matrices)};
  const cuuint64_t strides[] = {cuuint64_t(pitch) * sizeof(T),
                                cuuint64_t(pitch) * sizeof(T) * rows};
  const cuuint32_t boxes[] = {cuuint32_t(box.columns), cuuint32_t(box.rows),
                              cuuint32_t(box.matrices)};
  const cuuint32_t steps[] = {1, 1, 1};
  CUtensorMap map;
  const CUresult result =
      encode(&map, tensor_map_type<T>(), box.matrices == 1 ? 2 : 3, const_cast<T*>(matrix), extents,
             strides, boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, box.swizzle,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr,
                 "the driver makes no tensor map of %lld x %lld elements, pitch %lld, box %d x %d: "
                 "error %d\n",
                 static_cast<long long>(rows), static_cast<long long>(columns),
                 static_cast<long long>(pitch), box.rows, box.columns, int(result));
    std::exit(1);
  }
  return map;
}

}  // namespace study
