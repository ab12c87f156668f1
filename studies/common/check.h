// What every study does when a CUDA call fails: say which call, where and why, and stop.
//
//   CHECK(cudaMalloc(&data, bytes));
//
//   studies/copy/main.cu:41: cudaMalloc(&data, bytes): out of memory (cudaErrorMemoryAllocation)
//
// While a Trial lives it throws CallFailure instead: a machine that refuses a launch is no fault.
#pragma once
#include <cuda_runtime.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace study {

struct CallFailure : std::runtime_error {
  CallFailure(const std::string& what, cudaError_t code) : std::runtime_error(what), code(code) {}
  cudaError_t code;
};

class Trial {
 public:
  Trial() { ++alive_; }
  ~Trial() { --alive_; }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  static bool is_on() { return alive_ > 0; }

 private:
  static inline thread_local int alive_ = 0;
};

template <typename Kind = CallFailure>
void fail(const std::string& what, cudaError_t code) {
  if (Trial::is_on()) throw Kind(what, code);
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

// Nothing where there is none.
inline std::string advice(cudaError_t result) {
  if (result != cudaErrorInsufficientDriver && result != cudaErrorNoDevice) return "";
  return std::string("\n  hint: without a GPU: headroom run -- ") + program_invocation_name;
}

inline void check(cudaError_t result, const char* call, const char* file, int line) {
  if (result == cudaSuccess) return;
  fail(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
           cudaGetErrorString(result) + " (" + cudaGetErrorName(result) + ")" + advice(result),
       result);
}

}  // namespace study

// A macro, because only the preprocessor knows the text of the call.
#define CHECK(call) ::study::check((call), #call, __FILE__, __LINE__)
