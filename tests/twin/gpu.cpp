#include "twin/gpu.h"

#include <dlfcn.h>

#include "base/error.h"

namespace headroom::fuzz {
namespace {

struct Api {
  int (*cuInit)(unsigned);
  int (*cuDriverGetVersion)(int*);
  int (*cuDeviceGet)(int*, int);
  int (*cuDeviceGetName)(char*, int, int);
  int (*cuDevicePrimaryCtxRetain)(void**, int);
  int (*cuCtxSetCurrent)(void*);
  int (*cuCtxSynchronize)();
  int (*cuModuleLoadDataEx)(void**, const void*, unsigned, int*, void**);
  int (*cuModuleUnload)(void*);
  int (*cuModuleGetFunction)(void**, void*, const char*);
  int (*cuFuncSetAttribute)(void*, int, int);
  int (*cuMemAlloc_v2)(uint64_t*, size_t);
  int (*cuMemFree_v2)(uint64_t);
  int (*cuMemcpyHtoD_v2)(uint64_t, const void*, size_t);
  int (*cuMemcpyDtoH_v2)(void*, uint64_t, size_t);
  int (*cuMemsetD8_v2)(uint64_t, unsigned char, size_t);
  int (*cuLaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        void*, void**, void**);
  int (*cuGetErrorName)(int, const char**);
} api;

template <class F>
void find(void* library, F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) throw Error{"libcuda.so.1", std::string("has no ") + name};
}

void check(int status, const std::string& call) {
  if (status == 0) return;
  const char* name = nullptr;
  api.cuGetErrorName(status, &name);
  throw Error{call, name ? name : "error " + std::to_string(status)};
}

}  // namespace

Gpu::Gpu() {
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) throw Error{"libcuda.so.1", "no NVIDIA driver here", "run this where a GPU is"};
#define FIND(name) find(library, api.name, #name)
  FIND(cuInit);
  FIND(cuDriverGetVersion);
  FIND(cuDeviceGet);
  FIND(cuDeviceGetName);
  FIND(cuDevicePrimaryCtxRetain);
  FIND(cuCtxSetCurrent);
  FIND(cuCtxSynchronize);
  FIND(cuModuleLoadDataEx);
  FIND(cuModuleUnload);
  FIND(cuModuleGetFunction);
  FIND(cuFuncSetAttribute);
  FIND(cuMemAlloc_v2);
  FIND(cuMemFree_v2);
  FIND(cuMemcpyHtoD_v2);
  FIND(cuMemcpyDtoH_v2);
  FIND(cuMemsetD8_v2);
  FIND(cuLaunchKernel);
  FIND(cuGetErrorName);
#undef FIND
  check(api.cuInit(0), "cuInit");
  check(api.cuDeviceGet(&device, 0), "cuDeviceGet");
  void* context = nullptr;
  check(api.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(api.cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

std::string Gpu::name() const {
  char text[100];
  check(api.cuDeviceGetName(text, sizeof text, device), "cuDeviceGetName");
  return text;
}
int Gpu::driver() const {
  int version = 0;
  check(api.cuDriverGetVersion(&version), "cuDriverGetVersion");
  return version;
}

Gpu::Module Gpu::load(const std::string& text) {
  constexpr int error_log = 5, error_log_size = 6;  // CU_JIT_ERROR_LOG_BUFFER …
  std::vector<char> log(8192);
  int options[] = {error_log, error_log_size};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  void* module = nullptr;
  const int status = api.cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
  if (status != 0) check(status, std::string("cuModuleLoadDataEx: ") + log.data());
  return module;
}
void Gpu::unload(Module module) { check(api.cuModuleUnload(module), "cuModuleUnload"); }

uint64_t Gpu::allocate(size_t bytes) {
  uint64_t address = 0;
  check(api.cuMemAlloc_v2(&address, bytes), "cuMemAlloc");
  return address;
}
void Gpu::free(uint64_t address) { check(api.cuMemFree_v2(address), "cuMemFree"); }
void Gpu::put(uint64_t to, const void* from, size_t bytes) {
  check(api.cuMemcpyHtoD_v2(to, from, bytes), "cuMemcpyHtoD");
}
void Gpu::get(void* to, uint64_t from, size_t bytes) {
  check(api.cuMemcpyDtoH_v2(to, from, bytes), "cuMemcpyDtoH");
}
void Gpu::clear(uint64_t address, size_t bytes) {
  check(api.cuMemsetD8_v2(address, 0, bytes), "cuMemsetD8");
}
void Gpu::wait() { check(api.cuCtxSynchronize(), "cuCtxSynchronize"); }

void Gpu::launch(Module module, const std::string& kernel, Dim3 grid, Dim3 block, uint64_t shared,
                 const std::vector<uint8_t>& arguments) {
  void* function = nullptr;
  check(api.cuModuleGetFunction(&function, module, kernel.c_str()),
        "cuModuleGetFunction " + kernel);
  constexpr int max_dynamic_shared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  if (shared > 48 * 1024)
    check(api.cuFuncSetAttribute(function, max_dynamic_shared, int(shared)), "cuFuncSetAttribute");
  size_t bytes = arguments.size();
  void* extra[] = {reinterpret_cast<void*>(1), const_cast<uint8_t*>(arguments.data()),
                   reinterpret_cast<void*>(2), &bytes,
                   nullptr};  // CU_LAUNCH_PARAM_BUFFER_POINTER, …_SIZE
  check(api.cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                           unsigned(shared), nullptr, nullptr, extra),
        "cuLaunchKernel " + kernel);
}

}  // namespace headroom::fuzz
