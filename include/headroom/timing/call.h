// What timing does when a CUDA call fails: it throws, naming the call.
//
//   HEADROOM_TIMING_CALL(cudaEventRecord(start, stream));
//
//   timing: cudaEventRecord(start, stream): context is destroyed (cudaErrorContextIsDestroyed)
#pragma once
#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace headroom::timing {

struct Failure : std::runtime_error {
  Failure(const std::string& what, cudaError_t code) : std::runtime_error(what), code(code) {}
  cudaError_t code;
};

inline void call(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  throw Failure(std::string("timing: ") + what + ": " + cudaGetErrorString(code) + " (" +
                    cudaGetErrorName(code) + ")",
                code);
}

}  // namespace headroom::timing

// A macro, because only the preprocessor knows the text of the call.
#define HEADROOM_TIMING_CALL(...) ::headroom::timing::call((__VA_ARGS__), #__VA_ARGS__)
