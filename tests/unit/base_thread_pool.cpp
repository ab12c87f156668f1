// Work that host threads do side by side.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/thread_pool.h"

namespace headroom {
namespace {

TEST(SideBySide, each_is_done_once_by_as_many_threads_as_there_are) {
  for (const unsigned threads : {1u, 2u, 7u})
    for (const size_t count : {size_t(0), size_t(1), size_t(3), size_t(500)}) {
      std::vector<std::atomic<int>> done(count);
      side_by_side(threads, count, [&](size_t i) { ++done[i]; });
      for (const auto& times : done) EXPECT_EQ(times, 1) << threads << " threads, " << count;
    }
}

TEST(SideBySide, what_the_lowest_throws_is_thrown_when_all_have_ended) {
  for (const unsigned threads : {1u, 4u}) {
    std::atomic<int> done = 0;
    std::string said;
    try {
      side_by_side(threads, 40, [&](size_t i) {
        ++done;
        if (i == 7 || i == 31) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    EXPECT_EQ(said, "7");
    EXPECT_EQ(done, 40);
  }
}

TEST(HostThreads, zero_is_one_for_each_processor) {
  EXPECT_EQ(host_threads(3), 3u);
  EXPECT_GE(host_threads(0), 1u);
}

}  // namespace
}  // namespace headroom
