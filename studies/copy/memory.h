// The source and the target of a copy, of any size in bytes, and whether every byte arrived.
//
//   Memory memory(bytes, seed);       // the source holds fresh random bytes
//   memory.poison();  copy …;  memory.right()
#pragma once
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/random.h"

namespace copy {

class Memory {
 public:
  Memory(size_t bytes, uint64_t seed)
      : input_((bytes + word - 1) / word), from_(bytes), to_(bytes) {
    // Pinned: what was copied comes back for every row.
    CHECK(cudaMallocHost(&output_, bytes));
    in_parts(input_.size(), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) input_[i] = study::random_bits(seed, i);
    });
    CHECK(cudaMemcpy(from_.data(), input_.data(), bytes, cudaMemcpyHostToDevice));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { cudaFreeHost(output_); }

  const void* from() const { return from_.data(); }
  void* to() const { return to_.data(); }
  size_t bytes() const { return to_.bytes(); }

  void poison() { to_.clear(); }
  bool right() {
    CHECK(cudaMemcpy(output_, to_.data(), bytes(), cudaMemcpyDeviceToHost));
    std::atomic<bool> same = true;
    in_parts(bytes(), [&](size_t begin, size_t end) {
      const char* copied = static_cast<const char*>(output_);
      const char* source = reinterpret_cast<const char*>(input_.data());
      if (std::memcmp(source + begin, copied + begin, end - begin) != 0) same = false;
    });
    return same;
  }

 private:
  // By all cores of the host where there is much to do: a GPU copies faster than one of them looks.
  template <typename Work>
  static void in_parts(size_t count, const Work& work) {
    const size_t least = 1 << 20, cores = std::max(1u, std::thread::hardware_concurrency());
    const size_t parts = std::min(count / least + 1, cores);
    std::vector<std::thread> others;
    for (size_t p = 1; p < parts; ++p) {
      others.emplace_back(work, count * p / parts, count * (p + 1) / parts);
    }
    work(0, count / parts);
    for (std::thread& other : others) other.join();
  }

  static constexpr size_t word = sizeof(uint64_t);
  std::vector<uint64_t> input_;
  void* output_ = nullptr;
  study::DeviceBuffer<uint8_t> from_, to_;
};

}  // namespace copy
