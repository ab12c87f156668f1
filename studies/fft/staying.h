// Rungs whose blocks stay: as many as a multiprocessor is to hold, each with one tile after the other.
//
//   template <typename Tuning, int N>
//   __global__ void … transform_queued(Work work)
//
//   struct Kernels : fft::Registers { template <int N> static auto kernel() {…} };
//   const fft::Rung fft::queued = fft::staying_rung<Kernels>("queued");
//
// The tunings are tables by architecture, one for each length of a transform.
#pragma once
#include <algorithm>
#include <headroom/launch_box.cuh>

#include "studies/common/shared_memory.h"
#include "studies/fft/fft.h"
#include "studies/fft/kept.h"
#include "studies/fft/sizes.h"
#include "studies/fft/stages.h"
#include "studies/fft/tiles.h"

namespace fft {

constexpr int values_a_thread = 16;

struct Work {
  float2* to;
  const float2* from;
  const float2* roots;
  size_t batch;
  bool inverse;
  int stages;  // tiles of a block that are on their way or in work
};

// OCC is the number of blocks that stay on a multiprocessor.
template <int Architecture, int N, int Blocks, int Stages = 1>
struct Row : headroom::Row<Architecture, Plan<N, values_a_thread>::block, values_a_thread, Blocks> {
  static constexpr int stages = Stages;
};

// 256 threads of a multiprocessor: two warps for each of its four parts, which have 255 registers then.
constexpr int blocks_for(int n) { return n <= 1024 ? 4 : n == 2048 ? 2 : 1; }
// Longer ones have no registers for all of their factors.
template <int N, int V>
using Lasting = std::conditional_t<(Plan<N, V>::block <= 256), Kept<N, V>, KeptRoots<N, V>>;

// What a rung needs whose tiles wait in registers.
struct Registers {
  static constexpr int capability = 0;
  template <int N>
  using Tuning = headroom::LaunchBox<Row<80, N, blocks_for(N)>>;
  // Of a block.
  template <int N>
  static int shared(int) {
    using plan = Plan<N, values_a_thread>;
    return Padded<values_a_thread>::size(plan::tile) * int(sizeof(float2));
  }
};

template <typename Kernels>
struct StayingLaunch {
  static int stages(const Request& request) {
    if (request.stages) return request.stages;
    return for_size(request.n, [](auto n) {
      return headroom::at_row<typename Kernels::template Tuning<n>>(
          Kernels::template kernel<n>(), [](auto row) { return decltype(row)::stages; });
    });
  }
  static Shape shape(const Request& request) {
    return for_size(request.n, [&](auto n) {
      const auto kernel = Kernels::template kernel<n>();
      const auto row = headroom::configure<typename Kernels::template Tuning<n>>(kernel);
      const int shared = Kernels::template shared<n>(stages(request));
      study::allow_shared(kernel, shared);
      return Shape{reinterpret_cast<const void*>(kernel), row.NT, shared,
                   request.blocks ? request.blocks : row.OCC};
    });
  }
  static void launch(const Request& r) {
    const Shape at = shape(r);
    const Work work{r.to, r.from, r.roots, r.batch, r.inverse, stages(r)};
    for_size(r.n, [&](auto n) {
      const size_t most = size_t(at.blocks) * r.multiprocessors;
      const size_t blocks = std::min(most, tiles_of<n, values_a_thread>(r.batch));
      Kernels::template kernel<n>()<<<unsigned(blocks), at.threads, at.shared>>>(work);
    });
  }
};

template <typename Kernels>
Rung staying_rung(const char* name) {
  using Launch = StayingLaunch<Kernels>;
  return {name, Launch::launch, Launch::shape, max_size, false, Kernels::capability};
}

}  // namespace fft
