// Copies to and from variables of the device, as work.
#pragma once
#include "cudart/enqueue.h"

namespace headroom::cudart {

MakeWork to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                   cudaMemcpyKind);
MakeWork from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind);

}  // namespace headroom::cudart
