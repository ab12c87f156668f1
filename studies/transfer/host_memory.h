// The five kinds of host memory that a copy may begin or end in, and what each is for.
//
//   pageable        malloc                        the driver copies it through pinned memory of its own
//   pinned          cudaHostAlloc                 page-locked: the copy engine reaches it itself
//   write_combined  cudaHostAllocWriteCombined    pinned, past the host's caches: slow for it to read
//   mapped          cudaHostAllocMapped           pinned, and kernels reach it: no copy at all
//   managed         cudaMallocManaged             one address on both sides; pages move
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace transfer {

enum class Memory { pageable, pinned, write_combined, mapped, managed };

constexpr Memory memories[] = {Memory::pageable, Memory::pinned, Memory::write_combined,
                               Memory::mapped, Memory::managed};
constexpr const char* names_of_memories[] = {"pageable", "pinned", "write-combined", "mapped",
                                             "managed"};
inline const char* name(Memory memory) { return names_of_memories[int(memory)]; }

// Host memory with an owner, touched once, so that its pages exist. Exits where there is no room.
class HostBuffer {
 public:
  HostBuffer(Memory, size_t bytes);
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
  ~HostBuffer();

  void* data() const { return data_; }

 private:
  Memory memory_;
  void* data_ = nullptr;
};

}  // namespace transfer
