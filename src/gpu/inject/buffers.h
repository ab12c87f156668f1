// Buffers that CUPTI fills with records, used again and again: what costs time (pages, zeros) is
// paid before the program's first launch and on CUPTI's own thread, not between launches.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace headroom::inject {

class Buffers {
 public:
  // A mebibyte holds some five thousand launches; every thread that launches fills one of its own.
  static constexpr size_t bytes = 1024 * 1024;

  // So many with their pages in place.
  void prepare(size_t count);
  // Zeroed; null when there is no memory.
  uint8_t* take();
  void give(uint8_t* buffer);

 private:
  std::mutex lock_;
  std::vector<uint8_t*> free_;
};

}  // namespace headroom::inject
