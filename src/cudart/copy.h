// Copies and fills of plain bytes and of boxes of rows; which pointers may take which part; what
// they cost.
#pragma once
#include "cudart/api.h"
#include "cudart/graph/capture.h"
#include "cudart/work.h"
#include "device/session.h"

namespace headroom::cudart {

// What a plain run of bytes is, and rows of them, as the parameters of a 3-D copy.
cudaMemcpy3DParms copy_of(void* to, const void* from, size_t bytes, cudaMemcpyKind);
cudaMemcpy3DParms copy_of(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                          size_t width, size_t height, cudaMemcpyKind);

// What can be said before: whether these bytes may be copied so.
cudaError_t check_copy(Session&, const cudaMemcpy3DParms&);
cudaError_t copy(Session&, const cudaMemcpy3DParms&);
MakeWork copy_work(const cudaMemcpy3DParms&);
cudaError_t check_fill(Session&, const FillWork&);
cudaError_t fill(Session&, const FillWork&);

}  // namespace headroom::cudart
