// What stores and loads of local memory cost, by how many lines they go through before the first comes again.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/local_lines.cu -o local_lines && ./local_lines
//
//   {"what": "st.local", "lines": 8, "warps": 32, "sms": 132, "kib": 32, "cycles": 4.02}
//
// Each thread has an array of `lines` words in local memory, of which a warp's 32 words with one index are a line of 128 bytes; it stores to
// them, loads them, or both, one after the other, again and again. kib: what all warps of an SM touch. Cycles of an SM for each of all
// warps' accesses (for a load and a store together, where both), the median of seven launches.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int accesses = 1024, each = 8, launches = 7, most = 512;

enum Kind { store, load, both };

template <Kind kind>
__global__ void __launch_bounds__(1024)
    measured(long long* cycles, unsigned* sink, int lines, unsigned seed) {
  unsigned mine[most];
  __shared__ long long first, last;
  unsigned base;
  asm volatile("{.reg .u64 a; cvta.to.local.u64 a, %1; cvt.u32.u64 %0, a;}"
               : "=r"(base)
               : "l"(mine));
  for (int i = 0; i < lines; ++i) mine[i] = seed + i;
  if (threadIdx.x == 0) first = 1ll << 62, last = 0;
  __syncthreads();
  unsigned sum = threadIdx.x, at = 0;
  const unsigned mask = unsigned(lines - 1) * 4;
  atomicMin(&first, clock64());
#pragma unroll 1
  for (int i = 0; i < accesses / each; ++i) {
    unsigned part[each];
#pragma unroll
    for (int j = 0; j < each; ++j) {
      part[j] = 0;
      if constexpr (kind != store)
        asm volatile("ld.local.u32 %0, [%1];" : "=r"(part[j]) : "r"(base + at));
      if constexpr (kind != load) asm volatile("st.local.u32 [%0], %1;" ::"r"(base + at), "r"(sum));
      at = (at + 4) & mask;
    }
#pragma unroll
    for (int j = 0; j < each; ++j) sum ^= part[j];
  }
  atomicMax(&last, clock64());
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = last - first;
  for (int i = 0; i < lines; ++i) sum += mine[i];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

long long* cycles;
unsigned* sink;

template <Kind kind>
void tell(const char* what, int lines, int warps, int sms) {
  std::vector<double> all;
  for (int i = 0; i <= launches; ++i) {
    measured<kind><<<sms, 32 * warps>>>(cycles, sink, lines, 1);
    if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
    double sum = 0;
    for (int b = 0; b < sms; ++b) sum += double(cycles[b]);
    if (i > 0) all.push_back(sum / sms / (double(accesses) * warps));
  }
  std::sort(all.begin(), all.end());
  std::printf(
      "{\"what\": \"%s\", \"lines\": %d, \"warps\": %d, \"sms\": %d, \"kib\": %g, \"cycles\": "
      "%.2f}\n",
      what, lines, warps, sms, lines * warps * 0.125, all[launches / 2]);
}

int main() {
  cudaMallocManaged(&cycles, 132 * sizeof *cycles);
  cudaMalloc(&sink, 132 * 1024 * sizeof(unsigned));
  for (const int warps : {1, 8, 32})
    for (const int sms : {1, 132})
      for (const int lines : {1, 4, 16, 32, 64, 128, 256, 512}) {
        tell<store>("st.local", lines, warps, sms);
        tell<load>("ld.local", lines, warps, sms);
        tell<both>("ld.local and st.local", lines, warps, sms);
      }
}
