// CUDA arrays: elements in device memory whose layout is nobody's business; here rows without gaps.
#pragma once
#include "cudart/api.h"
#include "device/session.h"

namespace headroom::cudart {

struct Array {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  // elements, as asked for: 0 where there is no such dimension
  unsigned flags = 0;
  uint64_t base = 0;
  int device = 0;

  size_t element() const { return size_t(format.x + format.y + format.z + format.w) / 8; }  // bytes
  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t slices() const { return extent.depth ? extent.depth : 1; }
};

// Null: no array has this handle.
const Array* find_array(const Session&, cudaArray_const_t);

}  // namespace headroom::cudart
