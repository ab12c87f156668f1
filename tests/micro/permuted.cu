// Who reads what is free of cost as long as the sectors are the same: orders, broadcasts, and lanes
// thrown together.
//
//   all lanes one element                    1 sector
//   the 32 elements of a warp in any order   4
#include "tests/micro/gather.cuh"

namespace micro {
namespace {

struct One : Every {
  ANYWHERE int load(int) { return 5; }
};
struct OneOfWarp : Every {
  ANYWHERE int load(int i) { return i / 32; }
};
struct OneOfHalfWarp : Every {
  ANYWHERE int load(int i) { return i / 16 * 16; }
};
struct Pairs : Every {
  ANYWHERE int load(int i) { return i / 2; }
};
struct Reversed : Every {
  ANYWHERE int load(int i) { return 511 - i; }
};
struct Exchanged : Every {
  ANYWHERE int load(int i) { return i ^ 13; }
};
struct Scrambled : Every {  // 13 is odd: every lane of a warp comes once
  ANYWHERE int load(int i) { return i / 32 * 32 + i * 13 % 32; }
};
struct Rotated : Every {
  ANYWHERE int load(int i) { return i / 32 * 32 + (i + 5) % 32; }
};
struct Hashed : Every {
  ANYWHERE int load(int i) { return int(unsigned(i) * 2654435761u >> 20); }
};
struct HashedStore : Every {  // multiplying by an odd number permutes what has 12 bits
  ANYWHERE int store(int i) { return i * 1597 & 4095; }
};
struct Rows : Every {  // lanes run down the columns of 16 rows
  ANYWHERE int load(int i) { return i % 16 * 32 + i / 16; }
};
struct StoredRows : Every {
  ANYWHERE int store(int i) { return i % 16 * 32 + i / 16; }
};

// The index comes from memory.
__global__ void indexed(float* out, const float* in, const int* index) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = in[index[i]];
}
void indexed_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random<float>(5000);
  const auto index = bench.random_integers(size_t(traffic.threads()), 5000);
  const auto before = Bench::unwritten<float>(index.size());
  auto after = before;
  for (size_t i = 0; i < after.size(); ++i) after[i] = in[size_t(index[i])];
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.global_load(4, [&](Thread t) { return 4 * index[size_t(t.at)]; });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(indexed, traffic, before, after, in, index);
}

}  // namespace

std::vector<Case> permuted() {
  return {
      {"load one element", gather_case<float, One>},
      {"load one element a warp", gather_case<float, OneOfWarp>},
      {"load one element a half warp", gather_case<float, OneOfHalfWarp>},
      {"load one element for two lanes", gather_case<float, Pairs>},
      {"load 16 B for two lanes", gather_case<float4, Pairs>},
      {"load reversed", gather_case<float, Reversed>},
      {"load exchanged by exclusive or", gather_case<float, Exchanged>},
      {"load scrambled in each warp", gather_case<float, Scrambled>},
      {"load rotated in each warp", gather_case<float, Rotated>},
      {"load 8 B rotated in each warp", gather_case<double, Rotated>},
      {"load hashed", gather_case<float, Hashed>},
      {"store hashed", gather_case<float, HashedStore>},
      {"store 1 B hashed", gather_case<unsigned char, HashedStore>},
      {"load down columns", gather_case<float, Rows>},
      {"store down columns", gather_case<float, StoredRows>},
      {"load by random indices", indexed_case},
  };
}

}  // namespace micro
