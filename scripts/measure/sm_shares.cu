// How equal SMs are: which of them gets how many blocks, and how long each takes for the same traffic.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/sm_shares.cu -o sm_shares && ./sm_shares
//
//   {"what": "L2 stores", "sms": 132, "mean": 41000, "least": 35000, "most": 52000, "cycles": [ … of SM 0, 1, …]}
//   {"what": "placement", "blocks": 256, "resident": 3, "most": 2, "sms_with": [0, 8, 124]}
//
// Traffic: a block of 512 threads on each SM does the same number of accesses, all at once; the middle one of five launches by its
// slowest SM. Placement: blocks that stay until all of a wave are there (1 ms) write down their SM; their shared memory is what lets
// `resident` of them on one.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int threads = 512, launches = 5;

#define CHECK(call)                                                                     \
  if (const cudaError_t error = (call); error != cudaSuccess) {                         \
    std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
    std::exit(1);                                                                       \
  }

__device__ unsigned sm_id() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

struct Arithmetic {
  static constexpr const char* name = "arithmetic";
  __device__ unsigned operator()(unsigned* mine, unsigned x, int i) const {
    return x * 1664525u + unsigned(i);
  }
};
struct Loads {  // past L1, each thread of its own words
  static constexpr const char* name = "L2 loads";
  __device__ unsigned operator()(unsigned* mine, unsigned x, int i) const {
    return x + __ldcg(mine + size_t(i % 16) * threads);
  }
};
struct Stores {
  static constexpr const char* name = "L2 stores";
  __device__ unsigned operator()(unsigned* mine, unsigned x, int i) const {
    __stcg(mine + size_t(i % 16) * threads, x + i);
    return x;
  }
};
struct Both {
  static constexpr const char* name = "L2 loads and stores";
  __device__ unsigned operator()(unsigned* mine, unsigned x, int i) const {
    const unsigned loaded = __ldcg(mine + size_t(i % 16) * threads);
    __stcg(mine + size_t((i + 8) % 16) * threads, x + i);
    return x + loaded;
  }
};
struct Adds {
  static constexpr const char* name = "atomic adds";
  __device__ unsigned operator()(unsigned* mine, unsigned x, int i) const {
    atomicAdd(mine + size_t(i % 16) * threads, x);
    return x;
  }
};

template <class Body>
__global__ void __launch_bounds__(threads)
    traffic(unsigned* memory, long long* cycles, int rounds, Body body) {
  unsigned* mine = memory + size_t(blockIdx.x) * threads * 16 + threadIdx.x;
  unsigned x = threadIdx.x;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 8
  for (int i = 0; i < rounds; ++i) x = body(mine, x, i);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) cycles[sm_id()] = clock64() - begin;
  if (x == 12345) mine[0] = x;
}
// A thread's array in local memory, indexed by a number that only it knows.
__global__ void __launch_bounds__(threads)
    local_traffic(unsigned* memory, long long* cycles, int rounds, int load) {
  unsigned array[16];
  unsigned x = memory[threadIdx.x];
  for (int i = 0; i < 16; ++i) array[i] = x + i;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 8
  for (int i = 0; i < rounds; ++i) {
    const int at = (i * 5 + int(x & 1)) & 15;
    if (load) x += array[at] & 2;
    array[(at + 3) & 15] = x + i;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) cycles[sm_id()] = clock64() - begin;
  for (int i = 0; i < 16; ++i) x += array[i];
  memory[size_t(blockIdx.x) * threads + threadIdx.x] = x & 1;
}

template <class Launch>
void tell(const char* what, int sms, long long* cycles, Launch launch) {
  std::vector<std::vector<long long>> all;
  for (int i = 0; i < launches + 1; ++i) {
    CHECK(cudaMemset(cycles, 0, sms * sizeof(long long)));
    launch();
    CHECK(cudaDeviceSynchronize());
    std::vector<long long> got(sms);
    CHECK(cudaMemcpy(got.data(), cycles, sms * sizeof(long long), cudaMemcpyDeviceToHost));
    if (i > 0) all.push_back(got);
  }
  const auto most = [](const std::vector<long long>& each) {
    return *std::max_element(each.begin(), each.end());
  };
  std::sort(all.begin(), all.end(), [&](auto& a, auto& b) { return most(a) < most(b); });
  const auto& middle = all[launches / 2];
  double sum = 0;
  for (const long long each : middle) sum += double(each);
  std::printf(
      "{\"what\": \"%s\", \"sms\": %d, \"mean\": %.0f, \"least\": %lld, \"most\": %lld, "
      "\"cycles\": [",
      what, sms, sum / sms, *std::min_element(middle.begin(), middle.end()), most(middle));
  for (int i = 0; i < sms; ++i) std::printf("%s%lld", i ? ", " : "", middle[i]);
  std::printf("]}\n");
}

__global__ void stay(unsigned* where, long long nanoseconds) {
  extern __shared__ char shared[];
  if (threadIdx.x == 0) where[blockIdx.x] = sm_id();
  long long now, begin;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < nanoseconds);
}

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const int sms = device.multiProcessorCount;
  unsigned* memory;
  long long* cycles;
  CHECK(cudaMalloc(&memory, size_t(sms) * threads * 16 * 4));
  CHECK(cudaMemset(memory, 0, size_t(sms) * threads * 16 * 4));
  CHECK(cudaMalloc(&cycles, 1024 * sizeof(long long)));
  const int rounds = 2048;
  const auto run = [&](auto body) {
    tell(body.name, sms, cycles, [&] { traffic<<<sms, threads>>>(memory, cycles, rounds, body); });
  };
  run(Arithmetic{}), run(Loads{}), run(Stores{}), run(Both{}), run(Adds{});
  tell("local stores", sms, cycles,
       [&] { local_traffic<<<sms, threads>>>(memory, cycles, rounds, 0); });
  tell("local loads and stores", sms, cycles,
       [&] { local_traffic<<<sms, threads>>>(memory, cycles, rounds, 1); });
  CHECK(cudaFuncSetAttribute(stay, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(device.sharedMemPerBlockOptin)));
  unsigned* where;
  CHECK(cudaMalloc(&where, 1 << 16));
  for (const int resident : {1, 2, 3, 4, 6, 8, 16})
    for (const int sixteenths :
         {8, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 79, 83, 96, 110, 120, 127, 128}) {
      const int blocks = sms * sixteenths / 16;
      if (blocks > resident * sms || blocks == 0) continue;
      const int shared = int(device.sharedMemPerMultiprocessor) / resident - 2048;
      stay<<<blocks, 128, std::max(1024, std::min(shared, int(device.sharedMemPerBlockOptin)))>>>(
          where, 1000000);
      CHECK(cudaDeviceSynchronize());
      std::vector<unsigned> got(blocks);
      CHECK(cudaMemcpy(got.data(), where, blocks * 4, cudaMemcpyDeviceToHost));
      std::vector<int> of_sm(sms), with;
      for (const unsigned sm : got) ++of_sm[sm];
      with.resize(*std::max_element(of_sm.begin(), of_sm.end()) + 1);
      for (const int each : of_sm) ++with[each];
      std::printf(
          "{\"what\": \"placement\", \"blocks\": %d, \"resident\": %d, \"most\": %d, \"sms_with\": "
          "[",
          blocks, resident, int(with.size()) - 1);
      for (size_t i = 0; i < with.size(); ++i) std::printf("%s%d", i ? ", " : "", with[i]);
      std::printf("]}\n");
    }
}
