// The kernels of tensor_tiles.h whose tiles are large.
#include "studies/sgemm/tensor_tiles.h"

namespace sgemm {

void launch_tensor_128x128(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor128x128>, Tensor128x128>(p, cut, leftover);
}
void launch_tensor_128x64(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor128x64>, Tensor128x64>(p, cut, leftover);
}
void launch_tensor_64x128(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor64x128>, Tensor64x128>(p, cut, leftover);
}
void launch_tensor_64x64(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor64x64>, Tensor64x64>(p, cut, leftover);
}

}  // namespace sgemm
