// Fences before all other SMs, MEMBAR.SC.GPU and wider: a message to L2 and back, to the half that was stored to.
//
//   Fences fences(280, 172);
//   fences.wait(Since::nothing, 100)    -> 370: the way to L2 and back
//   fences.wait(Since::stored, 500)     -> 995: what it stored is acknowledged first
//
// Measured on an H200 (results/h200/fences.json): 270 cycles where nothing was accessed since the last one; 327 to 482 more than a load or an
// atomic, by which half it went to; 392 to 600 from a store. Fences of an SM's warps leave it one after the other.
#pragma once
#include <algorithm>
#include <cstdint>

namespace headroom {

enum class Since : uint8_t { nothing, accessed, stored };  // what a warp did since its last fence

class Fences {
 public:
  // Latency of L2, and what its other half adds; cycles.
  Fences(double l2_latency, double far) : l2_latency_(l2_latency), far_(far) {}

  // Until when the warp waits.
  double wait(Since since, double now) {
    struct Cost {
      double more, far, turn;  // than L2's latency; of its other half's; of the SM
    };
    static constexpr Cost costs[] = {{-10, 0, 10}, {47, 0.45, 25}, {112, 0.6, 25}};
    const Cost& cost = costs[size_t(since)];
    const double begin = std::max(now, free_);
    free_ = begin + cost.turn;
    return begin + l2_latency_ + cost.more + cost.far * far_;
  }

 private:
  double l2_latency_, far_, free_ = 0;
};

}  // namespace headroom
