// Which lanes take part: a request counts once, however many of its lanes are active, and not at
// all if none is.
//
//   block of 33 threads    two warps, the second with one lane: 1 sector
//   block of 5 × 7         lanes run along x, then y: 35 threads in two warps
#include "tests/micro/gather.cuh"

namespace micro {
namespace {

// Grids of any block: thread by thread, in the order of the lanes.
__global__ void by_index(float* out, const float* in) {
  const int threads = int(blockDim.x * blockDim.y * blockDim.z);
  const int index = int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  const int i = int(blockIdx.x) * threads + index;
  out[i] = in[i];
}
template <int X, int Y, int Z>
void block_case(Bench& bench) {
  Traffic traffic(3, dim3(X, Y, Z));
  const auto in = bench.random<float>(size_t(traffic.threads()));
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(by_index, traffic, Bench::unwritten<float>(in.size()), in, in);
}

// A matrix whose rows are longer than the block is wide: every row of the block begins elsewhere.
constexpr int pitch = 37;
__global__ void by_row(float* out, const float* in) {
  const int i = int(blockIdx.x * blockDim.y + threadIdx.y) * pitch + int(threadIdx.x);
  out[i] = in[i];
}
template <int X, int Y>
void row_case(Bench& bench) {
  Traffic traffic(3, dim3(X, Y));
  const auto in = bench.random<float>(size_t(3 * Y * pitch));
  const auto before = Bench::unwritten<float>(in.size());
  auto after = before;
  const auto place = [](Thread t) { return 4 * ((t.block * Y + t.y) * pitch + t.x); };
  traffic.each_thread([&](Thread t) { after[size_t(place(t) / 4)] = in[size_t(place(t) / 4)]; });
  traffic.global_load(4, place);
  traffic.global_store(4, place);
  bench.check(by_row, traffic, before, after, in);
}

struct Odd : Every {
  ANYWHERE bool active(int i) { return i % 2 == 1; }
};
struct OneLane : Every {
  ANYWHERE bool active(int i) { return i % 32 == 17; }
};
struct UpperHalf : Every {
  ANYWHERE bool active(int i) { return i % 32 >= 16; }
};
struct SomeWarps : Every {
  ANYWHERE bool active(int i) { return i / 32 % 2 == 0; }
};
struct Tail : Every {  // the last warp has 9 lanes, and the block's last warp none
  ANYWHERE bool active(int i) { return i < 457; }
};
struct Third : Every {
  ANYWHERE int load(int i) { return 3 * i; }
  ANYWHERE bool active(int i) { return i % 3 == 0; }
};

// The bound comes as a value from memory, so that nothing is known of it.
__global__ void guarded(float* out, const float* in, const int* n) {
  const int bound = *n;
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= bound) return;
  out[i] = in[i];
}
void guarded_case(Bench& bench) {
  constexpr int n = 333;
  Traffic traffic(4, 128);
  const auto in = bench.random<float>(size_t(traffic.threads()));
  const auto before = Bench::unwritten<float>(in.size());
  auto after = before;
  std::copy(in.begin(), in.begin() + n, after.begin());
  const auto place = [](Thread t) { return t.at < n ? 4L * t.at : idle; };
  traffic.global_load(4, [](Thread) { return 0; });
  traffic.global_load(4, place);
  traffic.global_store(4, place);
  bench.check(guarded, traffic, before, after, in, std::vector<int>{n});
}

}  // namespace

std::vector<Case> lanes() {
  return {
      {"block of 1", block_case<1, 1, 1>},
      {"block of 7", block_case<7, 1, 1>},
      {"block of 33", block_case<33, 1, 1>},
      {"block of 100", block_case<100, 1, 1>},
      {"block of 5 x 7", block_case<5, 7, 1>},
      {"block of 3 x 5 x 7", block_case<3, 5, 7>},
      {"block of 17 x 3, rows apart", row_case<17, 3>},
      {"block of 33 x 2, rows apart", row_case<33, 2>},
      {"block of 8 x 8, rows apart", row_case<8, 8>},
      {"block of 1 x 32, rows apart", row_case<1, 32>},
      {"odd lanes", gather_case<float, Odd>},
      {"odd lanes of 8 B", gather_case<double, Odd>},
      {"one lane of 32", gather_case<float, OneLane>},
      {"upper half of each warp", gather_case<float4, UpperHalf>},
      {"every second warp", gather_case<float, SomeWarps>},
      {"a tail of 9 lanes", gather_case<float, Tail>},
      {"every third lane, stride 3", gather_case<float, Third>},
      {"beyond a bound read from memory", guarded_case},
  };
}

}  // namespace micro
