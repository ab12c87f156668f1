// Units that an SM has once, for all of its schedulers: cycles from one instruction of a warp to the next, of any warp.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/sm_units.cu -o sm_units && ./sm_units
//
//   {"what": "SHFL.BFLY", "cycles": 1.01, "least": 1.00, "most": 1.02}
//
// A block of 1024 threads on each SM goes `rounds` times through `each` instructions; the cycles are those of the block,
// from its first warp's begin to its last one's end, by all instructions of its 32 warps: medians over the SMs of seven launches.
// Lanes of constant memory and of gathers ask for random words of so many; of shared atomics each lane has its own word, or a random one.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int threads = 1024, rounds = 256, each = 8, launches = 7;
__constant__ unsigned table[16384];

struct Out {
  long long* begin;
  long long* end;
  unsigned* sink;
};

template <class Body>
__global__ void __launch_bounds__(threads) measured(Out out, unsigned seed, Body body) {
  __shared__ long long first, last;
  unsigned state = (blockIdx.x * threads + threadIdx.x + seed) * 2654435761u;
  body.begin();
  if (threadIdx.x == 0) first = clock64(), last = 0;
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < each; ++j) state = body(state, j);
  }
  atomicMax(reinterpret_cast<unsigned long long*>(&last), (unsigned long long)(clock64()));
  __syncthreads();
  if (threadIdx.x == 0) out.begin[blockIdx.x] = first, out.end[blockIdx.x] = last;
  out.sink[blockIdx.x * threads + threadIdx.x] = state;
}

__device__ unsigned next(unsigned state) { return state * 1664525u + 1013904223u; }

struct Nothing {  // what the others do beside their instruction
  __device__ void begin() const {}
  __device__ unsigned operator()(unsigned state, int) const { return next(state); }
};
struct Shuffle : Nothing {
  __device__ unsigned operator()(unsigned state, int) const {
    return __shfl_xor_sync(~0u, state, 16) + 1;
  }
};
struct Reduce : Nothing {
  __device__ unsigned operator()(unsigned state, int) const {
    return __reduce_add_sync(~0u, state);
  }
};
struct Match : Nothing {
  unsigned values;
  explicit Match(unsigned values) : values(values) {}
  __device__ unsigned operator()(unsigned state, int) const {
    return next(state) + __match_any_sync(~0u, (state >> 16) & (values - 1));
  }
};
struct Dot : Nothing {
  __device__ unsigned operator()(unsigned state, int) const {
    return __dp4a(state, 0x01020304u, state);
  }
};
struct DotAdd : Nothing {
  __device__ unsigned operator()(unsigned state, int) const {
    const unsigned sum = __dp4a(state, 0x01020304u, state);
    return state + sum;
  }
};
struct Constant : Nothing {  // a word of so many
  unsigned words;
  explicit Constant(unsigned words) : words(words) {}
  __device__ unsigned operator()(unsigned state, int) const {
    return next(state) ^ table[(state >> 16) & (words - 1)];
  }
};
struct Spread : Nothing {  // so many addresses a warp, of 256 words
  unsigned addresses;
  explicit Spread(unsigned addresses) : addresses(addresses) {}
  __device__ unsigned operator()(unsigned state, int j) const {
    return table[(threadIdx.x % addresses * 7 + j * 16 + state) & 255];  // of zeros
  }
};
template <class Number, bool Random>
struct SharedAtomic {
  __device__ static Number* words() {
    __shared__ Number all[threads];
    return all;
  }
  __device__ void begin() const { words()[threadIdx.x] = 0; }
  __device__ unsigned operator()(unsigned state, int) const {
    const unsigned at = Random ? (state >> 16) & 255 : threadIdx.x;
    atomicAdd(words() + at, Number(1));
    return next(state);
  }
};
struct Gather : Nothing {
  const unsigned* from;
  unsigned words;
  Gather(const unsigned* from, unsigned words) : from(from), words(words) {}
  __device__ unsigned operator()(unsigned state, int) const {
    return next(state) ^ from[(state >> 2) & (words - 1)];
  }
};

template <class Body>
void run(const char* what, int sms, const Out& out, const Out& host, const Body& body) {
  std::vector<double> cycles;
  for (int launch = 0; launch < launches; ++launch) {
    measured<<<sms, threads>>>(out, launch * 7919u, body);
    cudaMemcpy(host.begin, out.begin, sms * sizeof(long long), cudaMemcpyDeviceToHost);
    cudaMemcpy(host.end, out.end, sms * sizeof(long long), cudaMemcpyDeviceToHost);
    for (int i = 0; launch > 0 && i < sms; ++i)
      cycles.push_back(double(host.end[i] - host.begin[i]) /
                       (double(rounds) * each * threads / 32));
  }
  std::sort(cycles.begin(), cycles.end());
  std::printf("  {\"what\": \"%s\", \"cycles\": %.3f, \"least\": %.3f, \"most\": %.3f},\n", what,
              cycles[cycles.size() / 2], cycles.front(), cycles.back());
}

int main() {
  cudaDeviceProp gpu;
  cudaGetDeviceProperties(&gpu, 0);
  const int sms = gpu.multiProcessorCount;
  Out out, host;
  cudaMalloc(&out.begin, sms * sizeof(long long));
  cudaMalloc(&out.end, sms * sizeof(long long));
  cudaMalloc(&out.sink, size_t(sms) * threads * sizeof(unsigned));
  std::vector<long long> begin(sms), end(sms);
  host.begin = begin.data(), host.end = end.data();
  unsigned* memory;
  cudaMalloc(&memory, size_t(1) << 32);
  cudaMemset(memory, 0, size_t(1) << 32);
  const auto run_here = [&](const char* what, const auto& body) {
    run(what, sms, out, host, body);
  };
  run_here("nothing", Nothing{});
  run_here("SHFL.BFLY", Shuffle{});
  run_here("REDUX.SUM", Reduce{});
  run_here("MATCH.ANY, 1 value", Match{1});
  run_here("MATCH.ANY, 8 values", Match{8});
  run_here("MATCH.ANY, 32768 values", Match{32768});
  run_here("IDP.4A", Dot{});
  run_here("IDP.4A and an addition", DotAdd{});
  for (const unsigned words : {1u, 4u, 16u, 64u, 256u, 512u, 1024u, 4096u, 16384u}) {
    char what[64];
    std::snprintf(what, sizeof what, "LDC of %u words, random", words);
    run_here(what, Constant{words});
  }
  for (const unsigned addresses : {1u, 2u, 4u, 8u, 16u, 32u}) {
    char what[64];
    std::snprintf(what, sizeof what, "LDC, %u addresses", addresses);
    run_here(what, Spread{addresses});
  }
  run_here("ATOMS, int, own words", SharedAtomic<int, false>{});
  run_here("ATOMS, int, 256 words, random", SharedAtomic<int, true>{});
  run_here("atomicAdd of float in shared memory, own words", SharedAtomic<float, false>{});
  run_here("atomicAdd of float in shared memory, 256 words, random", SharedAtomic<float, true>{});
  for (const unsigned shift : {10u, 14u, 20u, 22u, 24u, 26u, 28u, 30u}) {
    char what[64];
    std::snprintf(what, sizeof what, "LDG of %.0f KiB, random", (4.0 * (1u << shift)) / 1024);
    run_here(what, Gather{memory, 1u << shift});
  }
  const cudaError_t result = cudaDeviceSynchronize();
  std::fprintf(stderr, "%s: %s\n", gpu.name, cudaGetErrorString(result));
  return result != cudaSuccess;
}
