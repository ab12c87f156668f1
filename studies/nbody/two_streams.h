// Two streams beside the default one, for work that goes on by turns.
//
//   static const TwoStreams streams;
//   streams.begin();
//   kernel<<<blocks, threads, 0, streams[0]>>>(…); kernel<<<blocks, threads, 0, streams[1]>>>(…);
//   streams.end();
#pragma once
#include <cuda_runtime.h>

#include "studies/common/check.h"

namespace nbody {

// Made once and kept: to make them takes longer than a launch.
class TwoStreams {
 public:
  TwoStreams() {
    CHECK(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming));
    for (int half = 0; half < 2; ++half) {
      CHECK(cudaStreamCreateWithFlags(&streams_[half], cudaStreamNonBlocking));
      CHECK(cudaEventCreateWithFlags(&ended_[half], cudaEventDisableTiming));
    }
  }
  cudaStream_t operator[](int half) const { return streams_[half]; }

  // Both begin when the default stream has come here, which goes on when both have ended.
  void begin() const {
    CHECK(cudaEventRecord(begun_, nullptr));
    for (cudaStream_t stream : streams_) CHECK(cudaStreamWaitEvent(stream, begun_, 0));
  }
  void end() const {
    for (int half = 0; half < 2; ++half) {
      CHECK(cudaEventRecord(ended_[half], streams_[half]));
      CHECK(cudaStreamWaitEvent(nullptr, ended_[half], 0));
    }
  }

 private:
  cudaStream_t streams_[2];
  cudaEvent_t begun_, ended_[2];
};

}  // namespace nbody
