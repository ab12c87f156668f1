// Whether a source file is a header that came with CUDA: /usr/local/cuda-13.0/include/…,
// …/targets/x86_64-linux/include/…, …/site-packages/nvidia/cu13/include/…. What such code does is told of
// the line of the program that it was inlined into.
#pragma once
#include <string>

namespace headroom {

bool is_of_toolkit(const std::string& file);

}  // namespace headroom
