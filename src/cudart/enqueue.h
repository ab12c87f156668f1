// The way of the API's work into a stream (device/submit.h).
//
//   enqueue(stream, [&](Session& session, Work& work) { …checks…; work = CopyWork{…}; return
//   cudaSuccess; });
#pragma once
#include "cudart/api.h"
#include "device/submit.h"

namespace headroom::cudart {

using MakeWork = std::function<cudaError_t(Session&, Work&)>;

cudaError_t enqueue(cudaStream_t, const MakeWork&, const char* function = __builtin_FUNCTION());
// The same for a call that waits for the work: on the legacy stream, and not while capturing.
cudaError_t at_once(const char* call, const MakeWork&);

bool is_capturing(Session&, cudaStream_t);

}  // namespace headroom::cudart
