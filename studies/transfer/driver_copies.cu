// Copies by the driver's API, found in the driver that the runtime has loaded: the study links no
// libcuda and runs where there is none.
//
// Source: CUDA Driver API, "Memory Management". The suffix _v2 is the version that cuda.h's names
// stand for since CUDA 3.2 (cuMemPrefetchAsync: since CUDA 13).
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "studies/common/check.h"
#include "studies/transfer/copies.h"

namespace transfer {
namespace {

// Already in the process if the runtime uses one: not to be loaded by us.
void* driver() {
  static void* const library = [] {
    CHECK(cudaFree(nullptr));
    return dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  }();
  return library;
}

template <typename Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(driver(), name));
}

using Synchronous = CUresult(CUdeviceptr, CUdeviceptr, size_t);
using Asynchronous = CUresult(CUdeviceptr, CUdeviceptr, size_t, CUstream);

// With unified addresses a host pointer and a CUdeviceptr are both 64 bits: one type serves for all.
struct Functions {
  Synchronous* to_device = find<Synchronous>("cuMemcpyHtoD_v2");
  Synchronous* to_host = find<Synchronous>("cuMemcpyDtoH_v2");
  Synchronous* within = find<Synchronous>("cuMemcpyDtoD_v2");
  Asynchronous* to_device_async = find<Asynchronous>("cuMemcpyHtoDAsync_v2");
  Asynchronous* to_host_async = find<Asynchronous>("cuMemcpyDtoHAsync_v2");
  CUresult (*prefetch)(CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream) =
      find<CUresult(CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream)>(
          "cuMemPrefetchAsync_v2");
};

const Functions& functions() {
  static const Functions found;
  return found;
}

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

void require(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(cudaError_t(result)));
  std::exit(1);
}

void to_device(void* device, const void* host, size_t bytes) {
  require(functions().to_device(address(device), address(host), bytes), "cuMemcpyHtoD");
}
void to_host(void* host, const void* device, size_t bytes) {
  require(functions().to_host(address(host), address(device), bytes), "cuMemcpyDtoH");
}
void within(void* to, const void* from, size_t bytes) {
  require(functions().within(address(to), address(from), bytes), "cuMemcpyDtoD");
}
void to_device_async(void* device, const void* host, size_t bytes, cudaStream_t stream) {
  require(functions().to_device_async(address(device), address(host), bytes, stream),
          "cuMemcpyHtoDAsync");
}
void to_host_async(void* host, const void* device, size_t bytes, cudaStream_t stream) {
  require(functions().to_host_async(address(host), address(device), bytes, stream),
          "cuMemcpyDtoHAsync");
}

void prefetch(const void* memory, size_t bytes, CUmemLocation where, cudaStream_t stream) {
  require(functions().prefetch(address(memory), bytes, where, 0, stream), "cuMemPrefetchAsync");
}
void to_device_prefetch(void*, const void* host, size_t bytes, cudaStream_t stream) {
  int device = 0;
  CHECK(cudaGetDevice(&device));
  prefetch(host, bytes, {CU_MEM_LOCATION_TYPE_DEVICE, device}, stream);
}
void to_host_prefetch(void* host, const void*, size_t bytes, cudaStream_t stream) {
  prefetch(host, bytes, {CU_MEM_LOCATION_TYPE_HOST, 0}, stream);
}
void to_device_prefetched(void* device, const void* host, size_t bytes) {
  to_device_prefetch(device, host, bytes, nullptr);
  CHECK(cudaStreamSynchronize(nullptr));
}
void to_host_prefetched(void* host, const void* device, size_t bytes) {
  to_host_prefetch(host, device, bytes, nullptr);
  CHECK(cudaStreamSynchronize(nullptr));
}

constexpr Copies copies = {"driver", to_device, to_host, within, to_device_async, to_host_async};
constexpr Copies migrating = {"driver", to_device_prefetched, to_host_prefetched,
                              nullptr,  to_device_prefetch,   to_host_prefetch};

}  // namespace

bool has_driver() { return driver() != nullptr; }

const Copies* driver_copies() {
  if (!has_driver()) return nullptr;
  const Functions& all = functions();
  const bool found =
      all.to_device && all.to_host && all.within && all.to_device_async && all.to_host_async;
  return found ? &copies : nullptr;
}

const Copies* driver_migrating_copies() {
  return has_driver() && functions().prefetch ? &migrating : nullptr;
}

}  // namespace transfer
