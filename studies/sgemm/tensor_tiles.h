// The tiles among which tensor_sgemm chooses, in the order of tensor_tile_times.
//
//   launch_tensor_128x64(product, {8, 8}, leftover);      // 8 blocks a tile, a cluster of 8
#pragma once
#include "studies/sgemm/any_launch.h"
#include "studies/sgemm/tensor_tile.h"

namespace sgemm {

//                              rows, columns of a warp, warps, depth, stages, blocks
using Tensor128x128 = TensorTile<64, 32, 2, 4, 32, 5, 1>;
using Tensor128x64 = TensorTile<64, 32, 2, 2, 32, 4, 2>;
using Tensor64x128 = TensorTile<64, 32, 1, 4, 32, 4, 2>;
using Tensor64x64 = TensorTile<32, 32, 2, 2, 32, 4, 3>;
using Tensor32x128 = TensorTile<32, 32, 1, 4, 32, 3, 3>;
using Tensor128x32 = TensorTile<32, 32, 4, 1, 32, 3, 3>;
using Tensor32x64 = TensorTile<16, 32, 2, 2, 32, 4, 4>;
using Tensor64x32 = TensorTile<32, 16, 2, 2, 32, 4, 4>;
using Tensor16x128 = TensorTile<16, 32, 1, 4, 32, 4, 3>;
using Tensor128x16 = TensorTile<32, 16, 4, 1, 32, 4, 3>;
using Tensor128x8 = TensorTile<32, 8, 4, 1, 64, 3, 2>;
using Tensor128x24 = TensorTile<32, 24, 4, 1, 32, 4, 2>;
using Tensor32x128Shallow = TensorTile<32, 32, 1, 4, 8, 4, 4>;
using Tensor64x128Shallow = TensorTile<64, 32, 1, 4, 8, 4, 2>;
using Tensor64x64Shallow = TensorTile<32, 32, 2, 2, 8, 4, 4>;
using Tensor128x32Shallow = TensorTile<32, 32, 4, 1, 8, 4, 4>;

using LaunchTensorTile = void(const Product&, Cut, const Leftover&);
LaunchTensorTile launch_tensor_128x128, launch_tensor_128x64, launch_tensor_64x128,
    launch_tensor_64x64, launch_tensor_32x128, launch_tensor_128x32, launch_tensor_32x64,
    launch_tensor_64x32, launch_tensor_16x128, launch_tensor_128x16, launch_tensor_128x8,
    launch_tensor_128x24, launch_tensor_32x128_shallow, launch_tensor_64x128_shallow,
    launch_tensor_64x64_shallow, launch_tensor_128x32_shallow;

}  // namespace sgemm
