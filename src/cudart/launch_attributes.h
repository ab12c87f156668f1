// The attributes of cudaLaunchKernelExC: which there are, and those that do something besides
// shaping the launch (launch.cpp).
#pragma once
#include "cudart/api.h"

namespace headroom::cudart {

// Unknown ones are an invalid value; known ones that cannot be had are refused by name.
cudaError_t check_attributes(const cudaLaunchConfig_t&,
                             const char* function = __builtin_FUNCTION());
// Events that a launch was to record when it had got so far: it is done.
cudaError_t record_events(const cudaLaunchConfig_t&, const char* function = __builtin_FUNCTION());

}  // namespace headroom::cudart
