// rung    pipelined
// idea    load the next tile before this one is stored: a warp always has loads in flight
// expect  global_load_requests / 1, global_store_requests / 1 against persistent
// next    asynchronous: let loads land in shared memory, not in registers
//
// Two tiles of registers, of 8 values each, take turns: while one is stored, the loads of the
// other are on their way. It takes care to get that from the compiler. A load is waited for by a
// counter, of which a warp has six; across a branch all loads share one, and a store that waits
// for its own tile then waits for the next one too. So the loop's body is two loads, two stores
// and no branch; a loop that asks before each load whether there is a next tile is not pipelined,
// whatever its source looks like.
#include "studies/copy/launch_tiles.h"
#include "studies/copy/tiles.h"

namespace {

using Tuning = headroom::LaunchBox<headroom::Row<80, 64, 8>>;

template <typename Tuning>
__global__ void __launch_bounds__(copy::max_threads)
    copy_pipelined(float4* to, const float4* from, size_t values) {
  using here = typename Tuning::here;
  const unsigned tiles = unsigned(values / (here::VT * copy::lanes));
  float4 one[here::VT], other[here::VT];
  const unsigned warps = copy::warps_of_grid();
  unsigned tile = copy::warp_of_grid();
  copy::copy_rest_of_tiles<here::VT>(to, from, values);
  if (tile >= tiles) return;
  copy::warp_load(one, from, tile);
  // No branch lies between a load and its store: at a branch the compiler would give loads of both
  // tiles the same counter to wait for.
  for (; tile + 2 * warps < tiles; tile += 2 * warps) {
    copy::warp_load(other, from, tile + warps);
    copy::warp_store(to, tile, one);
    copy::warp_load(one, from, tile + 2 * warps);
    copy::warp_store(to, tile + warps, other);
  }
  copy::warp_store(to, tile, one);
  if (tile + warps < tiles) {
    copy::warp_load(one, from, tile + warps);
    copy::warp_store(to, tile + warps, one);
  }
}

}  // namespace

const copy::Variant copy::pipelined =
    copy::tile_variant<Tuning, copy_pipelined<Tuning>, 2>("pipelined");
