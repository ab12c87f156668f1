// The kernels of any_tiles.h whose tiles are of few rows.
#include "studies/sgemm/any_tiles.h"

namespace sgemm {

void launch_24x256(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile24x256>(p, fours_of_b, cut, leftover);
}
void launch_16x256(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile16x256>(p, fours_of_b, cut, leftover);
}
void launch_48x128(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile48x128>(p, fours_of_b, cut, leftover);
}
void launch_32x64(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile32x64>(p, fours_of_b, cut, leftover);
}
void launch_32x128(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile32x128>(p, fours_of_b, cut, leftover);
}

}  // namespace sgemm
