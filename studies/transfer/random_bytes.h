// Fresh random bytes for every transfer, and the check that they arrived: byte i of stream `seed` is
// byte i % 8 of random_bits(seed, i / 8), so that host and device make and check them apart, each by
// itself, in any number of threads.
//
//   fill_host(from, bytes, seed);  copy …;  wrong_on_device(to, bytes, seed) == 0
#pragma once
#include <cstddef>
#include <cstdint>

namespace transfer {

void fill_host(void* memory, size_t bytes, uint64_t seed);
void fill_device(void* memory, size_t bytes, uint64_t seed);

// How many 8-byte words are not what they should be.
size_t wrong_on_host(const void* memory, size_t bytes, uint64_t seed);
size_t wrong_on_device(const void* memory, size_t bytes, uint64_t seed);

}  // namespace transfer
