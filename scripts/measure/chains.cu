// How long warps take that wait for others of other blocks through memory.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/chains.cu -o chains && ./chains
//
//   {"mode": "fenced", "blocks": 132, "threads": 256, "links": 1055, "us": 569.7}
//
// plain: each warp waits for a word of the one before it in the chain, which is of another block, and stores its own; fenced: with a fence
// before it stores; locked: each warp takes a lock, adds to a word and opens it; climbed: each warp arrives at a counter of four, and who
// comes last goes on to the next one above, with a fence before and behind. links: of the longest way. By events, the median
// of five launches; empty: a launch without work, which is in all of these.
#include <cstdio>

#include "median_launch.cuh"

enum Mode { empty, plain, fenced, locked, climbed };

struct Words {
  volatile unsigned* flags;  // of the chain, 32 apart
  unsigned* lock;
  volatile unsigned* sum;
  unsigned* counters;  // level after level
  unsigned round;
};

template <Mode mode>
__global__ void go(Words words) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, of_block = blockDim.x / 32,
                 warps = gridDim.x * of_block;
  if (mode == empty || threadIdx.x % 32) return;
  if (mode == plain || mode == fenced) {
    const unsigned at =
        (warp % of_block) * gridDim.x + warp / of_block;  // neighbours in other blocks
    if (at > 0)
      while (words.flags[(at - 1) * 32] != words.round) {
      }
    if (mode == fenced) __threadfence();
    words.flags[at * 32] = words.round;
  }
  if (mode == locked) {
    while (atomicCAS(words.lock, 0u, 1u) != 0) {
    }
    __threadfence();
    *words.sum = *words.sum + 1;
    __threadfence();
    atomicExch(words.lock, 0u);
  }
  if (mode == climbed) {
    unsigned* counters = words.counters;
    unsigned place = warp;
    for (unsigned width = warps; width > 1;) {
      const unsigned siblings = min(4u, width - place / 4 * 4);
      place /= 4;
      __threadfence();
      if (atomicAdd(counters + place, 1u) != siblings - 1) break;
      __threadfence();
      counters[place] = 0;
      width = (width + 3) / 4;
      counters += width;
    }
  }
}

template <Mode mode>
void tell(const char* name, Words words) {
  static unsigned round = 0;
  for (const int blocks : {2, 16, 132, 264})
    for (const int threads : {32, 256}) {
      const float us = median_us([&] {
        words.round = ++round;
        go<mode><<<blocks, threads>>>(words);
      });
      int links = mode == empty ? 0 : blocks * threads / 32 - 1;
      if (mode == climbed) {
        int width = blocks * threads / 32;
        for (links = 0; width > 1; width = (width + 3) / 4) ++links;
      }
      std::printf(
          "{\"mode\": \"%s\", \"blocks\": %d, \"threads\": %d, \"links\": %d, \"us\": %.2f}\n",
          name, blocks, threads, links, us);
      std::fflush(stdout);
    }
}

int main() {
  constexpr size_t warps = 264 * 8;
  unsigned* all;
  cudaMalloc(&all, (32 * warps + 64 + 2 * warps) * sizeof(unsigned));
  cudaMemset(all, 0, (32 * warps + 64 + 2 * warps) * sizeof(unsigned));
  const Words words{all, all + 32 * warps, all + 32 * warps + 32, all + 32 * warps + 64, 0};
  tell<empty>("empty", words);
  tell<plain>("plain", words);
  tell<fenced>("fenced", words);
  tell<locked>("locked", words);
  tell<climbed>("climbed", words);
}
