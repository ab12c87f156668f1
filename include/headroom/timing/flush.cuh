// Empties the L2 of what the work left there: reads a buffer of twice its size, so that every line
// has been replaced before the next sample.
//
//   Flush flush(stream);       on the current device
//   flush();                   queued in the stream
//
// Reading leaves lines that are as memory has them. Writing, the usual way, leaves lines that must
// go back to memory while the work is timed: on an H200 a cold read of 20 MiB then takes 10.8 µs
// instead of 8.4 (results/h200/timing.json).
#pragma once
#include <cuda_runtime.h>

#include "headroom/timing/call.h"

namespace headroom::timing {

// A template, so that it may stand in every program's files and costs nothing where it is not used.
// The buffer holds zeros: nothing is ever written.
template <typename Word>
__global__ void read_all(Word* words, size_t count) {
  Word seen = 0;
  const size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    seen |= words[i];
  }
  if (seen) words[0] = seen;
}

class Flush {
 public:
  explicit Flush(cudaStream_t stream) : stream_(stream) {
    int device = 0, l2 = 0;
    HEADROOM_TIMING_CALL(cudaGetDevice(&device));
    HEADROOM_TIMING_CALL(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    HEADROOM_TIMING_CALL(cudaDeviceGetAttribute(&sms_, cudaDevAttrMultiProcessorCount, device));
    count_ = 2 * size_t(l2) / sizeof(Word);
    if (!count_) return;  // no L2
    HEADROOM_TIMING_CALL(cudaMalloc(&memory_, count_ * sizeof(Word)));
    HEADROOM_TIMING_CALL(cudaMemsetAsync(memory_, 0, count_ * sizeof(Word), stream));
  }
  Flush(const Flush&) = delete;
  Flush& operator=(const Flush&) = delete;
  ~Flush() { cudaFree(memory_); }

  void operator()() {
    if (!count_) return;
    read_all<<<sms_ * 4, 512, 0, stream_>>>(static_cast<Word*>(memory_), count_);
    HEADROOM_TIMING_CALL(cudaGetLastError());
  }

 private:
  using Word = unsigned long long;
  cudaStream_t stream_;
  void* memory_ = nullptr;
  size_t count_ = 0;
  int sms_ = 0;
};

}  // namespace headroom::timing
