// Each kind of host memory by the call that makes it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "studies/common/check.h"
#include "studies/transfer/host_memory.h"

namespace transfer {
namespace {

constexpr size_t page = 4096;

cudaError_t allocate(Memory memory, size_t bytes, void** out) {
  switch (memory) {
    case Memory::pageable:
      *out = std::aligned_alloc(page, (bytes + page - 1) / page * page);
      return *out ? cudaSuccess : cudaErrorMemoryAllocation;
    case Memory::pinned: return cudaHostAlloc(out, bytes, cudaHostAllocDefault);
    case Memory::write_combined: return cudaHostAlloc(out, bytes, cudaHostAllocWriteCombined);
    case Memory::mapped: return cudaHostAlloc(out, bytes, cudaHostAllocMapped);
    case Memory::managed: return cudaMallocManaged(out, bytes);
  }
  return cudaErrorInvalidValue;
}

}  // namespace

HostBuffer::HostBuffer(Memory memory, size_t bytes) : memory_(memory) {
  const cudaError_t result = allocate(memory, bytes, &data_);
  if (result == cudaErrorMemoryAllocation) {
    std::fprintf(stderr,
                 "the host has no room for another %.1f MiB of %s memory: choose a smaller "
                 "--most\n",
                 double(bytes) / (1 << 20), name(memory));
    std::exit(2);
  }
  CHECK(result);
  std::memset(data_, 0, bytes);
}

HostBuffer::~HostBuffer() {
  if (memory_ == Memory::pageable) {
    std::free(data_);
  } else if (memory_ == Memory::managed) {
    cudaFree(data_);
  } else {
    cudaFreeHost(data_);
  }
}

}  // namespace transfer
