// The kernels of tensor_tiles.h whose tiles have few columns.
#include "studies/sgemm/tensor_tiles.h"

namespace sgemm {

void launch_tensor_128x32(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor128x32>, Tensor128x32>(p, cut, leftover);
}
void launch_tensor_64x32(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor64x32>, Tensor64x32>(p, cut, leftover);
}
void launch_tensor_128x16(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor128x16>, Tensor128x16>(p, cut, leftover);
}
void launch_tensor_128x8(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor128x8>, Tensor128x8>(p, cut, leftover);
}
void launch_tensor_128x24(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor128x24>, Tensor128x24>(p, cut, leftover);
}

}  // namespace sgemm
