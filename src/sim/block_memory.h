// Memory for the blocks that stand on a host thread: registers, shared and local memory, zeroed. It lasts as long as the thread's
// share of the launch; some of it is kept for the next one, as the system takes longer to give a page than to clear it.
//
//   std::byte* registers = memory.take(16 << 10);     // zeroed, at a cache line
//
// A few small blocks are cheapest from the heap. Where hundreds stand side by side, as those that wait for one another do, they
// lie in chunks of large pages: each turn of a warp touches its registers, and would find neither them nor their page in a cache.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::sim {

class BlockMemory {
 public:
  BlockMemory() = default;
  BlockMemory(const BlockMemory&) = delete;
  BlockMemory& operator=(const BlockMemory&) = delete;
  ~BlockMemory();

  std::byte* take(uint64_t bytes);

 private:
  struct Release {
    uint64_t bytes = 0;  // of pages of the system's; 0: from the heap
    void operator()(std::byte* memory) const;
  };
  using Piece = std::unique_ptr<std::byte[], Release>;
  struct Chunk {
    Piece memory;
    bool used = false;  // by a launch before: not zeros
  };
  struct Kept;  // between launches
  static Kept& kept();

  static Piece map(uint64_t bytes);
  Chunk chunk() const;  // has room for any piece that lies in one

  std::vector<Piece> pieces_;
  std::vector<Chunk> chunks_;  // the last one has room
  uint64_t taken_ = 0;         // of all
  uint64_t at_ = 0;            // in the last chunk
};

}  // namespace headroom::sim
