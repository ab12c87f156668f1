// rung    persistent
// idea    as many blocks as are wanted stay to the end: the L1 is whole, and no block has to begin
// expect  global_load_requests / 1, global_store_requests / 1 against sixteen_float4
// next    pipelined: load the next tile before this one is stored
//
// The grid is no longer the size of the data but that of the machine: every warp copies a tile of
// 16 values a lane, then the one that lies as many tiles further as there are warps. Occupancy is
// a matter of the grid, so no shared memory is wasted on it. A warp still waits for all loads of a
// tile before it stores it, and has none in flight while it does.
#include "studies/copy/launch_tiles.h"
#include "studies/copy/tiles.h"

namespace {

using Tuning = headroom::LaunchBox<headroom::Row<80, 64, 8>, headroom::Row<90, 64, 16>>;

template <typename Tuning>
__global__ void __launch_bounds__(copy::max_threads)
    copy_persistent(float4* to, const float4* from, size_t values) {
  using here = typename Tuning::here;
  const unsigned tiles = unsigned(values / (here::VT * copy::lanes));
  for (unsigned tile = copy::warp_of_grid(); tile < tiles; tile += copy::warps_of_grid()) {
    float4 held[here::VT];
    copy::warp_load(held, from, tile);
    copy::warp_store(to, tile, held);
  }
  copy::copy_rest_of_tiles<here::VT>(to, from, values);
}

}  // namespace

const copy::Variant copy::persistent =
    copy::tile_variant<Tuning, copy_persistent<Tuning>>("persistent");
