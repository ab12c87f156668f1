// Empties the L2 of what the work left there: writes a buffer of twice its size, so that every line
// has been replaced before the next sample.
//
//   Flush flush;               on the current device
//   flush(stream);             queued in the stream
#pragma once
#include <cuda_runtime.h>

#include "headroom/timing/call.h"

namespace headroom::timing {

class Flush {
 public:
  Flush() {
    int device = 0, l2 = 0;
    HEADROOM_TIMING_CALL(cudaGetDevice(&device));
    HEADROOM_TIMING_CALL(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    bytes_ = 2 * size_t(l2);
    if (bytes_) HEADROOM_TIMING_CALL(cudaMalloc(&memory_, bytes_));
  }
  Flush(const Flush&) = delete;
  Flush& operator=(const Flush&) = delete;
  ~Flush() { cudaFree(memory_); }

  void operator()(cudaStream_t stream) {
    if (bytes_) HEADROOM_TIMING_CALL(cudaMemsetAsync(memory_, ++value_ & 0xff, bytes_, stream));
  }

 private:
  void* memory_ = nullptr;
  size_t bytes_ = 0;
  int value_ = 0;
};

}  // namespace headroom::timing
