// Integer atomics whose old value nobody reads: whatever the order of the blocks, the results are the
// same, so that host threads may share the grid. They are those that the host computes, too.
#include <algorithm>
#include <cstdint>

#include "tests/programs/expect.cuh"

namespace {

constexpr int blocks = 96, threads = 128, bins = 97, rounds = 8;

__host__ __device__ uint32_t value_of(uint32_t i) { return (i * 2654435761u) ^ (i >> 7) * 40503u; }
__device__ uint32_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class Update>
__device__ void tally(uint32_t* words, Update update) {
  for (uint32_t i = 0; i < rounds; ++i) {
    const uint32_t value = value_of(thread_number() * rounds + i);
    update(&words[value % bins], value);
  }
}

__global__ void add(uint32_t* words) {
  tally(words, [](uint32_t* word, uint32_t value) { atomicAdd(word, value); });
}
__global__ void least(uint32_t* words) {
  tally(words, [](uint32_t* word, uint32_t value) { atomicMin(word, value); });
}
__global__ void most(uint32_t* words) {
  tally(words, [](uint32_t* word, uint32_t value) { atomicMax(word, value); });
}
__global__ void both(uint32_t* words) {
  tally(words,
        [](uint32_t* word, uint32_t value) { atomicAnd(word, value | 0xffu << value % 24); });
}
__global__ void either(uint32_t* words) {
  tally(words, [](uint32_t* word, uint32_t value) { atomicOr(word, value & 1u << value % 32); });
}
__global__ void differing(uint32_t* words) {
  tally(words, [](uint32_t* word, uint32_t value) { atomicXor(word, value); });
}

// Each block tallies for itself, then adds its bins to all.
__global__ void shared(uint32_t* words) {
  __shared__ uint32_t own[bins];
  for (int i = threadIdx.x; i < bins; i += threads) own[i] = 0;
  __syncthreads();
  tally(own, [](uint32_t* word, uint32_t) { atomicAdd(word, 1u); });
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += threads) atomicAdd(&words[i], own[i]);
}

template <class Update>
void check(void (*kernel)(uint32_t*), uint32_t begin, Update update) {
  uint32_t *words = nullptr, host[bins], expected[bins];
  std::fill(host, host + bins, begin);
  std::fill(expected, expected + bins, begin);
  EXPECT_OK(cudaMalloc(&words, sizeof host));
  EXPECT_OK(cudaMemcpy(words, host, sizeof host, cudaMemcpyHostToDevice));
  kernel<<<blocks, threads>>>(words);
  EXPECT_OK(cudaMemcpy(host, words, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaFree(words));
  for (uint32_t i = 0; i < blocks * threads * rounds; ++i) {
    uint32_t& word = expected[value_of(i) % bins];
    word = update(word, value_of(i));
  }
  EXPECT(std::equal(host, host + bins, expected));
}

}  // namespace

int main() {
  check(add, 0, [](uint32_t word, uint32_t value) { return word + value; });
  check(least, ~0u, [](uint32_t word, uint32_t value) { return std::min(word, value); });
  check(most, 0, [](uint32_t word, uint32_t value) { return std::max(word, value); });
  check(both, ~0u,
        [](uint32_t word, uint32_t value) { return word & (value | 0xffu << value % 24); });
  check(either, 0, [](uint32_t word, uint32_t value) { return word | (value & 1u << value % 32); });
  check(differing, 0, [](uint32_t word, uint32_t value) { return word ^ value; });
  check(shared, 0, [](uint32_t word, uint32_t) { return word + 1; });
  return failures;
}
