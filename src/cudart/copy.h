// Copies and fills (device/copy.h) in the words of the API.
#pragma once
#include "cudart/api.h"
#include "cudart/enqueue.h"
#include "device/copy.h"

namespace headroom::cudart {

// A plain run of bytes, rows of them, and all that the parameters of a 3-D copy can say.
CopyWork copy_of(void* to, const void* from, size_t bytes, cudaMemcpyKind);
CopyWork copy_of(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                 size_t height, cudaMemcpyKind);
CopyWork copy_of(const cudaMemcpy3DParms&);
cudaMemcpy3DParms told(const CopyWork&);
cudaMemsetParams told(const FillWork&);

cudaError_t check_copy(const Session&, const CopyWork&);  // also whether the kind is one
MakeWork copy_work(const CopyWork&);                      // none where there are no bytes
MakeWork fill_work(const FillWork&);

}  // namespace headroom::cudart
