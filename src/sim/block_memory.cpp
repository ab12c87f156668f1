#include "sim/block_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "base/error.h"

namespace headroom::sim {
namespace {

// Up to here a launch of one small block is cheaper from the heap than by page faults.
constexpr uint64_t most_from_heap = 64 << 10;
// What kernels ask for that may recurse: much, and they use little of it.
constexpr uint64_t most_in_chunks = 1 << 20;
constexpr uint64_t before_chunks = 2 << 20, largest_chunk = 32 << 20, large_page = 2 << 20;
constexpr uint64_t most_kept = 32 << 20;
static_assert(most_in_chunks <= large_page);  // the least chunk
constexpr std::align_val_t cache_line{64};

uint64_t rounded(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

void BlockMemory::Release::operator()(std::byte* memory) const {
  if (bytes)
    munmap(memory, bytes);
  else
    ::operator delete(memory, cache_line);
}

// Of the process; never destroyed, as programs may launch after everything else.
struct BlockMemory::Kept {
  std::mutex guard;
  std::vector<Chunk> chunks;
  uint64_t bytes = 0;
};
BlockMemory::Kept& BlockMemory::kept() {
  static auto* const only = new Kept;
  return *only;
}

BlockMemory::~BlockMemory() {
  Kept& all = kept();
  const std::lock_guard hold(all.guard);
  for (Chunk& each : chunks_) {
    const uint64_t bytes = each.memory.get_deleter().bytes;
    if (all.bytes + bytes > most_kept) continue;
    all.bytes += bytes;
    all.chunks.push_back({std::move(each.memory), true});
  }
}

BlockMemory::Piece BlockMemory::map(uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw Error{"", "no memory for the registers, shared and local memory of one more block",
                "raise `ulimit -v`", 126};
  return Piece(static_cast<std::byte*>(memory), Release{bytes});
}

BlockMemory::Chunk BlockMemory::chunk() const {
  Kept& all = kept();
  {
    const std::lock_guard hold(all.guard);
    if (!all.chunks.empty()) {
      Chunk found = std::move(all.chunks.back());
      all.chunks.pop_back();
      all.bytes -= found.memory.get_deleter().bytes;
      return found;
    }
  }
  const uint64_t size = std::clamp(rounded(taken_, large_page), large_page, largest_chunk);
  Chunk made{map(size)};
  madvise(made.memory.get(), size, MADV_HUGEPAGE);  // as far as there are any
  return made;
}

std::byte* BlockMemory::take(uint64_t bytes) {
  const uint64_t size = rounded(std::max<uint64_t>(bytes, 64), uint64_t(cache_line));
  taken_ += size;
  const bool few = taken_ <= before_chunks;
  if (size > most_in_chunks || (few && size > most_from_heap)) {
    pieces_.push_back(map(size));
    return pieces_.back().get();
  }
  if (few) {
    auto* const zeroed = static_cast<std::byte*>(::operator new(size, cache_line));
    pieces_.emplace_back(zeroed, Release{});
    std::memset(zeroed, 0, size);
    return zeroed;
  }
  if (chunks_.empty() || at_ + size > chunks_.back().memory.get_deleter().bytes) {
    chunks_.push_back(chunk());
    at_ = 0;
  }
  std::byte* const mine = chunks_.back().memory.get() + at_;
  at_ += size;
  if (chunks_.back().used) std::memset(mine, 0, size);
  return mine;
}

}  // namespace headroom::sim
