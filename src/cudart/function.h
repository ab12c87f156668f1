// What a kernel takes, in the terms the API asks in.
#pragma once
#include "cudart/api.h"
#include "device/registry.h"
#include "device/session.h"

namespace headroom::cudart {

// A call about one kernel: finds it, or returns what CUDA returns for a function that is none.
cudaError_t with_kernel(const void* function,
                        const std::function<cudaError_t(Session&, Kernel&)>& body,
                        const char* caller = __builtin_FUNCTION());

cudaError_t set_attribute(Session&, Kernel&, cudaFuncAttribute, int value);

}  // namespace headroom::cudart
