// Kernels of what real programs are slow at on an executor, one kind a run, a second or less each.
//
//   bench_kinds gathers        words of 4 bytes from all over 64 MiB
//   bench_kinds                lists the kinds
//
// scripts/bench_programs runs every one.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace {

constexpr int blocks = 32, threads = 128, words = 1 << 24;

__device__ uint32_t next(uint32_t x) { return x * 1664525u + 1013904223u; }
__device__ uint32_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void gather(const uint32_t* from, uint32_t* to, int rounds) {
  uint32_t at = thread_number() * 2654435761u, sum = 0;
  for (int i = 0; i < rounds; ++i) sum += from[(at = next(at)) >> 8], at ^= sum;
  to[thread_number()] = sum;
}

__global__ void scatter_atomics(uint32_t* to, int rounds) {
  uint32_t at = thread_number() * 2654435761u;
  for (int i = 0; i < rounds; ++i) atomicXor(&to[(at = next(at)) >> 8], at);
}

__global__ void histogram(uint32_t* to, int rounds) {
  __shared__ uint32_t bins[256];
  for (uint32_t i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  uint32_t value = thread_number() * 2654435761u;
  for (int i = 0; i < rounds; ++i) atomicAdd(&bins[(value = next(value)) >> 24], 1u);
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&to[i], bins[i]);
}

__global__ void shared_gather(uint32_t* to, int rounds) {
  __shared__ uint32_t table[2048];
  for (uint32_t i = threadIdx.x; i < 2048; i += blockDim.x) table[i] = next(i);
  __syncthreads();
  uint32_t at = thread_number();
  for (int i = 0; i < rounds; ++i) at = table[(at ^ uint32_t(i)) & 2047];
  to[thread_number()] = at;
}

// An array of its own that each thread indexes by data.
__global__ void state_machine(uint32_t* to, int rounds) {
  uint8_t state[64];
  for (int i = 0; i < 64; ++i) state[i] = uint8_t(i * 7 + threadIdx.x);
  uint32_t at = thread_number();
  for (int i = 0; i < rounds; ++i) {
    const uint8_t now = state[at & 63];
    state[(at >> 6) & 63] = uint8_t(now + i);
    at = next(at + now);
  }
  to[thread_number()] = at;
}

__global__ void shuffles(uint32_t* to, int rounds) {
  uint32_t value = thread_number();
  for (int i = 0; i < rounds; ++i) {
    for (int step = 16; step; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    value ^= __ballot_sync(~0u, value & 1);
  }
  to[thread_number()] = value;
}

__global__ void halves(uint32_t* to, int rounds) {
  __half2 sum = __float2half2_rn(0), factor = __float2half2_rn(0.5f + float(threadIdx.x) / 256);
  for (int i = 0; i < rounds; ++i) {
    sum = __hfma2(sum, factor, __float2half2_rn(1));
    factor = __hmul2(factor, __float2half2_rn(0.9995f));
  }
  std::memcpy(&to[thread_number()], &sum, 4);
}

// Lanes that part by data, and values that are chosen.
__global__ void choices(uint32_t* to, int rounds) {
  uint32_t x = thread_number() * 2654435761u, sum = 0;
  for (int i = 0; i < rounds; ++i) {
    x = next(x);
    const uint32_t larger = x > sum ? x : sum, smaller = x > sum ? sum : x;
    sum = (x & 0x10000) ? larger - smaller : smaller ^ (larger >> 3);
    if ((x >> 20 & 7) == 0) sum = sum * 3 + (x >> 7);
  }
  to[thread_number()] = sum;
}

__global__ void bytes(const uint8_t* from, uint32_t* to, int rounds) {
  const uint8_t* mine = from + thread_number() % 32;
  uint32_t sum = 0;
  for (int i = 0; i < rounds; ++i) sum = __dp4a(uint32_t(mine[i * 4]) * 0x01010101u, sum, sum);
  to[thread_number()] = sum;
}

__global__ void almost_nothing(uint32_t* to) { to[threadIdx.x] += threadIdx.x; }

__global__ void small_blocks(uint32_t* to) {
  __shared__ uint32_t words[1024];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) to[blockIdx.x & 4095] = words[31];
}

// Sums of 16 words a thread; each block waits for the sum of all blocks before it. The sums in `before` are zeros.
__global__ void chained_sums(const uint32_t* from, uint32_t* to, uint32_t* before) {
  __shared__ uint32_t of_warps[threads / 32], earlier;
  uint32_t values[16], sum = 0;
  for (int i = 0; i < 16; ++i) values[i] = from[thread_number() + i * gridDim.x * blockDim.x];
  for (int i = 0; i < 16; ++i) sum += values[i] * 2654435761u >> 24 | 1;
  for (int step = 1; step < 32; step *= 2) {
    const uint32_t other = __shfl_up_sync(~0u, sum, step);
    if (int(threadIdx.x % 32) >= step) sum += other;
  }
  if (threadIdx.x % 32 == 31) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  for (uint32_t warp = 0; warp < threadIdx.x / 32; ++warp) sum += of_warps[warp];
  if (threadIdx.x == blockDim.x - 1) {
    volatile uint32_t* const sums = before;
    while (blockIdx.x > 0 && (earlier = sums[blockIdx.x - 1]) == 0) {
    }
    if (blockIdx.x == 0) earlier = 0;
    sums[blockIdx.x] = earlier + sum;
  }
  __syncthreads();
  to[thread_number()] = earlier + sum;
}

struct Memory {
  uint32_t *from, *to;
};

const std::map<std::string, std::function<void(Memory)>> kinds = {
    {"gathers", [](Memory m) { gather<<<blocks, threads>>>(m.from, m.to, 1500); }},
    {"scattered_atomics", [](Memory m) { scatter_atomics<<<blocks, threads>>>(m.from, 1500); }},
    {"histogram", [](Memory m) { histogram<<<blocks, threads>>>(m.to, 3000); }},
    {"shared_gathers", [](Memory m) { shared_gather<<<blocks, threads>>>(m.to, 3000); }},
    {"state_machine", [](Memory m) { state_machine<<<blocks, threads>>>(m.to, 1500); }},
    {"shuffles", [](Memory m) { shuffles<<<blocks, threads>>>(m.to, 1500); }},
    {"halves", [](Memory m) { halves<<<blocks, threads>>>(m.to, 8000); }},
    {"choices", [](Memory m) { choices<<<blocks, threads>>>(m.to, 4000); }},
    {"bytes",
     [](Memory m) {
       bytes<<<blocks, threads>>>(reinterpret_cast<const uint8_t*>(m.from), m.to, 4000);
     }},
    {"small_launches",
     [](Memory m) {
       for (int i = 0; i < 10000; ++i) almost_nothing<<<1, 32>>>(m.to);
     }},
    {"small_blocks", [](Memory m) { small_blocks<<<50000, 64>>>(m.to); }},
    {"chained_sums",
     [](Memory m) {
       constexpr int all = 1024;  // blocks
       for (int i = 0; i < 4; ++i)
         chained_sums<<<all, threads>>>(m.from, m.to, m.to + all * (threads + i));
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const auto kind = kinds.find(argc == 2 ? argv[1] : "");
  if (kind == kinds.end()) {
    for (const auto& each : kinds) std::printf("%s\n", each.first.c_str());
    return argc == 1 ? 0 : 125;
  }
  Memory memory{};
  cudaMalloc(&memory.from, words * sizeof(uint32_t));
  cudaMalloc(&memory.to, 1 << 20);
  cudaMemset(memory.from, 0x5a, words * sizeof(uint32_t));
  cudaMemset(memory.to, 0, 1 << 20);
  kind->second(memory);
  const cudaError_t error = cudaDeviceSynchronize();
  uint32_t first = 0;
  cudaMemcpy(&first, memory.to, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%s: %s, %08x\n", argv[1], cudaGetErrorString(error), first);
  return error != cudaSuccess;
}
