// The kernels of tensor_tiles.h whose tiles have few rows.
#include "studies/sgemm/tensor_tiles.h"

namespace sgemm {

void launch_tensor_32x128(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor32x128>, Tensor32x128>(p, cut, leftover);
}
void launch_tensor_32x64(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor32x64>, Tensor32x64>(p, cut, leftover);
}
void launch_tensor_16x128(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<tensor_tile_kernel<Tensor16x128>, Tensor16x128>(p, cut, leftover);
}

}  // namespace sgemm
