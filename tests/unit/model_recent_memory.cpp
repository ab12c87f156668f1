// What L2 likely holds of device memory, by what copies and launches touched last.
#include <gtest/gtest.h>

#include "model/recent_memory.h"

namespace headroom {
namespace {

constexpr double mebi = 1 << 20, l2 = 60 * mebi;
constexpr uint32_t whole = 64 * 1024 / 32;  // sectors of a page
constexpr uint64_t of_mebi = 16;            // pages

// Of so many MiB from there on.
RecentMemory::Pages pages(uint64_t from, uint64_t count, uint32_t sectors = whole) {
  RecentMemory::Pages all;
  for (uint64_t i = 0; i < count * of_mebi; ++i) all.push_back({from * of_mebi + i, sectors});
  return all;
}

void touch(RecentMemory& recent, const RecentMemory::Pages& these) {
  recent.launch(these, {}, nullptr, l2);
}
// By a launch that would begin now.
double share(RecentMemory recent, const RecentMemory::Pages& read) {
  return recent.launch(read, {}, nullptr, l2).share;
}
double near(RecentMemory recent, const RecentMemory::Pages& read, const Trace& trace) {
  return recent.launch(read, {}, &trace, l2).near.value();
}

// A block of one warp that loads these sectors.
Trace loading(std::vector<uint64_t> sectors) {
  Trace trace;
  TracedWarp warp;
  warp.accesses = {
      {.kind = AccessKind::global_load, .first_sector = 0, .sectors = uint32_t(sectors.size())}};
  trace.blocks.push_back({0, {warp}, std::move(sectors), {}});
  return trace;
}

TEST(RecentMemory, what_was_touched_lately_is_there) {
  RecentMemory recent;
  EXPECT_EQ(share(recent, pages(0, 8)), 0);
  recent.fill({{0, uint64_t(8 * mebi)}}, l2);
  EXPECT_EQ(share(recent, pages(0, 8)), 1);
  EXPECT_EQ(share(recent, pages(4, 8)), 0.5);
}

TEST(RecentMemory, what_the_same_blocks_had_is_near) {
  RecentMemory recent;
  recent.fill({{0, uint64_t(8 * mebi)}}, l2);
  EXPECT_EQ(near(recent, pages(0, 8), loading({1, 2, 3, 4})),
            0);  // a fill's lies where it is at home
  const Trace first = loading({1, 2, 3, 4});
  recent.launch(pages(0, 8), {}, &first, l2);
  EXPECT_EQ(near(recent, pages(0, 8), first), 1);
  EXPECT_EQ(near(recent, pages(0, 8), loading({3, 4, 5, 6})),
            0.5 + 0.5 * 0.5);  // others' is so half of the time
  EXPECT_FALSE(recent.launch(pages(0, 8), {}, nullptr, l2).near);
}

// The same few again and again leave the others where they are.
TEST(RecentMemory, bytes_count_once) {
  RecentMemory recent;
  touch(recent, pages(0, 16));
  for (int i = 0; i < 100; ++i) touch(recent, pages(100, 8));
  EXPECT_EQ(share(recent, pages(0, 16)), 1);
}

TEST(RecentMemory, what_takes_all_of_l2_is_gone_when_it_comes_again) {
  RecentMemory recent;
  touch(recent, pages(0, 60));
  EXPECT_EQ(share(recent, pages(0, 60)), 0);
  touch(recent, pages(0, 44));  // nearly three quarters
  EXPECT_NEAR(share(recent, pages(0, 44)), (0.84 - 44 / 60.0) / 0.2, 1e-9);
  touch(recent, pages(100, 30));
  EXPECT_EQ(share(recent, pages(0, 44)), 0);
  EXPECT_EQ(share(recent, pages(100, 30)), 1);
}

// As an H200 was measured: of 48 MiB that were stored, filled, copied 57, 62, 39 (target) and 16 % (source) lie in L2.
TEST(RecentMemory, how_they_were_touched_tells_how_much_stays) {
  const auto after = [](auto&& touch) {
    RecentMemory recent;
    touch(recent);
    return share(recent, pages(0, 48));
  };
  const RecentMemory::Ranges mine = {{0, uint64_t(48 * mebi)}},
                             others = {{uint64_t(200 * mebi), uint64_t(48 * mebi)}};
  EXPECT_NEAR(after([&](RecentMemory& recent) { touch(recent, pages(0, 48)); }), 0.2, 1e-6);
  EXPECT_NEAR(after([&](RecentMemory& recent) { recent.launch({}, pages(0, 48), nullptr, l2); }),
              0.2 / 0.38, 1e-6);
  EXPECT_NEAR(after([&](RecentMemory& recent) { recent.fill(mine, l2); }), 30 / 48.0, 1e-6);
  EXPECT_NEAR(after([&](RecentMemory& recent) { recent.copy(others, mine, l2); }), 19.8 / 48, 1e-6);
  EXPECT_NEAR(after([&](RecentMemory& recent) { recent.copy(mine, others, l2); }), 12 / 48.0, 1e-6);
}

TEST(RecentMemory, a_long_fill_takes_the_place_of_what_was_there) {
  RecentMemory recent;
  touch(recent, pages(0, 16));
  recent.fill({{uint64_t(100 * mebi), uint64_t(48 * mebi)}}, l2);
  EXPECT_EQ(share(recent, pages(0, 16)), 0);
}

// A word of each page is no page.
TEST(RecentMemory, what_is_gone_of_a_page_stays_so_when_a_part_is_touched) {
  RecentMemory recent;
  recent.allocate({0, uint64_t(240 * mebi)}, l2);
  touch(recent, pages(1000, 16));
  touch(recent, pages(0, 240, 1));
  EXPECT_EQ(share(recent, pages(1000, 16)), 1);
  RecentMemory filled;
  filled.fill({{0, uint64_t(48 * mebi)}}, l2);
  touch(filled, pages(0, 48, 1));
  EXPECT_NEAR(share(filled, pages(0, 48)), 30 / 48.0, 0.01);
}

// 8.4 MiB of it are there, whatever its size.
TEST(RecentMemory, what_is_allocated_was_cleared) {
  RecentMemory recent;
  recent.allocate({0, uint64_t(6 * mebi)}, l2);
  EXPECT_EQ(share(recent, pages(0, 6)), 1);
  recent.allocate({uint64_t(100 * mebi), uint64_t(32 * mebi)}, l2);
  EXPECT_NEAR(share(recent, pages(100, 32)), 8.4 / 32, 1e-6);
  recent.allocate({uint64_t(1000 * mebi), uint64_t(90'000 * mebi)}, l2);
  EXPECT_EQ(share(recent, pages(100, 32)), 0);
}

TEST(RecentMemory, parts_of_pages_are_parts) {
  RecentMemory recent;
  touch(recent, pages(0, 4, whole / 4));
  EXPECT_EQ(share(recent, pages(0, 4)), 0.25);
  EXPECT_EQ(share(recent, pages(0, 4, 10)), 1);
  recent.fill({{uint64_t(4 * mebi) - 32, 64}}, l2);  // over the end of a page
  EXPECT_GT(share(recent, pages(4, 1)), 0);
}

// Copies mostly go to other parts, launches to the same.
TEST(RecentMemory, copies_to_one_page_add_up) {
  RecentMemory recent;
  for (uint64_t i = 0; i < 4; ++i) recent.fill({{i * 16384, 16384}}, l2);
  EXPECT_EQ(share(recent, {{0, whole}}), 1);
  for (int i = 0; i < 3; ++i) touch(recent, {{1, whole / 4}});
  EXPECT_EQ(share(recent, {{1, whole}}), 0.25);
}

// A column of an array touches a sector of each row.
TEST(RecentMemory, rows_apart_take_what_they_touch) {
  RecentMemory recent;
  touch(recent, pages(0, 8));
  std::vector<RecentMemory::Range> rows;
  for (uint64_t y = 0; y < 8192; ++y) rows.push_back({uint64_t(100 * mebi) + y * 32768, 4});
  recent.fill(rows, l2);
  EXPECT_EQ(share(recent, pages(0, 8)), 1);
}

// Thousands of fills of one buffer are one.
TEST(RecentMemory, what_was_touched_again_and_again_is_no_reason_to_forget) {
  RecentMemory recent;
  touch(recent, pages(0, 4));
  for (int i = 0; i < 10000; ++i) recent.fill({{uint64_t(50 * mebi), 4096}}, l2);
  EXPECT_EQ(share(recent, pages(0, 4)), 1);
}

TEST(RecentMemory, of_a_machine_without_l2_nothing_is_known) {
  RecentMemory recent;
  recent.launch(pages(0, 4), {}, nullptr, 0);
  EXPECT_EQ(recent.launch(pages(0, 4), {}, nullptr, 0).share, 0);
}

}  // namespace
}  // namespace headroom
