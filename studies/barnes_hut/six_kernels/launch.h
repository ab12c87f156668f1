// Blocks that stay: as many as the device holds at once, or as the work is for.
//
//   launch<Tuning>(kernel, on, items, no_limit, tree);   // a thread an item, or fewer that go round
//
// Threads of these kernels wait for each other, so that all blocks must be on the device: their
// number is what the occupancy of the loaded code allows, no more. Without full multithreading it is
// one warp an SM.
#pragma once
#include <algorithm>
#include <headroom/launch_box.cuh>

#include "studies/barnes_hut/six_kernels/switches.h"
#include "studies/common/check.h"

namespace barnes_hut::six {

inline int multiprocessors() {
  int device = 0, count = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

constexpr int no_limit = 1 << 30;

template <typename Tuning, typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), unsigned on, int64_t items, int max_blocks,
            const Arguments&... arguments) {
  const headroom::Choice choice = headroom::configure<Tuning>(kernel);
  const int threads = (on & full_multithreading) ? choice.NT : 32;
  int resident = 1;
  if (on & full_multithreading) {
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
    if (choice.OCC > 0) resident = std::min(resident, choice.OCC);
  }
  const int64_t wanted = (items - 1) / threads + 1;
  const int64_t room = std::min(multiprocessors() * resident, max_blocks);
  kernel<<<unsigned(std::min(wanted, room)), threads>>>(arguments...);
  CHECK(cudaGetLastError());
}

}  // namespace barnes_hut::six
