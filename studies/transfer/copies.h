// The copies between host and device that this study compares, as one row of functions for each way
// to ask for them: the runtime's API, the driver's, a kernel that reaches into mapped memory, and the
// migration of managed memory.
//
//   row         to_device                 to_host                   within
//   runtime     cudaMemcpy                cudaMemcpy                cudaMemcpy
//   driver      cuMemcpyHtoD              cuMemcpyDtoH              cuMemcpyDtoD
//   kernel      copy_bytes<<<>>>          copy_bytes<<<>>>          –
//   migration   cudaMemPrefetchAsync      cudaMemPrefetchAsync      –
//
// A copy that waits is what a program writes first; the others return at once, and streams order them.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace transfer {

// The first three wait for the copy, but where the API says otherwise: for pageable memory of up to
// 64 KiB, and within a device.
struct Copies {
  const char* name;
  void (*to_device)(void* device, const void* host, size_t bytes);
  void (*to_host)(void* host, const void* device, size_t bytes);
  void (*within)(void* to, const void* from, size_t bytes);  // a device, or two that are peers
  void (*to_device_async)(void* device, const void* host, size_t bytes, cudaStream_t);
  void (*to_host_async)(void* host, const void* device, size_t bytes, cudaStream_t);
};

extern const Copies runtime_copies;    // runtime_copies.cu
extern const Copies kernel_copies;     // kernel_copies.cu: memory that is mapped
extern const Copies migrating_copies;  // migrating_copies.cu: memory that is managed

// driver_copies.cu: null where the process has no driver, as on an executor. Then nothing here is a
// measurement either: no hardware moves the bytes.
const Copies* driver_copies();
const Copies* driver_migrating_copies();
bool has_driver();

// migrating_copies.cu: whether pages of managed memory can move while kernels run, which prefetching
// needs.
bool can_migrate(int device);

}  // namespace transfer
