// rung    asynchronous
// idea    loads land in shared memory, several tiles ahead, and hold no registers while they fly
// expect  global_load_sectors / 1, global_store_requests / 1 against pipelined
// next    queued: take tiles in the order of addresses, so that the SMs stay close together
//
// cp.async takes the place of loads: three tiles of a warp are on their way to shared memory while
// it stores a fourth. Groups of them are waited for in order, by number, so that branches do no
// harm, and each thread reads back only what it asked for itself, so no barrier is needed. It
// brings more bytes in flight for each thread than registers did, and most where threads are
// fewest; where these were enough already, the way through shared memory brings nothing.
#include <cuda_pipeline_primitives.h>

#include "studies/copy/launch_tiles.h"
#include "studies/copy/tiles.h"

namespace {

template <int Architecture, int Threads, int Values, int Stages>
struct Row : headroom::Row<Architecture, Threads, Values> {
  static constexpr int stages = Stages;  // tiles of a warp that are on their way or have arrived
};
using Tuning = headroom::LaunchBox<Row<80, 64, 4, 4>, Row<90, 64, 8, 4>>;

template <typename Tuning>
__global__ void __launch_bounds__(copy::max_threads)
    copy_asynchronous(float4* to, const float4* from, size_t values) {
  using here = typename Tuning::here;
  const unsigned tiles = unsigned(values / (here::VT * copy::lanes));
  extern __shared__ float4 landing[];
  // Each thread reads back only what it asked for itself, so it waits for nobody else.
  const auto slot = [&](int stage) {
    return landing + (stage * here::VT) * blockDim.x + threadIdx.x;
  };
  const auto ask = [&](int stage, unsigned tile) {
    if (tile < tiles) {
      const float4* first =
          from + size_t(tile) * here::VT * copy::lanes + threadIdx.x % copy::lanes;
#pragma unroll
      for (int i = 0; i < here::VT; ++i) {
        __pipeline_memcpy_async(slot(stage) + i * blockDim.x, first + i * copy::lanes, 16);
      }
    }
    __pipeline_commit();
  };
  const unsigned warps = copy::warps_of_grid();
  unsigned tile = copy::warp_of_grid(), ahead = tile;
  for (int stage = 0; stage < here::stages - 1; ++stage, ahead += warps) ask(stage, ahead);
  for (int stage = 0; tile < tiles; tile += warps, ahead += warps) {
    const int free = (stage + here::stages - 1) % here::stages;  // stored in the step before
    ask(free, ahead);
    __pipeline_wait_prior(here::stages - 1);
    float4 held[here::VT];
#pragma unroll
    for (int i = 0; i < here::VT; ++i) held[i] = slot(stage)[i * blockDim.x];
    copy::warp_store(to, tile, held);
    stage = (stage + 1) % here::stages;
  }
  copy::copy_rest_of_tiles<here::VT>(to, from, values);
}

int bytes_of_thread(int further) {
  return headroom::at_row<Tuning>(copy_asynchronous<Tuning>, [&](auto row) {
    return (row.stages + further) * row.VT * int(sizeof(float4));
  });
}
int in_flight(int threads, int) { return threads * bytes_of_thread(-1); }  // one is being stored
int shared_wanted(const copy::Room& room) {
  const int bytes = room.threads * bytes_of_thread(0);
  return bytes <= room.dynamic_shared ? bytes : -1;
}

}  // namespace

const copy::Variant copy::asynchronous = {"asynchronous",
                                          "asynchronous",
                                          reinterpret_cast<const void*>(copy_asynchronous<Tuning>),
                                          copy::launch_tiles<copy_asynchronous<Tuning>>,
                                          in_flight,
                                          true,
                                          shared_wanted};
