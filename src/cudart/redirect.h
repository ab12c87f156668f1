// Programs and libraries that carry a CUDA runtime of their own (nvcc's default): before any of their code runs,
// each function of it begins with a jump to ours.
//
//   cudaMalloc of ./app   at 0x5555555af240:   ff 25 00 00 00 00 <address of our cudaMalloc>
//
// The linker aligns these functions to 16 bytes, and the jump takes 14, so that no other function is touched.
#pragma once
#include <string_view>

namespace headroom::cudart {

// A function of the stand-in by its name; null where CUDA 13.0 has none of that name.
const void* function_named(std::string_view name);
// For functions that releases after 13.0 have: cudaErrorNotSupported.
int newer_than_13_0();

}  // namespace headroom::cudart
