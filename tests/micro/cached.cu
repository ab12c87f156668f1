// Loads and stores that say something about caches are loads and stores like others; asynchronous
// copies into shared memory are requests that a profiler lists apart.
#include <cuda_pipeline.h>

#include "tests/micro/gather.cuh"

namespace micro {
namespace {

struct ReadOnly {
  __device__ static float load(const float* p) { return __ldg(p); }
  __device__ static void store(float* p, float value) { *p = value; }
};
struct Streaming {
  __device__ static float load(const float* p) { return __ldcs(p); }
  __device__ static void store(float* p, float value) { __stcs(p, value); }
};
struct InL2 {
  __device__ static float load(const float* p) { return __ldcg(p); }
  __device__ static void store(float* p, float value) { __stcg(p, value); }
};
struct LastUse {
  __device__ static float load(const float* p) { return __ldlu(p); }
  __device__ static void store(float* p, float value) { __stwb(p, value); }
};
struct Through {
  __device__ static float load(const float* p) { return __ldcv(p); }
  __device__ static void store(float* p, float value) { __stwt(p, value); }
};
struct Volatile {
  __device__ static float load(const float* p) { return *static_cast<const volatile float*>(p); }
  __device__ static void store(float* p, float value) { *static_cast<volatile float*>(p) = value; }
};

// Loads at stride 3, stores shifted by one.
template <class Way>
__global__ void by(float* out, const float* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  Way::store(out + i + 1, Way::load(in + 3 * i));
}
template <class Way>
void by_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random<float>(size_t(3 * traffic.threads()));
  const auto before = Bench::unwritten<float>(size_t(traffic.threads() + 1));
  auto after = before;
  for (size_t i = 1; i < after.size(); ++i) after[i] = in[3 * (i - 1)];
  traffic.global_load(4, [](Thread t) { return 12 * t.at; });
  traffic.global_store(4, [](Thread t) { return 4 * (t.at + 1); });
  bench.check(by<Way>, traffic, before, after, in);
}

// Asynchronous copies of 4, 8 and 16 bytes a thread.
template <class T>
__global__ void asynchronous(T* out, const T* in) {
  __shared__ T tile[128];
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  __pipeline_memcpy_async(&tile[threadIdx.x], in + i, sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 1];
}
template <class T>
void asynchronous_case(Bench& bench) {
  Traffic traffic(4, 128);
  const int bytes = int(sizeof(T));
  const auto in = bench.random<T>(size_t(traffic.threads()));
  auto after = in;
  for (size_t i = 0; i < in.size(); ++i) after[i] = in[i ^ 1];
  traffic.global_load(bytes, [=](Thread t) { return bytes * t.at; });
  traffic.shared_store(bytes, [=](Thread t) { return bytes * t.index; });
  traffic.shared_load(bytes, [=](Thread t) { return bytes * (t.index ^ 1); });
  traffic.global_store(bytes, [=](Thread t) { return bytes * t.at; });
  bench.check(asynchronous<T>, traffic, Bench::unwritten<T>(in.size()), after, in);
}

}  // namespace

std::vector<Case> cached() {
  return {
      {"read only", by_case<ReadOnly>},
      {"streaming", by_case<Streaming>},
      {"in L2 alone", by_case<InL2>},
      {"last use", by_case<LastUse>},
      {"written through", by_case<Through>},
      {"volatile", by_case<Volatile>},
      {"asynchronous copy of 4 B", asynchronous_case<float>},
      {"asynchronous copy of 8 B", asynchronous_case<double>},
      {"asynchronous copy of 16 B", asynchronous_case<float4>},
  };
}

}  // namespace micro
