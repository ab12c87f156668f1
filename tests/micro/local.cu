// Local memory: arrays whose index is known only at run time, and registers that do not fit. The
// 4-byte words of the 32 lanes at one address lie side by side, so lanes that agree on the index
// take 4 sectors, others up to 32.
//
// Spills are no part of PTX: the last kernel has none to count, and a profiler shows those that
// ptxas made.
#include "tests/micro/gather.cuh"

namespace micro {
namespace {

constexpr int length = 16;

template <class T>
__global__ void pick(T* out, const T* in, const int* index) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  T values[length];
#pragma unroll 1
  for (int k = 0; k < length; ++k) values[k] = in[k * threads + i];
  out[i] = values[index[i]];
}
template <class T>
void pick_case(Bench& bench, int choices) {
  Traffic traffic(2, 64);
  const int threads = traffic.threads(), bytes = int(sizeof(T));
  const auto in = bench.random<T>(size_t(length * threads));
  const auto index = bench.random_integers(size_t(threads), choices);
  const auto before = Bench::unwritten<T>(size_t(threads));
  auto after = before;
  traffic.each_thread(
      [&](Thread t) { after[size_t(t.at)] = in[size_t(index[size_t(t.at)] * threads + t.at)]; });
  for (int k = 0; k < length; ++k) {
    traffic.global_load(bytes, [=](Thread t) { return bytes * (k * threads + t.at); });
    traffic.local_store(bytes, [=](Thread) { return bytes * k; });
  }
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.local_load(bytes, [&](Thread t) { return bytes * index[size_t(t.at)]; });
  traffic.global_store(bytes, [=](Thread t) { return bytes * t.at; });
  bench.check(pick<T>, traffic, before, after, in, index);
}
template <class T, int choices>
void pick_of(Bench& bench) {
  pick_case<T>(bench, choices);
}

// More sums than 32 registers hold: 48 values a thread, all of them needed until the end.
constexpr int many = 48;
__global__ void __launch_bounds__(1024, 2) spill(int* out, const int* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  int values[many];
#pragma unroll
  for (int k = 0; k < many; ++k) values[k] = in[k * threads + i];
  __syncthreads();  // no load may wait until its value is used
#pragma unroll
  for (int k = 0; k < many; ++k) out[k * threads + i] = values[k] ^ values[(k + 17) % many];
}
void spill_case(Bench& bench) {
  Traffic traffic(2, 64);
  const int threads = traffic.threads();
  const auto in = bench.random<int>(size_t(many * threads));
  auto after = in;
  for (int k = 0; k < many; ++k) {
    for (int i = 0; i < threads; ++i)
      after[size_t(k * threads + i)] =
          in[size_t(k * threads + i)] ^ in[size_t((k + 17) % many * threads + i)];
    traffic.global_load(4, [=](Thread t) { return 4 * (k * threads + t.at); });
    traffic.global_store(4, [=](Thread t) { return 4 * (k * threads + t.at); });
  }
  bench.check(spill, traffic, Bench::unwritten<int>(in.size()), after, in);
}

// A function that is called gets the address of its caller's array.
__device__ __noinline__ int chosen(const int* values, int index) {
  return values[index] + values[index ^ 1];
}
__global__ void called(int* out, const int* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  int values[length];
#pragma unroll 1
  for (int k = 0; k < length; ++k) values[k] = in[k * threads + i];
  out[i] = chosen(values, i % length);
}
void called_case(Bench& bench) {
  Traffic traffic(2, 64);
  const int threads = traffic.threads();
  const auto in = bench.random<int>(size_t(length * threads));
  std::vector<int> after(static_cast<size_t>(threads));
  const auto value = [&](int index, int i) { return unsigned(in[size_t(index * threads + i)]); };
  for (int i = 0; i < threads; ++i)
    after[size_t(i)] = int(value(i % length, i) + value(i % length ^ 1, i));
  for (int k = 0; k < length; ++k) {
    traffic.global_load(4, [=](Thread t) { return 4 * (k * threads + t.at); });
    traffic.local_store(4, [=](Thread) { return 4 * k; });
  }
  traffic.local_load(4, [](Thread t) { return 4 * (t.at % length); });
  traffic.local_load(4, [](Thread t) { return 4 * (t.at % length ^ 1); });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(called, traffic, Bench::unwritten<int>(after.size()), after, in);
}

}  // namespace

std::vector<Case> local() {
  return {
      {"array of int, any index", pick_of<int, length>},
      {"array of int, one index", pick_of<int, 1>},
      {"array of char, any index", pick_of<unsigned char, length>},
      {"array of short, any index", pick_of<unsigned short, length>},
      {"array of double, any index", pick_of<double, length>},
      {"array of float4, any index", pick_of<float4, length>},
      {"array of a caller", called_case},
      {"48 values in 32 registers", spill_case},
  };
}

}  // namespace micro
