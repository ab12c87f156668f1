// Reads of shared memory: 32 banks of 4 bytes. Up to 4 bytes a lane take as many wavefronts as the
// fullest bank has words; 8 bytes go by half warps and 16 by quarters, which are served together if
// neighbouring lanes want the same.
//
//   4 B, stride 2      16 banks of two words          2 wavefronts, 1 conflict
//   8 B, stride 1      two halves                     2, none
//   16 B, stride 1     four quarters                  4, none
#include "tests/micro/shared.cuh"

namespace micro {
namespace {

struct One : Tile {
  ANYWHERE int at(int) { return 3; }
};
struct OneOfHalf : Tile {
  ANYWHERE int at(int i) { return i / 16; }
};
struct Pairs : Tile {  // lanes 2i and 2i + 1 want the same
  ANYWHERE int at(int i) { return i / 2; }
};
struct Alternating : Tile {  // lanes i and i ^ 2 want the same
  ANYWHERE int at(int i) { return (i / 4) * 2 + i % 2; }
};
struct Fours : Tile {
  ANYWHERE int at(int i) { return i / 4; }
};
struct EightsApart : Tile {  // lanes i and i + 8 want the same: no neighbours
  ANYWHERE int at(int i) { return i / 16 * 8 + i % 8; }
};
struct HalvesAlike : Tile {  // lanes i and i + 16 want the same
  ANYWHERE int at(int i) { return i % 16; }
};
struct LowerHalfPairs : Tile {  // only one half of each warp could be served together
  ANYWHERE int at(int i) { return i % 32 < 16 ? i / 2 : i; }
};
struct TwoWays : Tile {  // lanes i and i ^ 1 want the same in one half, i and i ^ 2 in the other
  ANYWHERE int at(int i) { return i % 32 < 16 ? i / 2 : (i / 4) * 2 + i % 2; }
};
struct UpperHalfPairs : Tile {  // the other half of each warp idles
  ANYWHERE int at(int i) { return i / 2; }
  ANYWHERE bool active(int i) { return i % 32 >= 16; }
};
struct SomePairs : Tile {  // lanes 4 … 31 idle where there is no pair
  ANYWHERE int at(int i) { return i % 32 < 4 ? i / 2 : i; }
  ANYWHERE bool active(int i) { return i % 32 < 4 || i % 4 == 0; }
};
struct EvenLanes : Tile {
  ANYWHERE bool active(int i) { return i % 2 == 0; }
};
struct EvenLanesApart : Tile {
  static constexpr int size = 2 * shared_threads;
  ANYWHERE int at(int i) { return 2 * i; }
  ANYWHERE bool active(int i) { return i % 2 == 0; }
};
struct FirstOfFour : Tile {
  ANYWHERE bool active(int i) { return i % 4 == 0; }
};
struct LowerHalf : Tile {
  ANYWHERE bool active(int i) { return i % 32 < 16; }
};
struct UpperQuarter : Tile {
  ANYWHERE bool active(int i) { return i % 32 >= 24; }
};
struct OneLane : Tile {
  ANYWHERE bool active(int i) { return i % 32 == 7; }
};
struct Reversed : Tile {
  ANYWHERE int at(int i) { return shared_threads - 1 - i; }
};
struct Scrambled : Tile {
  ANYWHERE int at(int i) { return i * 13 % 64; }
};
struct Random : Tile {
  static constexpr int size = 1024;
  ANYWHERE int at(int i) { return int(unsigned(i) * 2654435761u >> 22); }
};

}  // namespace

std::vector<Case> shared_reads() {
  return {
      {"1 B, stride 1", read_case<unsigned char, Stride<1>>},
      {"1 B, stride 4", read_case<unsigned char, Stride<4>>},
      {"1 B, stride 33", read_case<unsigned char, Stride<33>>},
      {"2 B, stride 1", read_case<unsigned short, Stride<1>>},
      {"2 B, stride 32", read_case<unsigned short, Stride<32>>},
      {"4 B, stride 1", read_case<float, Stride<1>>},
      {"4 B, stride 2", read_case<float, Stride<2>>},
      {"4 B, stride 3", read_case<float, Stride<3>>},
      {"4 B, stride 4", read_case<float, Stride<4>>},
      {"4 B, stride 5", read_case<float, Stride<5>>},
      {"4 B, stride 8", read_case<float, Stride<8>>},
      {"4 B, stride 16", read_case<float, Stride<16>>},
      {"4 B, stride 17", read_case<float, Stride<17>>},
      {"4 B, stride 32", read_case<float, Stride<32>>},
      {"4 B, stride 33", read_case<float, Stride<33>>},
      {"8 B, stride 1", read_case<double, Stride<1>>},
      {"8 B, stride 2", read_case<double, Stride<2>>},
      {"8 B, stride 3", read_case<double, Stride<3>>},
      {"8 B, stride 4", read_case<double, Stride<4>>},
      {"8 B, stride 5", read_case<double, Stride<5>>},
      {"8 B, stride 8", read_case<double, Stride<8>>},
      {"8 B, stride 16", read_case<double, Stride<16>>},
      {"8 B, stride 17", read_case<double, Stride<17>>},
      {"8 B, stride 32", read_case<double, Stride<32>>},
      {"8 B, stride 33", read_case<double, Stride<33>>},
      {"16 B, stride 1", read_case<float4, Stride<1>>},
      {"16 B, stride 2", read_case<float4, Stride<2>>},
      {"16 B, stride 3", read_case<float4, Stride<3>>},
      {"16 B, stride 4", read_case<float4, Stride<4>>},
      {"16 B, stride 5", read_case<float4, Stride<5>>},
      {"16 B, stride 8", read_case<float4, Stride<8>>},
      {"16 B, stride 16", read_case<float4, Stride<16>>},
      {"16 B, stride 17", read_case<float4, Stride<17>>},
      {"16 B, stride 32", read_case<float4, Stride<32>>},
      {"16 B, stride 33", read_case<float4, Stride<33>>},
      {"4 B, one word", read_case<float, One>},
      {"8 B, one element", read_case<double, One>},
      {"16 B, one element", read_case<float4, One>},
      {"8 B, one element a half warp", read_case<double, OneOfHalf>},
      {"16 B, one element a half warp", read_case<float4, OneOfHalf>},
      {"8 B, one element for lanes i, i ^ 1", read_case<double, Pairs>},
      {"16 B, one element for lanes i, i ^ 1", read_case<float4, Pairs>},
      {"8 B, one element for lanes i, i ^ 2", read_case<double, Alternating>},
      {"16 B, one element for lanes i, i ^ 2", read_case<float4, Alternating>},
      {"8 B, one element for four lanes", read_case<double, Fours>},
      {"16 B, one element for four lanes", read_case<float4, Fours>},
      {"8 B, one element for lanes i, i + 8", read_case<double, EightsApart>},
      {"16 B, one element for lanes i, i + 8", read_case<float4, EightsApart>},
      {"8 B, one element for lanes i, i + 16", read_case<double, HalvesAlike>},
      {"16 B, one element for lanes i, i + 16", read_case<float4, HalvesAlike>},
      {"8 B, pairs in the lower half only", read_case<double, LowerHalfPairs>},
      {"16 B, pairs in the lower half only", read_case<float4, LowerHalfPairs>},
      {"8 B, pairs of either kind in a half", read_case<double, TwoWays>},
      {"16 B, pairs of either kind in a half", read_case<float4, TwoWays>},
      {"8 B, pairs in the upper half alone", read_case<double, UpperHalfPairs>},
      {"16 B, pairs in the upper half alone", read_case<float4, UpperHalfPairs>},
      {"8 B, two pairs and single lanes", read_case<double, SomePairs>},
      {"16 B, two pairs and single lanes", read_case<float4, SomePairs>},
      {"8 B, even lanes", read_case<double, EvenLanes>},
      {"8 B, even lanes, stride 2", read_case<double, EvenLanesApart>},
      {"16 B, even lanes", read_case<float4, EvenLanes>},
      {"16 B, even lanes, stride 2", read_case<float4, EvenLanesApart>},
      {"8 B, one lane of four", read_case<double, FirstOfFour>},
      {"16 B, one lane of four", read_case<float4, FirstOfFour>},
      {"8 B, lower half of each warp", read_case<double, LowerHalf>},
      {"16 B, lower half of each warp", read_case<float4, LowerHalf>},
      {"16 B, upper quarter of each warp", read_case<float4, UpperQuarter>},
      {"16 B, one lane of 32", read_case<float4, OneLane>},
      {"4 B, reversed", read_case<float, Reversed>},
      {"16 B, reversed", read_case<float4, Reversed>},
      {"16 B, scrambled", read_case<float4, Scrambled>},
      {"4 B, random", read_case<float, Random>},
      {"8 B, random", read_case<double, Random>},
      {"16 B, random", read_case<float4, Random>},
  };
}

}  // namespace micro
