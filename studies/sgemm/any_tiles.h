// The tiles among which sgemm chooses, in the order of tile_times.
//
//   launch_64x96(product, fours_of_b, {8, 8}, leftover);      // 8 blocks a tile, a cluster of 8
#pragma once
#include "studies/sgemm/any_launch.h"

namespace sgemm {

//                        lanes down, results of a thread, warps, depth, stages, blocks
using Tile64x64 = AnyTile<8, 4, 8, 2, 2, 16, 3, 5>;
using Tile24x256 = AnyTile<2, 12, 4, 1, 4, 16, 3, 4>;
using Tile128x32 = AnyTile<8, 8, 4, 2, 2, 16, 3, 5>;
using Tile64x96 = AnyTile<8, 4, 12, 2, 2, 16, 3, 4>;
using Tile16x256 = AnyTile<2, 8, 4, 1, 4, 16, 4, 3>;
using Tile128x48 = AnyTile<8, 4, 12, 4, 1, 16, 3, 4>;
using Tile48x128 = AnyTile<4, 12, 4, 1, 4, 16, 3, 4>;
using Tile128x16 = AnyTile<8, 4, 4, 4, 1, 32, 3, 4>;
using Tile32x64 = AnyTile<4, 4, 4, 2, 2, 32, 3, 5>;
using Tile32x128 = AnyTile<4, 8, 8, 1, 2, 16, 4, 5>;

using LaunchTile = void(const Product&, bool fours_of_b, Cut, const Leftover&);
LaunchTile launch_64x64, launch_24x256, launch_128x32, launch_64x96, launch_16x256, launch_128x48,
    launch_48x128, launch_128x16, launch_32x64, launch_32x128;

template <typename Sizes>
void launch_tiles(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  (fours_of_b ? launch_any<Sizes, true> : launch_any<Sizes, false>)(p, cut, leftover);
}

}  // namespace sgemm
