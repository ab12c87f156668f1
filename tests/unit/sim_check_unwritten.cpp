// Which bytes nobody wrote: random ranges against a byte for every byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "fewer.h"
#include "sim/check/unwritten.h"

namespace headroom::sim::check {
namespace {

constexpr uint64_t base = 0x7000'0000'0c00, bytes = 9 * 4096 + 100;

struct Reference {
  std::vector<Level> state = std::vector<Level>(bytes);
  bool any(uint64_t begin, uint64_t n) const {
    return std::any_of(state.begin() + long(begin), state.begin() + long(begin + n),
                       [](Level level) { return level != written; });
  }
};

TEST(Unwritten, ranges_bytes_and_copies_are_as_byte_by_byte) {
  std::mt19937_64 random(20261124);
  for (int round = 0; round < fewer(200); ++round) {
    Unwritten memory;
    Reference expected;
    for (int step = 0; step < 40; ++step) {
      const uint64_t n = random() % (random() % 4 ? 600 : bytes / 2),
                     begin = random() % (bytes - n), other = random() % (bytes - n);
      switch (random() % 4) {
        case 0: {
          const Level level = random() % 2 ? unwritten : written;
          memory.assign(base + begin, base + begin + n, level);
          std::fill_n(expected.state.begin() + long(begin), n, level);
          break;
        }
        case 1: {
          const Level level = random() % 2 ? written : Level(random() % 200);
          memory.set(base + begin, level);
          expected.state[begin] = level;
          break;
        }
        case 2: {
          memory.copy(base + begin, base + other, n);
          const std::vector<Level> from(expected.state.begin() + long(other),
                                        expected.state.begin() + long(other + n));
          std::copy(from.begin(), from.end(), expected.state.begin() + long(begin));
          break;
        }
        default: ASSERT_EQ(memory.any(base + begin, n), expected.any(begin, n));
      }
    }
    for (uint64_t i = 0; i < bytes; ++i) ASSERT_EQ(memory.at(base + i), expected.state[i]) << i;
  }
}

TEST(Unwritten, what_nobody_spoke_of_is_written) {
  Unwritten memory;
  EXPECT_FALSE(memory.any(0x1234, 100'000));
  memory.assign(uint64_t(1) << 40, uint64_t(5) << 40, unwritten);  // no page of it is made
  EXPECT_TRUE(memory.any(uint64_t(2) << 40, 1));
  EXPECT_FALSE(memory.any((uint64_t(1) << 40) - 8, 8));
}

}  // namespace
}  // namespace headroom::sim::check
