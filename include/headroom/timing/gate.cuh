// Holds a stream back until all work of a sample is queued, so that the time the host takes to
// launch does not stand between the events:
//
//   stream   | gate … waits … | start | launch | launch | stop |
//   host     close()  record  launch  launch  record  open()
//
// The gate is a kernel of one thread that reads a flag in the host's memory. It gives up after a
// limit, so work that waits for itself (a synchronising call between close and open, or more
// launches than the driver's queue holds) is delayed and never hangs: expired() then tells.
#pragma once
#include <cuda_runtime.h>

#include "headroom/timing/call.h"

namespace headroom::timing {

struct GateFlags {
  unsigned opened, expired;  // the last turn that was
};

// A template, so that it may stand in every program's files and costs nothing where it is not used.
template <typename Flags>
__global__ void hold(volatile Flags* flags, unsigned turn, unsigned long long nanoseconds) {
  constexpr long long max_gigahertz = 10;  // should the one clock stand still, the other ends it
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  const long long first_cycle = clock64(), cycles = max_gigahertz * (long long)(nanoseconds);
  while (flags->opened != turn) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (now - begin < nanoseconds && clock64() - first_cycle < cycles) continue;
    flags->expired = turn;
    __threadfence_system();
    return;
  }
}

class Gate {
 public:
  static constexpr unsigned long long limit = 100'000'000;  // nanoseconds

  explicit Gate(cudaStream_t stream) : stream_(stream) {
    HEADROOM_TIMING_CALL(cudaHostAlloc(&memory_, sizeof(GateFlags), cudaHostAllocMapped));
    flags_ = static_cast<volatile GateFlags*>(memory_);
    flags_->opened = 0;
    flags_->expired = 0;
    HEADROOM_TIMING_CALL(cudaHostGetDevicePointer(&on_device_, memory_, 0));
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    open();
    cudaStreamSynchronize(stream_);  // nobody reads the flag any more
    cudaFreeHost(memory_);
  }

  void close() {
    ++turn_;
    hold<<<1, 1, 0, stream_>>>(static_cast<volatile GateFlags*>(on_device_), turn_, limit);
    HEADROOM_TIMING_CALL(cudaGetLastError());
  }
  void open() { flags_->opened = turn_; }
  // Of the last turn; true only after the stream has passed the gate.
  bool expired() const { return flags_->expired == turn_ && turn_ != 0; }

 private:
  cudaStream_t stream_;
  void* memory_ = nullptr;
  void* on_device_ = nullptr;
  volatile GateFlags* flags_ = nullptr;
  unsigned turn_ = 0;
};

}  // namespace headroom::timing
