// The simulated device below the API: what is allocated, rows of bytes, pools, and advice.
#include <gtest/gtest.h>

#include <array>

#include "device/advice.h"
#include "device/allocations.h"
#include "device/array.h"
#include "device/host_memory.h"
#include "device/pool.h"
#include "device/rows.h"

namespace headroom::device {
namespace {

TEST(Allocations, count_what_a_device_has_given_away) {
  Allocations all;
  all.add({1000, 100, Place::device, 0});
  all.add({2000, 50, Place::managed, 0});
  all.add({3000, 10, Place::pinned, 0});
  all.add({4000, 7, Place::device, 1});
  EXPECT_EQ(all.used(0), 150u);
  EXPECT_EQ(all.used(1), 7u);
  all.add({1000, 30, Place::device, 0});
  EXPECT_EQ(all.used(0), 80u) << "one that begins at the same address is replaced";
  all.remove(1000);
  all.remove(1000);
  EXPECT_EQ(all.used(0), 50u);
  all.remove_if([](const Allocation& one) { return one.device == 0; });
  EXPECT_EQ(all.used(0), 0u);
  EXPECT_EQ(all.all().size(), 1u);
}

TEST(Allocations, are_found_by_any_of_their_bytes) {
  Allocations all;
  all.add({1000, 100});
  EXPECT_EQ(all.holding(999), nullptr);
  EXPECT_EQ(all.holding(1099), all.at(1000));
  EXPECT_EQ(all.holding(1100), nullptr);
  EXPECT_TRUE(all.overlaps(900, 101));
  EXPECT_FALSE(all.overlaps(900, 100));
  EXPECT_TRUE(all.overlaps(1050, 1));
  EXPECT_TRUE(all.overlaps(900, UINT64_MAX)) << "a range that would wrap";
}

TEST(Arrays, take_their_memory_from_the_device_and_give_it_back) {
  Session session(Options{.machine = "h200"});
  const Format pairs{{32, 32, 0, 0}, sim::Channel::floating};
  const Array* array = nullptr;
  ASSERT_EQ(create_array(session, pairs, {10, 4, 3}, Array::layered, array), Status::ok);
  EXPECT_EQ(array->row_bytes(), 80u);
  EXPECT_TRUE(session.memory.find(array->base)->contains(array->base, 10 * 4 * 3 * 8));
  EXPECT_EQ(find_array(session, array), array);
  EXPECT_EQ(destroy_array(session, array), Status::ok);
  EXPECT_EQ(destroy_array(session, array), Status::invalid_value);
  EXPECT_TRUE(session.allocations.all().empty());
  EXPECT_EQ(create_array(session, pairs, {10, 10, 5}, Array::cube, array), Status::invalid_value);
  EXPECT_EQ(create_array(session, pairs, {1 << 20, 4, 0}, 0, array), Status::invalid_value);
  EXPECT_THROW(create_array(session, pairs, {10, 4, 0}, Array::sparse, array), Failure);
}

TEST(Arrays, have_channels_of_one_width) {
  EXPECT_TRUE((Format{{8, 8, 8, 8}, sim::Channel::unsigned_integer}).suits_an_array());
  EXPECT_FALSE((Format{{8, 8, 8, 0}, sim::Channel::unsigned_integer}).suits_an_array());
  EXPECT_FALSE((Format{{32, 16, 0, 0}, sim::Channel::floating}).suits_an_array());
  EXPECT_FALSE((Format{{8, 0, 0, 0}, sim::Channel::floating}).suits_an_array());
}

TEST(HostMemory, is_pinned_here_or_registered_where_the_program_has_it) {
  Session session(Options{.machine = "h200"});
  void* pinned = nullptr;
  ASSERT_EQ(allocate_host(session, 100, portable, pinned), Status::ok);
  EXPECT_EQ(look_up(session, pinned).kind, Pointed::Kind::host);
  EXPECT_EQ(find_host(session, pinned)->flags, portable);
  EXPECT_EQ(register_host(session, pinned, 10, 0), Status::host_memory_already_registered);
  EXPECT_EQ(unregister_host(session, pinned), Status::host_memory_not_registered);
  EXPECT_EQ(free_host(session, pinned), Status::ok);
  EXPECT_EQ(look_up(session, pinned).kind, Pointed::Kind::unknown);
  EXPECT_EQ(allocate_host(session, UINT64_MAX, 0, pinned), Status::out_of_memory);

  std::array<char, 64> own{};
  EXPECT_EQ(register_host(session, own.data(), own.size(), mapped), Status::ok);
  EXPECT_EQ(free_host(session, own.data()), Status::invalid_value);
  EXPECT_EQ(unregister_host(session, own.data()), Status::ok);
  EXPECT_EQ(register_host(session, reinterpret_cast<void*>(64), 64, 0), Status::invalid_value);
  EXPECT_EQ(register_host(session, own.data(), 64, read_only), Status::not_supported);
}

TEST(Rows, reach_to_the_end_of_the_last_row) {
  const Rows rows{4096, 512, 4};
  EXPECT_EQ(rows.row(1, 1), 4096u + 5 * 512);
  EXPECT_EQ(rows.extent({100, 4, 2}), 7u * 512 + 100);
  EXPECT_EQ(rows.extent({100, UINT64_MAX, 2}), UINT64_MAX);
  EXPECT_TRUE(rows.are_apart({512, 4, 2}));
  EXPECT_FALSE(rows.are_apart({513, 2, 1}));
  EXPECT_FALSE(rows.are_apart({1, 5, 2}));
  EXPECT_TRUE(rows.are_apart({5000, 1, 1})) << "one row has no next one";
}

TEST(Rows, are_copied_and_filled_by_elements) {
  std::array<unsigned char, 16> from{}, to{};
  const Rows rows{uintptr_t(from.data()), 8, 2};
  fill(rows, {5, 2, 1}, 0x1234, 2);
  EXPECT_EQ(from[2], 0x34);
  EXPECT_EQ(from[3], 0x12);
  EXPECT_EQ(from[4], 0) << "half an element is none";
  EXPECT_EQ(from[8], 0x34);
  copy({uintptr_t(to.data()), 4, 2}, rows, {2, 2, 1});
  EXPECT_EQ(to[4], 0x34);
  EXPECT_EQ(to[6], 0);
}

TEST(Pool, keeps_what_it_took_from_its_device_until_it_is_trimmed) {
  constexpr uint64_t chunk = 32 << 20;
  Pool pool;
  pool.most = 2 * chunk;
  pool.take(100);
  EXPECT_EQ(pool.used, 512u);
  EXPECT_EQ(pool.reserved, chunk);
  EXPECT_FALSE(pool.has_room(2 * chunk));
  EXPECT_FALSE(pool.has_room(UINT64_MAX));
  pool.give(100);
  EXPECT_EQ(pool.reserved, chunk);
  pool.trim(0);
  EXPECT_EQ(pool.reserved, 0u);
  EXPECT_EQ(pool.used_high, 512u);
}

TEST(MemoryAdvice, holds_for_ranges_and_nothing_where_they_differ) {
  MemoryAdvice advice(0);
  each(advice, 4096, 4096, 65536, [](Said& said) {
    said.read_mostly = true;
    said.preferred = {Location::Kind::device, 1};
  });
  EXPECT_EQ(advice.ranges.size(), 3u);
  EXPECT_TRUE(common(advice, 4096, 4096, 65536).read_mostly);
  EXPECT_EQ(common(advice, 4096, 100, 65536).preferred.id, 1);
  EXPECT_FALSE(common(advice, 0, 65536, 65536).read_mostly);
  EXPECT_EQ(common(advice, 0, 65536, 65536).preferred, Location{});
}

}  // namespace
}  // namespace headroom::device
