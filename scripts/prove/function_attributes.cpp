// A library to preload into a CUDA program built with `nvcc -cudart shared`: when the program first launches a kernel,
// it asks cudaFuncGetAttributes for every kernel that the program has registered, and writes what the driver says of
// the machine code that it loaded as lines of JSON into the file that FUNCTION_ATTRIBUTES names.
//
//   g++ -std=c++17 -O2 -shared -fPIC -I/usr/local/cuda/include scripts/prove/function_attributes.cpp -o attributes.so -ldl
//   FUNCTION_ATTRIBUTES=app.attributes LD_PRELOAD=./attributes.so ./app
//
//   {"mangled": "_Z5scalePff", "registers": 10, "local_bytes": 0, "static_shared": 0, "constant_bytes": 0, "binary": 90}
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<std::pair<const void*, std::string>>&
kernels() {  // registered before main, in no certain order
  static std::vector<std::pair<const void*, std::string>> registered;
  return registered;
}

template <class Function>
Function* next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) {
    std::fprintf(stderr, "function_attributes: no %s behind this library\n", name);
    std::exit(125);
  }
  return reinterpret_cast<Function*>(found);
}

void write_attributes() {
  static bool written = false;
  if (std::exchange(written, true)) return;
  const char* path = std::getenv("FUNCTION_ATTRIBUTES");
  std::FILE* file = path ? std::fopen(path, "w") : nullptr;
  if (!file) {
    std::fprintf(stderr,
                 "function_attributes: FUNCTION_ATTRIBUTES names no file that can be written\n");
    std::exit(125);
  }
  for (const auto& [function, mangled] : kernels()) {
    cudaFuncAttributes attributes{};
    const cudaError_t code = cudaFuncGetAttributes(&attributes, function);
    if (code != cudaSuccess) {
      std::fprintf(file, "{\"mangled\": \"%s\", \"error\": \"%s\"}\n", mangled.c_str(),
                   cudaGetErrorName(code));
      cudaGetLastError();
      continue;
    }
    std::fprintf(
        file,
        "{\"mangled\": \"%s\", \"registers\": %d, \"local_bytes\": %zu, \"static_shared\": %zu, "
        "\"constant_bytes\": %zu, \"binary\": %d}\n",
        mangled.c_str(), attributes.numRegs, attributes.localSizeBytes, attributes.sharedSizeBytes,
        attributes.constSizeBytes, attributes.binaryVersion);
  }
  std::fclose(file);
}

}  // namespace

extern "C" void __cudaRegisterFunction(void** image, const char* function, char* device,
                                       const char* name, int limit, uint3* thread, uint3* block,
                                       dim3* block_size, dim3* grid_size, int* warp) {
  kernels().push_back({function, name});
  using Register =
      void(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);
  static auto* const real = next<Register>("__cudaRegisterFunction");
  real(image, function, device, name, limit, thread, block, block_size, grid_size, warp);
}

// What `<<<…>>>` becomes asks for the kernel first.
extern "C" cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  write_attributes();
  static auto* const real = next<cudaError_t(cudaKernel_t*, const void*)>("__cudaGetKernel");
  return real(kernel, function);
}
