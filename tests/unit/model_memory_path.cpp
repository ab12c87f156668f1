// What DRAM and L2 take of an SM's accesses: parts of a line that come later, parts of a sector that meet, places that all blocks store to.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <unordered_set>
#include <vector>

#include "model/pipeline/atomics.h"
#include "model/pipeline/memory_path.h"
#include "played_kernel.h"

namespace headroom {
namespace {

constexpr Supply from_dram{.dram_bytes = 32};  // a sector a cycle

struct Asked {
  std::vector<uint64_t> sectors;
  double at;
};
double dram_cycles(AccessKind kind, const std::vector<Asked>& accesses, Supply supply = from_dram,
                   const Relief& relief = {}) {
  MemoryPath path(supply, relief);
  for (const Asked& asked : accesses)
    path.access({.kind = kind, .bytes = 4, .lanes = 32, .sectors = uint32_t(asked.sectors.size())},
                asked.sectors.data(), {}, asked.at);
  return path.use().dram_cycles;
}

TEST(MemoryPath, a_lone_sector_costs_dram_as_much_as_its_line_and_the_others_come_with_it) {
  const auto loads = [](const std::vector<Asked>& accesses) {
    return dram_cycles(AccessKind::global_load, accesses);
  };
  EXPECT_DOUBLE_EQ(loads({{{0, 1, 2, 3}, 0}}), 4);
  EXPECT_DOUBLE_EQ(loads({{{0}, 0}}), 3.7);
  EXPECT_DOUBLE_EQ(loads({{{0}, 0}, {{4}, 10}}), 7.4);
  EXPECT_NEAR(loads({{{0}, 0}, {{1}, 10}, {{2}, 20}, {{3}, 30}}), 4, 1e-9);
  EXPECT_NEAR(loads({{{0, 4, 8}, 0}, {{1, 5, 9}, 10}}), 3 * 3.7, 1e-9);
}

// LDG.E.STRONG.GPU
TEST(MemoryPath, what_is_read_at_its_source_comes_from_l2_each_time) {
  const auto second = [](std::vector<std::string_view> modifiers) {
    sass::Instruction load = instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0});
    load.modifiers = std::move(modifiers);
    const TracedAccess access{
        .kind = AccessKind::global_load, .bytes = 4, .lanes = 1, .sectors = 1};
    const Trace trace = one_access(load, access, {17});
    const InstructionTiming timing = timings(trace, load_machine("h200")).front();
    MemoryPath path(Supply{.in_l2 = 1}, {});
    const uint64_t sector = 17;
    path.access(access, &sector, timing, 0);
    return path.access(access, &sector, timing, 10000).data - 10000;
  };
  EXPECT_LT(second({".E"}), 50);
  EXPECT_GT(second({".E", ".STRONG", ".GPU"}), 200);
  EXPECT_GT(second({".E", ".STRONG", ".SYS"}), 200);
  EXPECT_LT(second({".E", ".STRONG", ".SM"}), 50);
}

TEST(MemoryPath, parts_of_a_sector_meet_in_l2) {
  Supply supply = from_dram;
  supply.writes_reach_dram = true;
  const auto stores = [&](const std::vector<Asked>& accesses) {
    return dram_cycles(AccessKind::global_store, accesses, supply);
  };
  EXPECT_DOUBLE_EQ(stores({{{0, 1, 2, 3}, 0}}), 4);
  EXPECT_DOUBLE_EQ(stores({{{0, 1}, 0}}), 3.7);
  EXPECT_DOUBLE_EQ(stores({{{0, 1}, 0}, {{0, 1}, 10}, {{1, 2}, 20}}), 3.7);
}

// As 4 bytes at random places of 1 GiB, each of which takes DRAM as long as 260 bytes (results/h200/random_stores.json).
TEST(MemoryPath, the_rest_of_a_sector_stored_in_part_comes_from_dram) {
  const auto store = [&](Supply supply, uint8_t lanes) {
    supply.writes_reach_dram = true;
    MemoryPath path(supply, {});
    const uint64_t sectors[] = {0, 1};
    path.access({.kind = AccessKind::global_store, .bytes = 4, .lanes = lanes, .sectors = 2},
                sectors, {}, 0);
    return path.use().dram_cycles;
  };
  Supply supply = from_dram;
  EXPECT_DOUBLE_EQ(store(supply, 2), 3.7);  // other stores bring it
  supply.fills = 1;
  EXPECT_DOUBLE_EQ(store(supply, 2), 2 * 3.7);
  EXPECT_DOUBLE_EQ(store(supply, 16), 3.7);  // nothing is missing
  supply.fills = 0.5;
  supply.first_stored = 0.3;
  supply.writes_reach_dram = true;
  std::vector<Asked> all;
  for (uint64_t i = 0; i < 4000; ++i) all.push_back({{4 * i}, double(10 * i)});
  const double half = dram_cycles(AccessKind::global_store, all, supply);
  EXPECT_NEAR(half, 0.3 * 4000 * 3.7, 300) << "32 lanes of a sector leave nothing out";
  MemoryPath path(supply, {});
  for (const Asked& asked : all)
    path.access({.kind = AccessKind::global_store, .bytes = 4, .lanes = 1, .sectors = 1},
                asked.sectors.data(), {}, asked.at);
  EXPECT_NEAR(path.use().dram_cycles, 1.5 * half, 0.1 * half);
  supply.fills = supply.first_stored = 0;
  EXPECT_DOUBLE_EQ(store(supply, 2), 0);  // another SM's stores keep them in L2
  supply.stored_keeps = 0;
  EXPECT_DOUBLE_EQ(store(supply, 2), 2 * 3.7);
}

// Were lanes side by side, each store would go to sectors of its own; those that are, and come again, meet as before.
TEST(MemoryPath, stores_without_excess_sectors_are_others_where_lanes_lay_apart) {
  Supply supply = from_dram;
  supply.writes_reach_dram = true;
  const auto stores = [&](const std::vector<Asked>& accesses) {
    return dram_cycles(AccessKind::global_store, accesses, supply, {.excess_sectors = true});
  };
  EXPECT_DOUBLE_EQ(stores({{{0, 1, 2, 3}, 0}, {{0, 1, 2, 3}, 1000}}), 4);
  EXPECT_DOUBLE_EQ(stores({{{0, 1, 2, 3, 4, 5, 6, 7}, 0}, {{0, 1, 2, 3, 4, 5, 6, 7}, 1000}}), 8);
}

// Of what several SMs store, each moves its share.
TEST(MemoryPath, what_other_sms_store_too_reaches_dram_once) {
  Supply supply = from_dram;
  supply.writes_reach_dram = true;
  supply.first_stored = 0.25;
  std::vector<Asked> all;
  for (uint64_t i = 0; i < 4000; ++i) all.push_back({{4 * i}, double(10 * i)});
  EXPECT_NEAR(dram_cycles(AccessKind::global_store, all, supply), 3.7 * 1000, 3.7 * 60);
}

// A byte a cycle, and as far away as it is: L1 keeps what comes, and L2 does not.
TEST(MemoryPath, memory_of_the_host_comes_by_its_link) {
  const Supply supply{.device = {1000, 2000},
                      .host_load_bytes = 1,
                      .host_store_bytes = 2,
                      .host_latency = 2400,
                      .in_l2 = 1};
  MemoryPath path(supply, {});
  const auto access = [&](AccessKind kind, uint64_t first, uint32_t sectors, double at) {
    const std::vector<uint64_t> all{first, first + 1, first + 2, first + 3};
    return path
        .access({.kind = kind, .bytes = 4, .lanes = 32, .sectors = sectors}, all.data(), {}, at)
        .data;
  };
  EXPECT_LT(access(AccessKind::global_load, 1000, 4, 0), 500);
  EXPECT_LT(access(AccessKind::local_load, local_sectors + 8, 4, 0), 500);
  EXPECT_LT(access(AccessKind::global_load, (5ull << bits_of_sectors) + 1100, 4, 0), 500);
  EXPECT_EQ(path.use().host_sectors, 0);
  EXPECT_NEAR(access(AccessKind::global_load, 2000, 4, 1000), 1000 + 128 + 2400, 50);
  EXPECT_NEAR(access(AccessKind::global_load, 996, 4, 1000), 1000 + 2 * 128 + 2400, 50);
  EXPECT_LT(access(AccessKind::global_load, 2000, 4, 10000), 10100);  // L1 has it
  EXPECT_EQ(path.use().host_cycles(), 2 * 128);
  EXPECT_NEAR(access(AccessKind::global_load, 2100, 1, 20000), 20000 + 2.4 * 32 + 2400, 50);
  access(AccessKind::global_store, 3000, 4, 30000);
  EXPECT_GE(path.sent(), 30000 + 64);
  EXPECT_EQ(path.use().host_sectors, 13);
  access(AccessKind::global_store, (5ull << bits_of_sectors) + 3000, 4, 40000);
  EXPECT_EQ(path.use().host_sectors, 17);
}

TEST(MemoryPath, loads_wait_behind_stores_in_their_queue) {
  MemoryPath path({.l2_store_bytes = 1, .in_l2 = 1}, {});
  const std::vector<uint64_t> other{100};
  const auto access = [&](AccessKind kind, const std::vector<uint64_t>& sectors) {
    return path.access({.kind = kind, .bytes = 4, .lanes = 32, .sectors = uint32_t(sectors.size())},
                       sectors.data(), {}, 0);
  };
  const double alone = access(AccessKind::global_load, other).data;
  uint64_t next = 1000;
  const auto store_line = [&] {  // 128 cycles each
    access(AccessKind::global_store, {next, next + 1, next + 2, next + 3});
    next += 4;
  };
  for (int i = 0; i < 20; ++i) store_line();
  EXPECT_GT(access(AccessKind::global_load, other).data, alone + 20 * 128 - 1000 - 400);
  EXPECT_LT(path.queue(), 1000);  // the unit is free
  for (int i = 0; i < 20; ++i) store_line();
  EXPECT_GT(path.queue(), 1000);
}

// When as many stores, one right after the other, of words or bytes have left.
double stores_have_left(uint8_t bytes, const std::vector<uint64_t>& sectors) {
  MemoryPath path({}, {});
  for (const uint64_t sector : sectors)
    path.access({.kind = AccessKind::global_store, .bytes = bytes, .lanes = 1, .sectors = 1},
                &sector, {}, 0);
  return path.sent();
}

TEST(MemoryPath, what_is_stored_to_a_sector_that_waits_to_leave_goes_with_it) {
  const double one = stores_have_left(4, {0});
  EXPECT_DOUBLE_EQ(stores_have_left(4, {0, 0, 0, 0}), one);
  // Ten lines, of which the last five wait, and one of them again.
  const auto ten_and = [&](uint8_t bytes, uint64_t sector) {
    return stores_have_left(bytes, {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, sector});
  };
  EXPECT_DOUBLE_EQ(ten_and(4, 20), 10 * one);
  EXPECT_DOUBLE_EQ(ten_and(4, 16), 11 * one);
  EXPECT_DOUBLE_EQ(ten_and(1, 32), 10 * one);  // of bytes two
  EXPECT_DOUBLE_EQ(ten_and(1, 28), 11 * one);
}

// Four words of a line, or four sectors of it in part.
TEST(MemoryPath, sectors_that_are_stored_in_part_take_longer) {
  const std::vector<uint64_t> line{0, 1, 2, 3};
  const auto left = [&](uint8_t lanes) {
    MemoryPath path({.l2_store_bytes = 1000}, {});
    path.access({.kind = AccessKind::global_store, .bytes = 4, .lanes = lanes, .sectors = 4},
                line.data(), {}, 0);
    return path.sent();
  };
  EXPECT_DOUBLE_EQ(left(32), 4);
  EXPECT_DOUBLE_EQ(left(4), 4 * (1 + 3 * 0.35));  // as lone ones
}

TEST(MemoryPath, an_access_that_no_lane_makes_takes_its_turn) {
  MemoryPath path({}, {});
  const double first = path.without_lanes(0).data;
  EXPECT_GT(first, 20);  // as long as one of shared memory
  for (int i = 0; i < 99; ++i) path.without_lanes(0);
  EXPECT_DOUBLE_EQ(path.without_lanes(0).data, first + 100);
}

// So many blocks store a line of their own and, where they share one, that.
Trace storing(size_t blocks, bool shared) {
  Trace trace;
  for (size_t b = 0; b < blocks; ++b) {
    TracedBlock& block = trace.blocks.emplace_back();
    TracedWarp& warp = block.warps.emplace_back();
    for (const uint64_t first : {1000 + 4 * b, uint64_t(0)}) {
      if (first == 0 && !shared) continue;
      warp.accesses.push_back({.kind = AccessKind::global_store,
                               .first_sector = uint32_t(block.sectors.size()),
                               .sectors = 4});
      for (uint64_t i = 0; i < 4; ++i) block.sectors.push_back(first + i);
    }
  }
  return trace;
}

TEST(MemoryPath, all_blocks_that_store_store_to_one_place) {
  EXPECT_TRUE(same_stores(storing(8, false)).empty());
  Trace trace = storing(8, true);
  EXPECT_EQ(same_stores(trace), (std::unordered_set<uint64_t>{0, 1, 2, 3}));
  trace.blocks.emplace_back();  // has nothing to do
  EXPECT_EQ(same_stores(trace).size(), 4u);
  Trace one = storing(1, true);
  EXPECT_TRUE(same_stores(one).empty());  // nobody to compare with
  one.others = storing(3, true).blocks;   // of an SM's only block the others are asked
  for (uint64_t i = 0; i < 3; ++i) one.others[i].linear = i;
  EXPECT_EQ(same_stores(one).size(), 4u);
}

// Of 132 SMs a slice takes one line after the other: 32 of them, over and over, or one.
TEST(MemoryPath, stores_of_all_sms_to_one_place_take_turns) {
  std::unordered_set<uint64_t> same;
  for (uint64_t sector = 0; sector < 4 * 32; ++sector) same.insert(sector);
  Supply supply;
  supply.storing_sms = 132;
  const auto last_of = [&](uint64_t lines, int times) {
    MemoryPath path(supply, {});
    for (int i = 0; i < times; ++i) {
      const uint64_t first = 4 * (uint64_t(i) % lines);
      const std::array<uint64_t, 4> sectors = {first, first + 1, first + 2, first + 3};
      path.access({.kind = AccessKind::global_store, .bytes = 4, .lanes = 32, .sectors = 4},
                  sectors.data(), {}, 10.0 * i);
    }
    return path.sent();
  };
  const double alone = last_of(32, 640);
  supply.same_stores = &same;
  EXPECT_LT(alone, 6500);
  EXPECT_NEAR(last_of(32, 640), 640 / 8 * 132 * 4 * 1.3, 3000);  // eight slices
  EXPECT_LT(last_of(1, 640), 7000);  // what waits for its turn takes the next along
}

// A launch of 1000 requests, a lane a word, of which one block was played; another one, that was traced apart, goes to `elsewhere`.
double atomics_of(std::string_view type, uint8_t bytes, std::optional<uint64_t> elsewhere,
                  uint32_t sectors = 1) {
  sass::Instruction adds;
  adds.opcode = "RED";
  adds.modifiers = {".ADD", type};
  Trace trace;
  trace.code = {{&adds}};
  const auto block = [&](uint64_t linear, uint64_t sector) {
    TracedBlock made{linear, {TracedWarp{}}, {}, {}};
    for (uint32_t i = 0; i < sectors; ++i) made.sectors.push_back(sector + i);
    made.warps[0].accesses = {{.kind = AccessKind::global_atomic,
                               .bytes = bytes,
                               .lanes = 1,
                               .same_address = 1,
                               .passes = uint16_t(sectors),
                               .sectors = sectors}};
    return made;
  };
  trace.blocks = {block(0, 0)};
  if (elsewhere) trace.others = {block(0, 0), block(9, *elsewhere)};
  return cycles_of_atomics(trace, 1000);
}

TEST(MemoryPath, of_one_block_nobody_knows_whether_all_change_one_place) {
  EXPECT_DOUBLE_EQ(atomics_of(".S32", 4, {}), 1300);
  EXPECT_DOUBLE_EQ(atomics_of(".S32", 4, 0), 1300);
  EXPECT_LT(atomics_of(".S32", 4, 4000), 2);
}

// 32 neighbours: by results/h200/model_unseen_4.json 4.8 cycles of floats and 18.6 of doubles.
TEST(MemoryPath, a_sector_of_doubles_takes_a_slice_longer) {
  EXPECT_NEAR(atomics_of(".F32", 4, 0, 4), 5200, 1);
  EXPECT_NEAR(atomics_of(".F64", 8, 0, 8), 18'400, 1);
  EXPECT_NEAR(atomics_of(".S64", 8, 0, 8), 10'400, 1);
}

}  // namespace
}  // namespace headroom
