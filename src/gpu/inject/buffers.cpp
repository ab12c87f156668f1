#include "gpu/inject/buffers.h"

#include <sys/mman.h>

#include <cstring>

namespace headroom::inject {
namespace {

uint8_t* map(int more_flags) {
  void* place = mmap(nullptr, Buffers::bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | more_flags, -1, 0);
  return place == MAP_FAILED ? nullptr : static_cast<uint8_t*>(place);
}

}  // namespace

void Buffers::prepare(size_t count) {
  const std::lock_guard held(lock_);
  for (; count > 0; --count)
    if (uint8_t* buffer = map(MAP_POPULATE)) free_.push_back(buffer);
}

uint8_t* Buffers::take() {
  {
    const std::lock_guard held(lock_);
    if (!free_.empty()) {
      uint8_t* buffer = free_.back();
      free_.pop_back();
      return buffer;
    }
  }
  return map(0);
}

void Buffers::give(uint8_t* buffer) {
  std::memset(buffer, 0, bytes);
  const std::lock_guard held(lock_);
  free_.push_back(buffer);
}

}  // namespace headroom::inject
