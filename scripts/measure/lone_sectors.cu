// How fast an SM's sectors go to and from L2 where a warp's lanes lie apart: by themselves, and by as many SMs.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/lone_sectors.cu -o lone_sectors && ./lone_sectors
//
//   {"what": "store", "apart": 128, "sms": 16, "kib": 128, "cycles": 86.1}
//
// A block of 1024 threads on each of so many SMs goes over `kib` of its own, which L2 has; each warp loads (past L1), stores, or loads and
// stores there, its lanes 4 bytes each, `apart` bytes from lane to lane. Cycles of an SM for each of these: the median of seven launches.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int threads = 1024, each = 4, launches = 7;

enum Kind { load, store, both };

template <Kind kind>
__global__ void __launch_bounds__(threads)
    measured(long long* cycles, unsigned* data, int bytes, int apart, int rounds, unsigned* sink) {
  __shared__ long long first, last;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  char* mine = reinterpret_cast<char*>(data) + size_t(blockIdx.x) * bytes;
  if (threadIdx.x == 0) first = clock64(), last = 0;
  __syncthreads();
  unsigned sum = 0;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    unsigned part[each];
#pragma unroll
    for (int j = 0; j < each; ++j) {
      // Places of warps side by side where lanes are, so that all of it is touched.
      const int group = (i * each + j) * 32 + warp, across = apart / 4;
      const size_t at = (size_t(group / across) * across * 128 + size_t(group % across) * 4 +
                         size_t(lane) * apart) &
                        (bytes - 1);
      unsigned* word = reinterpret_cast<unsigned*>(mine + at);
      if (kind != store) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(part[j]) : "l"(word));
      if (kind == store) part[j] = 0, *reinterpret_cast<volatile unsigned*>(word) = i;
      if (kind == both) *reinterpret_cast<volatile unsigned*>(word) = part[j] + 1;
    }
#pragma unroll
    for (int j = 0; j < each; ++j) sum ^= part[j];
  }
  atomicMax(reinterpret_cast<unsigned long long*>(&last), (unsigned long long)(clock64()));
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = last - first;
  if (sum == 0x12345678u) *sink = sum;
}

template <Kind kind>
void tell(const char* what) {
  constexpr int most_sms = 132, rounds = 64;
  long long* cycles;
  unsigned *data, *sink;
  cudaMallocManaged(&cycles, most_sms * sizeof *cycles);
  cudaMalloc(&data, size_t(most_sms) << 20);
  cudaMemset(data, 1, size_t(most_sms) << 20);
  cudaMalloc(&sink, 4);
  for (const int kib : {128, 256})
    for (const int apart : {4, 8, 16, 32, 64, 128, 512, 2048})
      for (const int sms : {1, 16, 64, 132}) {
        std::vector<double> all;
        for (int i = 0; i <= launches; ++i) {
          measured<kind><<<sms, threads>>>(cycles, data, kib << 10, apart, rounds, sink);
          if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
          double most = 0;
          for (int s = 0; s < sms; ++s) most += double(cycles[s]) / sms;
          if (i > 0) all.push_back(most / (rounds * each * (threads / 32)));
        }
        std::sort(all.begin(), all.end());
        std::printf(
            "{\"what\": \"%s\", \"apart\": %d, \"sms\": %d, \"kib\": %d, \"cycles\": %.2f}\n", what,
            apart, sms, kib, all[launches / 2]);
      }
}

int main() {
  tell<load>("load");
  tell<store>("store");
  tell<both>("load and store");
}
