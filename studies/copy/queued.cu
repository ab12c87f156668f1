// rung    queued
// idea    warps take tiles from a queue, in the order of addresses: the SMs stay close together
// expect  global_load_requests / 1, global_store_requests / 1 against pipelined
// next    bulk: let the copy engine of the SM compute the addresses
//
// The loop is that of pipelined, with plain loads and registers; which tiles are next is asked of
// a counter in memory, one step ahead. With fixed strides some SMs are ahead of others before
// long, and what is in flight is scattered over the memory; now it is a narrow window that moves
// through it. A profiler sees the same bytes read and written by DRAM either way, in less time:
// what differs is their order. The window must not be too wide either: 48 KiB an SM, 12 values in
// each of two tiles with 128 threads, is the best on an H200. Less does not cover the latency,
// more is slower again.
#include "studies/common/queue.h"
#include "studies/copy/launch_tiles.h"
#include "studies/copy/tiles.h"

namespace {

// 12 values of 16 bytes in each of two tiles: with 128 threads, 48 KiB in flight on an SM.
using Tuning = headroom::LaunchBox<headroom::Row<80, 64, 8>, headroom::Row<90, 64, 12>>;

__device__ study::Queue queue;

template <typename Tuning>
__global__ void __launch_bounds__(copy::max_threads)
    copy_queued(float4* to, const float4* from, size_t values) {
  using here = typename Tuning::here;
  const unsigned tiles = unsigned(values / (here::VT * copy::lanes));
  float4 one[here::VT], other[here::VT];
  // Two tiles at a time, so that the loop is as it was: two loads, two stores, and no branch.
  const unsigned pairs = tiles / 2;
  unsigned pair = study::warp_take(queue), taken = study::lane_take(queue);
  if (pair < pairs) {
    copy::warp_load(one, from, 2 * pair);
    for (unsigned next; (next = study::of_first_lane(taken)) < pairs; pair = next) {
      taken = study::lane_take(queue);
      copy::warp_load(other, from, 2 * pair + 1);
      copy::warp_store(to, 2 * pair, one);
      copy::warp_load(one, from, 2 * next);
      copy::warp_store(to, 2 * pair + 1, other);
    }
    copy::warp_load(other, from, 2 * pair + 1);
    copy::warp_store(to, 2 * pair, one);
    copy::warp_store(to, 2 * pair + 1, other);
  }
  if (tiles % 2 != 0 && copy::warp_of_grid() == 0) {
    copy::warp_load(one, from, tiles - 1);
    copy::warp_store(to, tiles - 1, one);
  }
  copy::copy_rest_of_tiles<here::VT>(to, from, values);
  if (threadIdx.x % copy::lanes == 0) queue.leave(copy::warps_of_grid());
}

}  // namespace

const copy::Variant copy::queued = copy::tile_variant<Tuning, copy_queued<Tuning>, 2>("queued");
