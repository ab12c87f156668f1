// Tiles that the copy engine of a multiprocessor brings to shared memory (sm_90), several ahead: slots
// that take turns, each as large as a padded tile, so that the stages exchange their values there too.
//
//   Slots<N> slots(work, tiles, shared);
//   slots.begin(queue);                              // all threads; asks for a tile in each slot
//   for (unsigned tile; (tile = slots.wait()) < tiles; slots.next()) {
//     … slots.tile() …                               // as it lies in memory, without gaps
//     slots.refill(queue);                           // all threads; nobody may touch the slot any more
//   }
#pragma once
#include <cuda/ptx>

#include "studies/common/queue.h"
#include "studies/fft/staying.h"

namespace fft {

constexpr int most_stages = 8, before_slots = 128;  // bytes

template <int N>
__host__ __device__ constexpr int slot_bytes() {
  return Padded<values_a_thread>::size(Plan<N, values_a_thread>::tile) * int(sizeof(float2));
}

#if __CUDA_ARCH__ >= 900
template <int N>
class Slots {
 public:
  __device__ Slots(const Work& work, unsigned tiles, char* shared)
      : work_(work),
        tiles_(tiles),
        full_(reinterpret_cast<uint64_t*>(shared)),
        held_(reinterpret_cast<unsigned*>(full_ + most_stages)),
        slots_(shared + before_slots) {}

  __device__ void begin(study::Queue& queue) {
    if (threadIdx.x == 0) {
      for (int stage = 0; stage < work_.stages; ++stage) {
        cuda::ptx::mbarrier_init(&full_[stage], 1);
      }
      cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
      cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
      for (int stage = 0; stage < work_.stages; ++stage) ask(stage, queue.take());
      taken_ = queue.take();
    }
    __syncthreads();
  }
  // The tile that has come.
  __device__ unsigned wait() {
    while (!cuda::ptx::mbarrier_try_wait_parity(&full_[stage_], parity_)) {
    }
    return held_[stage_];
  }
  __device__ float2* tile() const { return at(stage_); }
  __device__ int stage() const { return stage_; }
  __device__ void next() {
    if (++stage_ < work_.stages) return;
    stage_ = 0;
    parity_ ^= 1;
  }
  // The engine sees what threads wrote after a fence, and they have to be done.
  __device__ void refill(study::Queue& queue) {
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) ask_for_next(stage_, queue);
  }
  // By one thread: the slot's tile, without gaps, to where it belongs.
  __device__ void store(unsigned tile) {
    const size_t first = first_of(tile);
    cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, work_.to + first * N,
                             at(stage_), bytes_from(first));
    cuda::ptx::cp_async_bulk_commit_group();
  }
  // By one thread. The queue's answer is used a tile later: nobody waits for it.
  __device__ void ask_for_next(int stage, study::Queue& queue) {
    ask(stage, taken_);
    taken_ = queue.take();
  }

 private:
  __device__ float2* at(int stage) const {
    return reinterpret_cast<float2*>(slots_ + stage * slot_bytes<N>());
  }
  // The first transform of a tile, and the bytes of all from there.
  __device__ static size_t first_of(unsigned tile) {
    return size_t(tile) * Plan<N, values_a_thread>::transforms;
  }
  __device__ unsigned bytes_from(size_t first) const {
    constexpr size_t transforms = Plan<N, values_a_thread>::transforms;
    const size_t left = work_.batch - first;
    return unsigned((left < transforms ? left : transforms) * N * sizeof(float2));
  }
  // Who waits for a tile that there is not is told at once.
  __device__ void ask(int stage, unsigned tile) {
    held_[stage] = tile;
    if (tile >= tiles_) {
      cuda::ptx::mbarrier_arrive(&full_[stage]);
      return;
    }
    const size_t first = first_of(tile);
    const unsigned bytes = bytes_from(first);
    cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
                                         cuda::ptx::space_shared, &full_[stage], bytes);
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, at(stage),
                             work_.from + first * N, bytes, &full_[stage]);
  }

  const Work& work_;
  unsigned tiles_;
  uint64_t* full_;
  unsigned* held_;
  char* slots_;
  unsigned taken_ = 0;
  int stage_ = 0;
  uint32_t parity_ = 0;
};
#endif

// What a rung needs whose tiles wait in shared memory.
struct Ring {
  static constexpr int capability = 90;
  template <int N>
  using Tuning = headroom::LaunchBox<Row<80, N, 1>, Row<90, N, blocks_for(N), 3>>;
  template <int N>
  static int shared(int stages) {
    return before_slots + stages * slot_bytes<N>();
  }
};

}  // namespace fft
