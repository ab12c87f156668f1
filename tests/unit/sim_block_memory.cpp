// Memory that blocks stand on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "sim/block_memory.h"

namespace headroom::sim {
namespace {

struct Taken {
  std::byte* at;
  uint64_t bytes;
};

// As of hundreds of blocks: small ones from the heap and from pages, then chunks, and one too large for these.
std::vector<Taken> fill(BlockMemory& memory) {
  std::vector<Taken> all;
  for (int block = 0; block < 300; ++block)
    for (const uint64_t bytes : {uint64_t(1), uint64_t(16400), uint64_t(90000), uint64_t(200)})
      all.push_back({memory.take(bytes), bytes});
  all.push_back({memory.take(3 << 20), 3 << 20});
  return all;
}

TEST(BlockMemory, pieces_are_zeroed_and_apart_also_where_a_launch_before_used_them) {
  for (int launch = 0; launch < 3; ++launch) {
    BlockMemory memory;
    std::vector<Taken> all = fill(memory);
    for (const Taken& each : all) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(each.at) % 64, 0u);
      EXPECT_TRUE(std::all_of(each.at, each.at + each.bytes,
                              [](std::byte one) { return one == std::byte{0}; }))
          << "launch " << launch << ", " << each.bytes << " bytes";
      std::memset(each.at, 0xa5, each.bytes);
    }
    std::ranges::sort(all, {}, &Taken::at);
    for (size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1].at + all[i - 1].bytes, all[i].at);
  }
}

}  // namespace
}  // namespace headroom::sim
