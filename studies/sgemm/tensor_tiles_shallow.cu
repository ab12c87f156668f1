// The kernels of tensor_tiles.h for short k.
#include "studies/sgemm/tensor_tiles.h"

namespace sgemm {

void launch_tensor_32x128_shallow(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor32x128Shallow>, Tensor32x128Shallow>(p, cut, leftover);
}
void launch_tensor_64x128_shallow(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor64x128Shallow>, Tensor64x128Shallow>(p, cut, leftover);
}
void launch_tensor_64x64_shallow(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor64x64Shallow>, Tensor64x64Shallow>(p, cut, leftover);
}
void launch_tensor_128x32_shallow(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor128x32Shallow>, Tensor128x32Shallow>(p, cut, leftover);
}

}  // namespace sgemm
