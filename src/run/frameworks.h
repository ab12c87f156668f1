// What Python frameworks are told through the environment, so that what they compile and tune here is kept apart
// from what they keep of a real GPU, and Triton finds the driver that it links with.
//
//   TRITON_CACHE_DIR=~/.cache/headroom/frameworks/triton      unless the user has set it
#pragma once
#include <string>
#include <vector>

namespace headroom {

// Adds to `environment` ("NAME=value" each); what is there stays as it is. `driver`: the path of our libcuda.so.1.
void add_frameworks(std::vector<std::string>& environment, const std::string& driver);

}  // namespace headroom
