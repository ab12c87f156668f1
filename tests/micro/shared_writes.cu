// Writes of shared memory, by the rules of reads (shared_reads.cu); the read back has the same
// pattern, its lanes exchanged.
//
//   4 B, stride 32     all words in one bank     32 wavefronts, 31 conflicts
#include "tests/micro/shared.cuh"

namespace micro {
namespace {

struct Scrambled : Tile {
  ANYWHERE int at(int i) { return i * 13 % 64; }
};
struct FirstHalf : Tile {
  ANYWHERE bool active(int i) { return i % 32 < 16; }
};
struct EvenLanesApart : Tile {
  static constexpr int size = 2 * shared_threads;
  ANYWHERE int at(int i) { return 2 * i; }
  ANYWHERE bool active(int i) { return i % 4 != 1; }
};
struct Everywhere : Tile {  // multiplying by an odd number permutes what has 10 bits
  static constexpr int size = 1024;
  ANYWHERE int at(int i) { return i * 597 & 1023; }
};

}  // namespace

std::vector<Case> shared_writes() {
  return {
      {"1 B, stride 1", write_case<unsigned char, Stride<1>>},
      {"2 B, stride 3", write_case<unsigned short, Stride<3>>},
      {"4 B, stride 2", write_case<float, Stride<2>>},
      {"4 B, stride 3", write_case<float, Stride<3>>},
      {"4 B, stride 4", write_case<float, Stride<4>>},
      {"4 B, stride 32", write_case<float, Stride<32>>},
      {"4 B, stride 33", write_case<float, Stride<33>>},
      {"8 B, stride 1", write_case<double, Stride<1>>},
      {"8 B, stride 2", write_case<double, Stride<2>>},
      {"8 B, stride 16", write_case<double, Stride<16>>},
      {"8 B, stride 17", write_case<double, Stride<17>>},
      {"16 B, stride 1", write_case<float4, Stride<1>>},
      {"16 B, stride 2", write_case<float4, Stride<2>>},
      {"16 B, stride 5", write_case<float4, Stride<5>>},
      {"16 B, stride 8", write_case<float4, Stride<8>>},
      {"16 B, scrambled", write_case<float4, Scrambled>},
      {"8 B, lower half of each warp", write_case<double, FirstHalf>},
      {"8 B, three lanes of four, stride 2", write_case<double, EvenLanesApart>},
      {"4 B, everywhere", write_case<float, Everywhere>},
      {"8 B, everywhere", write_case<double, Everywhere>},
      {"16 B, everywhere", write_case<float4, Everywhere>},
  };
}

}  // namespace micro
