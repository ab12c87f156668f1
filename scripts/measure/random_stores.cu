// How many stores a second a GPU takes whose lanes go to lines of their own: at random places of a window, or each lane along a row of its own.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/random_stores.cu -o random_stores && ./random_stores
//
//   {"order": "random", "bytes": 4, "MiB": 16, "stores": 4194304, "us": 72.1}
//
// random: every piece of the window once, in another order; rows: each thread stores 64 pieces to a row of 64, one after the other, rows as many
// as the window has. A sector is 32 bytes; pieces of 32 are two stores of a lane. Medians of five launches, by events.
#include <cstdio>

#include "median_launch.cuh"
#include "shuffled.cuh"

struct Eight {
  float4 a, b;
};

template <class Piece>
__global__ void at_random(Piece* to, unsigned pieces) {
  const unsigned step = gridDim.x * blockDim.x;
  for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < pieces; at += step)
    to[shuffled(at, pieces - 1)] = Piece{};
}

template <class Piece>
__global__ void along_rows(Piece* to, unsigned pieces) {
  const unsigned step = gridDim.x * blockDim.x, rows = pieces / 64;
  for (unsigned row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += step)
    for (unsigned i = 0; i < 64; ++i) {
      to[row * 64 + i] = Piece{};
      asm volatile("" ::: "memory");
    }
}

template <class Piece>
void tell(void* window) {
  for (const int mebibytes : {2, 8, 16, 32, 64, 256, 1024})
    for (const bool rows : {false, true}) {
      const auto pieces = unsigned((size_t(mebibytes) << 20) / sizeof(Piece));
      const float us = median_us([&] {
        (rows ? along_rows<Piece> : at_random<Piece>)<<<1056, 256>>>(static_cast<Piece*>(window),
                                                                     pieces);
      });
      if (us < 0) return;
      std::printf("{\"order\": \"%s\", \"bytes\": %d, \"MiB\": %d, \"stores\": %u, \"us\": %.2f}\n",
                  rows ? "rows" : "random", int(sizeof(Piece)), mebibytes, pieces, us);
    }
}

int main() {
  void* window;
  cudaMalloc(&window, size_t(1) << 30);
  cudaMemset(window, 0, size_t(1) << 30);
  tell<unsigned char>(window), tell<float>(window), tell<float2>(window), tell<float4>(window),
      tell<Eight>(window);
}
