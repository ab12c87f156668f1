// Copies by a kernel that loads from, or stores into, mapped memory of the host: no copy engine, no
// call per copy but a launch. Each warp's 16-byte accesses become packets on the link.
#include <cstdint>

#include "studies/common/check.h"
#include "studies/transfer/copies.h"

namespace transfer {
namespace {

constexpr int block = 256;

// Both pointers begin on a multiple of 16 bytes; the last bytes that fill no uint4 go one by one.
__global__ void copy_bytes(void* to, const void* from, size_t bytes) {
  const size_t wide = bytes / sizeof(uint4), threads = size_t(gridDim.x) * blockDim.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (size_t i = first; i < wide; i += threads) {
    static_cast<uint4*>(to)[i] = static_cast<const uint4*>(from)[i];
  }
  for (size_t i = wide * sizeof(uint4) + first; i < bytes; i += threads) {
    static_cast<uint8_t*>(to)[i] = static_cast<const uint8_t*>(from)[i];
  }
}

// Half of the threads that an SM can hold, so that two kernels in opposite directions run at once; fewer
// blocks for less, since a launch of more only adds time to a small copy.
unsigned grid(size_t bytes) {
  static const int most = [] {
    int device = 0, multiprocessors = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    return 4 * multiprocessors;
  }();
  const size_t wanted = (bytes / sizeof(uint4) + block) / block;
  return unsigned(wanted < size_t(most) ? wanted : most);
}

const void* seen_by_device(const void* host) {
  void* pointer = nullptr;
  CHECK(cudaHostGetDevicePointer(&pointer, const_cast<void*>(host), 0));
  return pointer;
}

void to_device_async(void* device, const void* host, size_t bytes, cudaStream_t stream) {
  copy_bytes<<<grid(bytes), block, 0, stream>>>(device, seen_by_device(host), bytes);
  CHECK(cudaGetLastError());
}
void to_host_async(void* host, const void* device, size_t bytes, cudaStream_t stream) {
  copy_bytes<<<grid(bytes), block, 0, stream>>>(const_cast<void*>(seen_by_device(host)), device,
                                                bytes);
  CHECK(cudaGetLastError());
}
void to_device(void* device, const void* host, size_t bytes) {
  to_device_async(device, host, bytes, nullptr);
  CHECK(cudaStreamSynchronize(nullptr));
}
void to_host(void* host, const void* device, size_t bytes) {
  to_host_async(host, device, bytes, nullptr);
  CHECK(cudaStreamSynchronize(nullptr));
}

}  // namespace

const Copies kernel_copies = {"kernel", to_device,       to_host,
                              nullptr,  to_device_async, to_host_async};

}  // namespace transfer
