// The source and the target of a copy, of any size in bytes, and whether every byte arrived.
//
//   Memory memory(bytes, seed);       // the source holds fresh random bytes
//   memory.poison();  copy …;  memory.right()
#pragma once
#include <cstring>
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
    for (size_t i = 0; i < input_.size(); ++i) input_[i] = study::random_bits(seed, i);
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
    return std::memcmp(input_.data(), output_, bytes()) == 0;
  }

 private:
  static constexpr size_t word = sizeof(uint64_t);
  std::vector<uint64_t> input_;
  void* output_ = nullptr;
  study::DeviceBuffer<uint8_t> from_, to_;
};

}  // namespace copy
