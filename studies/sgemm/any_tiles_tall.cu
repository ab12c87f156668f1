// The kernels of any_tiles.h whose tiles are of many rows.
#include "studies/sgemm/any_tiles.h"

namespace sgemm {

void launch_128x32(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile128x32>(p, fours_of_b, cut, leftover);
}
void launch_128x48(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile128x48>(p, fours_of_b, cut, leftover);
}
void launch_128x16(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile128x16>(p, fours_of_b, cut, leftover);
}
void launch_64x64(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile64x64>(p, fours_of_b, cut, leftover);
}
void launch_64x96(const Product& p, bool fours_of_b, Cut cut, const Leftover& leftover) {
  launch_tiles<Tile64x96>(p, fours_of_b, cut, leftover);
}

}  // namespace sgemm
