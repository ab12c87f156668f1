// What a fence takes, and what it makes of the loads behind it.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/fences.cu -o fences && ./fences
//
//   {"mode": "stored", "fence": "sc", "blocks": 132, "threads": 256, "cycles": 779.7}
//
// Cycles of a round, of the slowest warp of the middle one of five launches. none: a fence alone; stored: behind a store to a word of the
// warp's own; added: behind an atomic whose result nobody waits for; drawn: behind one whose result is waited for; loaded: behind a load
// that L1 had, or would have; climbed: a store, a fence, an atomic, a fence, a load, each where the one before leads. without: the same
// and no fence.
#include <algorithm>
#include <cstdio>
#include <vector>

enum Mode { none, stored, added, drawn, loaded, climbed };
enum Fence { without, block, acq_rel, sc };

template <Fence fence>
__device__ void wait() {
  if (fence == block) asm volatile("fence.acq_rel.cta;" ::: "memory");
  if (fence == acq_rel) asm volatile("fence.acq_rel.gpu;" ::: "memory");
  if (fence == sc) asm volatile("fence.sc.gpu;" ::: "memory");
}

template <Mode mode, Fence fence>
__global__ void rounds(unsigned* data, long long* cycles, int count) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  unsigned* own = data + warp * 64;
  unsigned at = 0;
  const long long begin = clock64();
  if (lane == 0)
    for (int i = 0; i < count; ++i) {
      if (mode == stored || mode == climbed) *(volatile unsigned*)(own + at) = 0;
      if (mode == added) atomicAdd(own, 0u);
      if (mode == drawn) at = atomicAdd(own + at, 0u);
      if (mode == loaded) {
        unsigned value;
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(own + at) : "memory");
        at = value;
      }
      wait<fence>();
      if (mode == climbed) {
        at = atomicAdd(own + 32 + at, 0u);
        wait<fence>();
        unsigned value;
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(own + at) : "memory");
        at = value;
      }
    }
  if (lane == 0) cycles[warp] = clock64() - begin + at;
}

template <Mode mode, Fence fence>
void tell(const char* what, const char* which, unsigned* data, long long* cycles) {
  constexpr int count = 256, launches = 5;
  for (const int blocks : {1, 132, 528})
    for (const int threads : {32, 256}) {
      const int warps = blocks * threads / 32;
      std::vector<double> all;
      for (int i = 0; i <= launches; ++i) {
        rounds<mode, fence><<<blocks, threads>>>(data, cycles, count);
        if (cudaDeviceSynchronize() != cudaSuccess) return;
        std::vector<long long> host(warps);
        cudaMemcpy(host.data(), cycles, warps * sizeof(long long), cudaMemcpyDeviceToHost);
        if (i > 0) all.push_back(double(*std::max_element(host.begin(), host.end())) / count);
      }
      std::sort(all.begin(), all.end());
      std::printf(
          "{\"mode\": \"%s\", \"fence\": \"%s\", \"blocks\": %d, \"threads\": %d, \"cycles\": "
          "%.1f}\n",
          what, which, blocks, threads, all[launches / 2]);
    }
}

template <Mode mode>
void tell(const char* what, unsigned* data, long long* cycles) {
  tell<mode, without>(what, "without", data, cycles);
  tell<mode, block>(what, "block", data, cycles);
  tell<mode, acq_rel>(what, "acq_rel", data, cycles);
  tell<mode, sc>(what, "sc", data, cycles);
}

int main() {
  unsigned* data;
  long long* cycles;
  cudaMalloc(&data, 4 << 20);
  cudaMalloc(&cycles, 1 << 20);
  cudaMemset(data, 0, 4 << 20);
  tell<none>("none", data, cycles), tell<stored>("stored", data, cycles);
  tell<added>("added", data, cycles), tell<drawn>("drawn", data, cycles);
  tell<loaded>("loaded", data, cycles), tell<climbed>("climbed", data, cycles);
}
