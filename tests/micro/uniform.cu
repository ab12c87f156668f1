// Reads that are no loads of global memory: constants, arguments and textures. What remains to
// count are the stores.
#include <numeric>

#include "tests/micro/gather.cuh"

namespace micro {
namespace {

__constant__ float table[64];

// One constant for all lanes of a warp, for none two, and for a few.
struct PerWarp {
  ANYWHERE int at(int i) { return i / 32; }
};
struct PerLane {
  ANYWHERE int at(int i) { return i % 32; }
};
struct PerFour {
  ANYWHERE int at(int i) { return i / 4 % 32 + 5; }
};
template <class P>
__global__ void constants(float* out, const float*) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = table[P::at(i)];
}
template <class P>
void constants_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto values = bench.random<float>(64);
  CHECK(cudaMemcpyToSymbol(table, values.data(), sizeof table));
  const auto before = Bench::unwritten<float>(size_t(traffic.threads()));
  auto after = before;
  for (size_t i = 0; i < after.size(); ++i) after[i] = values[size_t(P::at(int(i)))];
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(constants<P>, traffic, before, after, std::vector<float>(1));
}

// A texture over plain memory; who reads it is in the constant beside.
__constant__ cudaTextureObject_t pixels;
__global__ void texture_reads(float* out, const float*) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = tex1Dfetch<float>(pixels, 3 * i);
}
void texture_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers<float>(size_t(3 * traffic.threads()), 1 << 24);
  const study::DeviceBuffer<float> memory(in);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory.data();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = memory.bytes();
  cudaTextureDesc how{};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  CHECK(cudaMemcpyToSymbol(pixels, &object, sizeof object));
  const auto before = Bench::unwritten<float>(size_t(traffic.threads()));
  auto after = before;
  for (size_t i = 0; i < after.size(); ++i) after[i] = in[3 * i];
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(texture_reads, traffic, before, after, std::vector<float>(1));
  CHECK(cudaDestroyTextureObject(object));
}

// Values that lanes hand to one another.
__global__ void shuffles(int* out, const int* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int sum = in[i];
  for (int away = 16; away > 0; away /= 2) sum += __shfl_xor_sync(~0u, sum, away);
  if (i % 32 == 0) out[i / 32] = sum;
}
void shuffles_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers(size_t(traffic.threads()), 1000000);
  std::vector<int> after(in.size() / 32, 0);
  for (size_t i = 0; i < in.size(); ++i) after[i / 32] += in[i];
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.global_store(4, [](Thread t) { return t.lane == 0 ? 4L * (t.at / 32) : idle; });
  bench.check(shuffles, traffic, Bench::unwritten<int>(after.size()), after, in);
}

}  // namespace

std::vector<Case> uniform() {
  return {
      {"one constant a warp", constants_case<PerWarp>},
      {"a constant of each lane", constants_case<PerLane>},
      {"a constant of four lanes", constants_case<PerFour>},
      {"texture over memory", texture_case},
      {"shuffles", shuffles_case},
  };
}

}  // namespace micro
