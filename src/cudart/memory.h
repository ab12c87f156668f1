// Device memory, allocated and given back.
#pragma once
#include "cudart/api.h"
#include "cudart/work.h"
#include "device/memory.h"

namespace headroom::cudart {

cudaError_t allocate(Session&, void** out, size_t bytes, Place, int device);
cudaError_t release(Session&, void* pointer);

// Memory of a graph's node: its addresses are fixed when the node is made (`reserve` fills in
// what.dptr), and are an allocation from when the node has run.
cudaError_t reserve(Session&, AllocateWork&);
cudaError_t allocate(Session&, const AllocateWork&);

}  // namespace headroom::cudart
