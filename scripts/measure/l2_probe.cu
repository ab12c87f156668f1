// How far L2 is from an SM, by where the data lies and by how many slices a warp waits for; what atomics in shared memory
// take by the lanes that meet; and stores of a part of each sector.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/l2_probe.cu -o l2_probe
//   ./l2_probe > rows.json        half a minute
//
//   {"what": "chase 8 MiB, 32 lanes, 132 blocks", "run": 1, "cycles_a_round": 369.7},
//
// cycles_a_round: of an SM's clock, the mean over blocks. Each is run several times: the first finds what a copy left in L2,
// the later ones what the same SMs have read before.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
#define CHECK(c)                                     \
  do {                                               \
    if (cudaError_t e = (c)) {                       \
      printf("%s: %s\n", #c, cudaGetErrorString(e)); \
      return 1;                                      \
    }                                                \
  } while (0)
using u = unsigned;
// rounds of `many` loads, all waited for, then (stores) as many stores; own: each SM reads what it read in the pass before
template <int many, int store>
__global__ void rounds(u* __restrict__ out, const u* __restrict__ in, u n, int passes,
                       long long* cycles) {
  u sum = 0;
  const long long begin = clock64();
  const u all = gridDim.x * blockDim.x;
  for (int pass = 0; pass < passes; ++pass)
#pragma unroll 1
    for (u i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += many * all) {
      u v[many];
#pragma unroll
      for (int k = 0; k < many; ++k)
        asm volatile("ld.global.nc.u32 %0, [%1];"
                     : "=r"(v[k])
                     : "l"(in + i + k * all + pass % 2 * 0));
#pragma unroll
      for (int k = 0; k < many; ++k) {
        if (store == 1)
          asm volatile("st.global.u32 [%0], %1;" ::"l"(out + i + k * all), "r"(3 * v[k] + 1)
                       : "memory");
        else if (store == 2)
          asm volatile("st.global.u32 [%0], %1;" ::"l"(out + blockIdx.x * blockDim.x + threadIdx.x),
                       "r"(v[k])
                       : "memory");
        else
          sum += v[k];
      }
      if (store == 0) asm volatile("" ::"r"(sum) : "memory");
    }
  const long long end = clock64();
  if (sum == 12345) out[0] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}
template <int many>
__global__ void rounds_cg(u* __restrict__ out, const u* __restrict__ in, u n, int passes,
                          long long* cycles) {
  u sum = 0;
  const long long begin = clock64();
  const u all = gridDim.x * blockDim.x;
  for (int pass = 0; pass < passes; ++pass)
#pragma unroll 1
    for (u i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += many * all) {
      u v[many];
#pragma unroll
      for (int k = 0; k < many; ++k)
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(in + i + k * all));
#pragma unroll
      for (int k = 0; k < many; ++k) sum += v[k];
      asm volatile("" ::"r"(sum) : "memory");
    }
  const long long end = clock64();
  if (sum == 12345) out[0] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}
// one lane a block follows a ring of `n` places of 128 bytes; lanes: 32 follow 32 of them
__global__ void chase(const u* next, u first, u step, int steps, long long* cycles, u* out,
                      int cg) {
  u at = (first + (blockIdx.x * blockDim.x + threadIdx.x) * step);
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i)
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(next + size_t(at) * 32));
  const long long end = clock64();
  out[blockIdx.x] = at;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}
// k23: out[i] += factor * in[i]
template <int same>
__global__ void reload(u* out, const u* in, u all, int terms, long long* cycles) {
  const u i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long begin = clock64();
#pragma unroll 1
  for (int j = 0; j < terms; ++j) {
    u a, b;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(out + i + (same ? 0 : (j + 1) * all)));
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(b) : "l"(in + j * all + i));
    asm volatile("st.global.u32 [%0], %1;" ::"l"(out + i), "r"(3 * a + b) : "memory");
  }
  const long long end = clock64();
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}
// atomics in shared memory of a lane's weight, k15: `ways` lanes at one address
__global__ void shared_red(u* out, int ways, int times, int warps, long long* cycles) {
  __shared__ u sums[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) sums[i] = 0;
  __syncthreads();
  const u at = threadIdx.x % 32 / ways;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < times; ++i) atomicAdd(&sums[at], threadIdx.x + i);
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
  out[blockIdx.x * 32 + threadIdx.x % 32] = sums[threadIdx.x % 32];
}
// partial sectors: `bytes` of each sector written, sectors in random or running order, over `n` sectors
__global__ void partial(unsigned char* out, u n, int bytes, u odd) {
  for (u i = blockIdx.x * blockDim.x + threadIdx.x; i < n * (bytes / 4);
       i += gridDim.x * blockDim.x) {
    const u sector = i / (bytes / 4) * odd % n, word = i % (bytes / 4);
    reinterpret_cast<u*>(out)[sector * 8ull + word] = i;
  }
}
static double us(long long* c, int blocks) {
  std::vector<long long> h(blocks);
  cudaMemcpy(h.data(), c, 8 * blocks, cudaMemcpyDefault);
  double m = 0;
  for (auto v : h) m += double(v);
  return m / blocks;
}
int main() {
  printf("[");
  const u n = 2 << 20;
  u *in, *out;
  long long* cycles;
  CHECK(cudaMalloc(&in, 64 << 20));
  CHECK(cudaMalloc(&out, 64 << 20));
  CHECK(cudaMalloc(&cycles, 8 * 4096));
  CHECK(cudaMemset(in, 0, 64 << 20));
  CHECK(cudaMemset(out, 0, 64 << 20));
  const int b = 132;
  const u all = b * 64;
  auto each = [&](const char* what, auto launch, double per) {
    for (int i = 0; i < 4; ++i) {
      launch();
      if (cudaError_t e = cudaDeviceSynchronize()) {
        printf("%s: %s\n", what, cudaGetErrorString(e));
        return;
      }
      printf("{\"what\": \"%s\", \"run\": %d, \"cycles_a_round\": %.1f},\n", what, i,
             us(cycles, b) / per);
    }
  };
  const double r4 = n / double(4 * all), r1 = n / double(all);
  each(
      "4 loads, 4 stores", [&] { rounds<4, 1><<<b, 64>>>(out, in, n, 1, cycles); }, r4);
  each(
      "4 loads, 4 stores to one place", [&] { rounds<4, 2><<<b, 64>>>(out, in, n, 1, cycles); },
      r4);
  each(
      "4 loads", [&] { rounds<4, 0><<<b, 64>>>(out, in, n, 1, cycles); }, r4);
  each(
      "4 loads, two passes", [&] { rounds<4, 0><<<b, 64>>>(out, in, n, 2, cycles); }, 2 * r4);
  each(
      "4 loads cg, two passes", [&] { rounds_cg<4><<<b, 64>>>(out, in, n, 2, cycles); }, 2 * r4);
  each(
      "1 load cg, two passes", [&] { rounds_cg<1><<<b, 64>>>(out, in, n, 2, cycles); }, 2 * r1);
  each(
      "1 load", [&] { rounds<1, 0><<<b, 64>>>(out, in, n, 1, cycles); }, r1);
  each(
      "1 load, 1 store", [&] { rounds<1, 1><<<b, 64>>>(out, in, n, 1, cycles); }, r1);
  each(
      "4 loads of 4 MiB cg", [&] { rounds_cg<4><<<b, 64>>>(out, in, n / 2, 4, cycles); }, 2 * r4);
  each(
      "4 loads of 2 MiB cg", [&] { rounds_cg<4><<<b, 64>>>(out, in, n / 4, 8, cycles); }, 2 * r4);
  each(
      "4 loads of 32 MiB cg", [&] { rounds_cg<4><<<b, 64>>>(out, in, 4 * n, 1, cycles); }, 4 * r4);
  // rings of lines
  for (u mib : {1u, 4u, 8u, 16u, 32u}) {
    const u places = mib << 13;
    std::vector<u> ring(places * 32ull);
    std::vector<u> order(places);
    for (u i = 0; i < places; ++i) order[i] = i;
    uint64_t s = 12345;
    for (u i = places - 1; i > 0; --i) {
      s = s * 6364136223846793005ull + 1442695040888963407ull;
      std::swap(order[i], order[(s >> 33) % (i + 1)]);
    }
    for (u i = 0; i < places; ++i) ring[order[i] * 32ull] = order[(i + 1) % places];
    CHECK(cudaMemcpy(in, ring.data(), ring.size() * 4, cudaMemcpyDefault));
    char name[99];
    for (int lanes : {1, 32})
      for (int blocks : {1, 132}) {
        for (int run = 0; run < 3; ++run) {
          chase<<<blocks, lanes>>>(in, 0, places / 132 / 32, 1000, cycles, out, 1);
          CHECK(cudaDeviceSynchronize());
          snprintf(name, 99, "chase %u MiB, %d lanes, %d blocks", mib, lanes, blocks);
          printf("{\"what\": \"%s\", \"run\": %d, \"cycles_a_round\": %.1f},\n", name, run,
                 us(cycles, blocks) / 1000);
        }
      }
  }
  CHECK(cudaMemset(in, 0, 64 << 20));
  each(
      "reload: out += in", [&] { reload<1><<<b, 64>>>(out, in, all, 128, cycles); }, 128);
  each(
      "reload: another out", [&] { reload<0><<<b, 64>>>(out, in, all, 128, cycles); }, 128);
  for (int ways : {1, 2, 4, 8, 16, 32})
    for (int warps : {1, 4, 8, 32}) {
      shared_red<<<1, 32 * warps>>>(out, ways, 512, warps, cycles);
      CHECK(cudaDeviceSynchronize());
      printf(
          "{\"what\": \"shared red %d lanes at one address, %d warps\", \"run\": 0, "
          "\"cycles_a_round\": %.2f},\n",
          ways, warps, us(cycles, 1) / 512 / warps);
    }
  unsigned char* big;
  const u sectors = 32u << 20;
  CHECK(cudaMalloc(&big, size_t(sectors) * 32));
  CHECK(cudaMemset(big, 0, size_t(sectors) * 32));
  cudaEvent_t e0, e1;
  cudaEventCreate(&e0);
  cudaEventCreate(&e1);
  for (u odd : {1u, 0x9e3779b1u})
    for (u count : {sectors, 1u << 20})
      for (int bytes : {4, 8, 16, 32}) {
        float best = 1e9, ms;
        for (int i = 0; i < 3; ++i) {
          cudaEventRecord(e0);
          partial<<<132 * 8, 256>>>(big, count, bytes, odd);
          cudaEventRecord(e1);
          CHECK(cudaEventSynchronize(e1));
          cudaEventElapsedTime(&ms, e0, e1);
          best = std::min(best, ms);
        }
        printf("{\"what\": \"%d bytes of each sector, %u sectors, %s\", \"us\": %.1f},\n", bytes,
               count, odd == 1 ? "in order" : "apart", best * 1e3);
      }
  printf("{}]\n");
}
