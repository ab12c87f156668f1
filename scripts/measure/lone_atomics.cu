// How fast atomics go that one lane of a warp asks for: counters, tickets, what a block adds to a sum.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/lone_atomics.cu -o lone_atomics && ./lone_atomics
//
//   {"what": "RED.ADD", "places": 1, "bytes_apart": 0, "warps": 4224, "times": 16, "cycles": 2.1}
//
// Each of so many warps asks `times` one after the other, at one of `places`; cycles of the GPU from one atomic to the next, beyond what
// an empty launch of the same shape takes: the median of seven.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int launches = 7, threads = 256;

enum Kind { red, red_float, atom, atom_max, lanes };

template <Kind kind>
__global__ void measured(unsigned* data, int places, int words_apart, int times, unsigned* sink) {
  const unsigned warp = (blockIdx.x * threads + threadIdx.x) / 32;
  unsigned* at = data + size_t(warp % places) * words_apart;
  if (kind != lanes && threadIdx.x % 32 != 0) return;
  unsigned sum = 0;
  for (int i = 0; i < times; ++i) {
    if (kind == red || kind == lanes)
      asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at) : "memory");
    if (kind == red_float)
      asm volatile("red.global.add.f32 [%0], 0f3F800000;" ::"l"(at) : "memory");
    if (kind == atom) sum += atomicAdd(at, 1u);
    if (kind == atom_max) sum += atomicMax(at, warp + i);
  }
  if (sum == 0x12345678u) *sink = sum;
}

template <Kind kind>
void tell(const char* what) {
  unsigned *data, *sink;
  cudaMalloc(&data, 1 << 24);
  cudaMemset(data, 0, 1 << 24);
  cudaMalloc(&sink, 4);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  int khz = 0;
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
  const auto us = [&](int blocks, int places, int apart, int times) {
    std::vector<float> all;
    for (int i = 0; i <= launches; ++i) {
      cudaEventRecord(begin);
      measured<kind><<<blocks, threads>>>(data, places, apart, times, sink);
      cudaEventRecord(end);
      if (cudaEventSynchronize(end) != cudaSuccess) std::exit(1);
      float ms;
      cudaEventElapsedTime(&ms, begin, end);
      if (i > 0) all.push_back(ms * 1000);
    }
    std::sort(all.begin(), all.end());
    return double(all[launches / 2]);
  };
  struct Where {
    int places, bytes;
  };
  for (const Where where : {Where{1, 0}, {8, 4}, {32, 4}, {32, 128}, {32, 4096}, {1024, 4096}})
    for (const int blocks : {528, 8448})
      for (const int times : {1, 16}) {
        const double cycles =
            (us(blocks, where.places, where.bytes / 4, times) - us(blocks, 1, 0, 0)) * khz / 1000;
        std::printf(
            "{\"what\": \"%s\", \"places\": %d, \"bytes_apart\": %d, \"warps\": %d, \"times\": %d, "
            "\"cycles\": %.3f}\n",
            what, where.places, where.bytes, blocks * threads / 32, times,
            cycles / (double(blocks) * threads / 32 * times));
      }
}

int main() {
  tell<red>("RED.ADD of a lane");
  tell<red_float>("RED.ADD.F32 of a lane");
  tell<atom>("ATOM.ADD of a lane");
  tell<atom_max>("ATOM.MAX of a lane");
  tell<lanes>("RED.ADD of 32 lanes");
}
