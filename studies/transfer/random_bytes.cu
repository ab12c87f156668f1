// Random bytes on the host, by all its cores, and on the device, by a kernel: 1 GiB takes a moment on
// either.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "studies/common/check.h"
#include "studies/common/random.h"
#include "studies/transfer/random_bytes.h"

namespace transfer {
namespace {

constexpr size_t word = sizeof(uint64_t);

__global__ void fill(uint8_t* memory, size_t bytes, uint64_t seed) {
  const size_t threads = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i * word < bytes; i += threads) {
    const uint64_t value = study::random_bits(seed, i);
    if ((i + 1) * word <= bytes) {
      reinterpret_cast<uint64_t*>(memory)[i] = value;
    } else {
      for (size_t b = i * word; b < bytes; ++b) memory[b] = uint8_t(value >> 8 * (b % word));
    }
  }
}

// Counts what is right, not what is wrong: a kernel that did not run finds nothing.
__global__ void compare(const uint8_t* memory, size_t bytes, uint64_t seed,
                        unsigned long long* right) {
  const size_t threads = size_t(gridDim.x) * blockDim.x;
  unsigned long long mine = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i * word < bytes; i += threads) {
    const uint64_t value = study::random_bits(seed, i);
    bool same = true;
    if ((i + 1) * word <= bytes) {
      same = reinterpret_cast<const uint64_t*>(memory)[i] == value;
    } else {
      for (size_t b = i * word; b < bytes; ++b)
        same = same && memory[b] == uint8_t(value >> 8 * (b % word));
    }
    mine += same;
  }
  if (mine) atomicAdd(right, mine);
}

unsigned grid(size_t bytes) { return unsigned(std::min<size_t>(bytes / word / 256 + 1, 1024)); }

// Calls work(first word, end) for each thread's share.
template <typename Work>
void share(size_t words, const Work& work) {
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const size_t threads = std::min<size_t>(cores, words / 65536 + 1);
  std::vector<std::thread> others;
  for (size_t t = 1; t < threads; ++t) {
    others.emplace_back([&, t] { work(words * t / threads, words * (t + 1) / threads); });
  }
  work(0, words / threads);
  for (std::thread& other : others) other.join();
}

}  // namespace

void fill_host(void* memory, size_t bytes, uint64_t seed) {
  uint8_t* out = static_cast<uint8_t*>(memory);
  share((bytes + word - 1) / word, [&](size_t first, size_t end) {
    for (size_t i = first; i < end; ++i) {
      const uint64_t value = study::random_bits(seed, i);
      std::memcpy(out + i * word, &value, std::min(word, bytes - i * word));
    }
  });
}

size_t wrong_on_host(const void* memory, size_t bytes, uint64_t seed) {
  const uint8_t* in = static_cast<const uint8_t*>(memory);
  std::atomic<size_t> wrong{0};
  share((bytes + word - 1) / word, [&](size_t first, size_t end) {
    size_t mine = 0;
    for (size_t i = first; i < end; ++i) {
      const uint64_t value = study::random_bits(seed, i);
      mine += std::memcmp(in + i * word, &value, std::min(word, bytes - i * word)) != 0;
    }
    wrong += mine;
  });
  return wrong;
}

void fill_device(void* memory, size_t bytes, uint64_t seed) {
  fill<<<grid(bytes), 256>>>(static_cast<uint8_t*>(memory), bytes, seed);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

size_t wrong_on_device(const void* memory, size_t bytes, uint64_t seed) {
  unsigned long long* counter = nullptr;
  CHECK(cudaMalloc(&counter, sizeof *counter));
  CHECK(cudaMemset(counter, 0, sizeof *counter));
  compare<<<grid(bytes), 256>>>(static_cast<const uint8_t*>(memory), bytes, seed, counter);
  CHECK(cudaGetLastError());
  unsigned long long right = 0;
  CHECK(cudaMemcpy(&right, counter, sizeof right, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(counter));
  return (bytes + word - 1) / word - right;
}

}  // namespace transfer
