// What L2 likely holds of device memory, by what copies and launches touched last.
#include <gtest/gtest.h>

#include "device/recent_memory.h"

namespace headroom::device {
namespace {

constexpr double mebi = 1 << 20, l2 = 60 * mebi;
constexpr uint32_t whole = 64 * 1024 / 32;  // sectors of a page
constexpr uint64_t of_mebi = 16;            // pages

// Of so many MiB from there on.
std::vector<sim::PageCount> pages(uint64_t from, uint64_t count, uint32_t sectors = whole) {
  std::vector<sim::PageCount> all;
  for (uint64_t i = 0; i < count * of_mebi; ++i) all.push_back({from * of_mebi + i, sectors});
  return all;
}

TEST(RecentMemory, what_was_touched_lately_is_there) {
  RecentMemory recent;
  EXPECT_EQ(recent.share(pages(0, 8), l2).all, 0);
  recent.copy({{0, uint64_t(8 * mebi)}}, l2);
  EXPECT_EQ(recent.share(pages(0, 8), l2).all, 1);
  EXPECT_EQ(recent.share(pages(0, 8), l2).by_launches, 0);
  EXPECT_EQ(recent.share(pages(4, 8), l2).all, 0.5);
  recent.touch(pages(4, 4), l2);
  EXPECT_EQ(recent.share(pages(0, 8), l2).by_launches, 0.5);
}

// The same few again and again leave the others where they are.
TEST(RecentMemory, bytes_count_once) {
  RecentMemory recent;
  recent.touch(pages(0, 16), l2);
  for (int i = 0; i < 100; ++i) recent.touch(pages(100, 8), l2);
  EXPECT_EQ(recent.share(pages(0, 16), l2).all, 1);
}

TEST(RecentMemory, what_takes_all_of_l2_is_gone_when_it_comes_again) {
  RecentMemory recent;
  recent.touch(pages(0, 60), l2);
  EXPECT_EQ(recent.share(pages(0, 60), l2).all, 0);
  recent.touch(pages(0, 44), l2);  // nearly three quarters
  EXPECT_NEAR(recent.share(pages(0, 44), l2).all, (0.9 - 44 / 60.0) / 0.35, 1e-9);
  recent.touch(pages(100, 30), l2);
  EXPECT_EQ(recent.share(pages(0, 44), l2).all, 0);
  EXPECT_EQ(recent.share(pages(100, 30), l2).all, 1);
}

TEST(RecentMemory, parts_of_pages_are_parts) {
  RecentMemory recent;
  recent.touch(pages(0, 4, whole / 4), l2);
  EXPECT_EQ(recent.share(pages(0, 4), l2).all, 0.25);
  EXPECT_EQ(recent.share(pages(0, 4, 10), l2).all, 1);
  recent.copy({{uint64_t(4 * mebi) - 32, 64}}, l2);  // over the end of a page
  EXPECT_GT(recent.share(pages(4, 1), l2).all, 0);
}

// Copies mostly go to other parts, launches to the same.
TEST(RecentMemory, copies_to_one_page_add_up) {
  RecentMemory recent;
  for (uint64_t i = 0; i < 4; ++i) recent.copy({{i * 16384, 16384}}, l2);
  EXPECT_EQ(recent.share({{0, whole}}, l2).all, 1);
  for (int i = 0; i < 3; ++i) recent.touch({{1, whole / 4}}, l2);
  EXPECT_EQ(recent.share({{1, whole}}, l2).all, 0.25);
}

// A column of an array touches a sector of each row.
TEST(RecentMemory, rows_apart_take_what_they_touch) {
  RecentMemory recent;
  recent.touch(pages(0, 8), l2);
  std::vector<RecentMemory::Range> rows;
  for (uint64_t y = 0; y < 8192; ++y) rows.push_back({uint64_t(100 * mebi) + y * 32768, 4});
  recent.copy(rows, l2);
  EXPECT_EQ(recent.share(pages(0, 8), l2).all, 1);
}

// Thousands of fills of one buffer are one.
TEST(RecentMemory, what_was_touched_again_and_again_is_no_reason_to_forget) {
  RecentMemory recent;
  recent.touch(pages(0, 4), l2);
  for (int i = 0; i < 10000; ++i) recent.copy({{uint64_t(50 * mebi), 4096}}, l2);
  EXPECT_EQ(recent.share(pages(0, 4), l2).all, 1);
}

TEST(RecentMemory, of_a_machine_without_l2_nothing_is_known) {
  RecentMemory recent;
  recent.touch(pages(0, 4), 0);
  EXPECT_EQ(recent.share(pages(0, 4), 0).all, 0);
}

}  // namespace
}  // namespace headroom::device
