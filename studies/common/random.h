// Random input that any thread can compute: value i of stream `seed`, by the finaliser of
// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
//
//   random_bits(seed, i)    64 random bits
//   random_float(seed, i)   uniform in [-1, 1)
#pragma once
#include <sys/random.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace study {

#ifdef __CUDACC__
__host__ __device__  // the same on both sides
#endif
    inline uint64_t
    random_bits(uint64_t seed, uint64_t index) {
  uint64_t z = (seed * 0xD1342543DE82EF95u + index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

inline float random_float(uint64_t seed, uint64_t index) {
  return float(int32_t(random_bits(seed, index) >> 40) - (1 << 23)) / float(1 << 23);
}

inline std::vector<float> random_floats(size_t count, uint64_t seed) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = random_float(seed, i);
  return values;
}

inline uint64_t fresh_seed() {
  uint32_t seed = 0;
  if (getentropy(&seed, sizeof seed) != 0) {
    std::perror("a fresh seed");
    std::exit(1);
  }
  return seed;
}

}  // namespace study
