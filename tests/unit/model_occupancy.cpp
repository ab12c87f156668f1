// Occupancy on the worked examples of the literature, and what a result says about itself.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/occupancy.h"

namespace headroom {
namespace {

const OccupancyLimit& limit(const Occupancy& result, const std::string& resource) {
  for (const OccupancyLimit& limit : result.limits)
    if (limit.resource == resource) return limit;
  throw std::out_of_range(resource);
}

using Limiters = std::vector<std::string>;

TEST(Occupancy, OfTheSgemmWorklogsTileKernelOnA6000IsTwoThirds) {
  Occupancy result = occupancy(load_machine("a6000"), {1024, 37, 8192, 0, {}});
  EXPECT_EQ(result.blocks, 1);
  EXPECT_EQ(result.warps, 32);
  EXPECT_EQ(result.max_warps, 48);
  EXPECT_EQ(result.limiters, (Limiters{"threads", "warps", "registers"}));
  EXPECT_EQ(limit(result, "shared memory").blocks, 11);
  EXPECT_EQ(limit(result, "shared memory").arithmetic, "102400 / ceil(8192 + 1024, 128) = 11");
  EXPECT_EQ(limit(result, "registers").arithmetic,
            "floor(65536 / ceil(37 · 32, 256), 4) / 32 = 48 / 32 = 1");
  EXPECT_EQ(limit(result, "threads").arithmetic, "1536 / 1024 = 1");
}

// 228 KiB an SM; a quarter of it, 57 KiB, is rounded up to the 64 KiB that the machine has.
TEST(Occupancy, OfALaunchHonoursTheCarveOutThatItPrefers) {
  const Machine h200 = load_machine("h200");
  LaunchShape shape{.kernel = "k", .grid = {8}, .block = {128}};
  Resources resources;
  resources.registers = 16;
  resources.static_shared = 16384;
  EXPECT_EQ(occupancy_of(h200, shape, resources).blocks, 13);
  shape.carveout = 25;
  EXPECT_EQ(occupancy_of(h200, shape, resources).blocks, 3);
  EXPECT_EQ(occupancy_of(h200, shape, resources).limiters, Limiters{"shared memory"});
}

TEST(Occupancy, OfABlockAboveTheKernelsLaunchBoundsIsNone) {
  const Machine h200 = load_machine("h200");
  LaunchShape shape{.kernel = "k", .grid = {8}, .block = {256}};
  Resources resources;
  resources.registers = 16;
  resources.static_shared = 0;
  resources.max_threads = 128;
  const Occupancy refused = occupancy_of(h200, shape, resources);
  EXPECT_EQ(refused.blocks, 0);
  EXPECT_EQ(refused.impossible, "256 threads per block, the kernel's __launch_bounds__ allow 128");
  EXPECT_EQ(limit(refused, "threads").relief, "threads ≤ 128");
  shape.block = {128};
  EXPECT_EQ(occupancy_of(h200, shape, resources).blocks, 16);
}

TEST(Occupancy, LeavesOutWhatIsUnknownAndSaysSo) {
  const Machine h200 = load_machine("h200");
  LaunchShape shape{.kernel = "k", .grid = {8}, .block = {128}};
  const Occupancy unknown = occupancy_of(h200, shape, {});
  EXPECT_FALSE(limit(unknown, "shared memory").blocks);
  ASSERT_EQ(unknown.caveats.size(), 1u);
  EXPECT_EQ(unknown.caveats[0].what, "the occupancy leaves registers and static shared memory out");
  shape.dynamic_shared = 100 * 1024;  // the least it takes
  EXPECT_EQ(occupancy_of(h200, shape, {}).blocks, 2);
}

TEST(Occupancy, OfABlockThatTakes48KibOnA6000IsTwoBlocks) {
  EXPECT_EQ(occupancy(load_machine("a6000"), {128, 16, 48 * 1024, 0, {}}).blocks, 2);
}

// Compiler reports for blocks of 128 threads: sm_20, then sm_35. (The source calls the first 25 %.)
TEST(Occupancy, OfThe11264ByteKernelIsFourBlocksOnFermiAndKepler) {
  Occupancy fermi = occupancy(load_machine("gtx480"), {128, 63, 11264, 0, {}});
  EXPECT_EQ(fermi.blocks, 4);
  EXPECT_EQ(limit(fermi, "registers").blocks, 4);
  EXPECT_EQ(limit(fermi, "shared memory").blocks, 4);
  EXPECT_NEAR(fermi.fraction, 4 * 128 / 1536.0, 1e-12);
  Occupancy kepler = occupancy(load_machine("k40"), {128, 80, 11264, 0, {}});
  EXPECT_EQ(kepler.blocks, 4);
  EXPECT_EQ(kepler.limiters, Limiters{"shared memory"});
  EXPECT_EQ(kepler.fraction, 0.25);
}

TEST(Occupancy, OfTheSmallerGrainIsFiveBlocksOnFermiAndEightOnKepler) {
  Occupancy fermi = occupancy(load_machine("gtx480"), {128, 48, 6144, 0, {}});
  EXPECT_EQ(fermi.blocks, 5);
  EXPECT_EQ(fermi.limiters, Limiters{"registers"});
  EXPECT_EQ(5 * 128 * 48, 30720);
  Occupancy kepler = occupancy(load_machine("k40"), {128, 48, 6144, 0, {}});
  EXPECT_EQ(kepler.blocks, 8);
  EXPECT_EQ(kepler.limiters, Limiters{"shared memory"});
}

TEST(Occupancy, WithLaunchBoundsOf128And7IsSevenBlocksByRegistersOnFermi) {
  EXPECT_EQ(limit(occupancy(load_machine("gtx480"), {128, 36, 0, 0, {}}), "registers").blocks, 7);
}

TEST(Occupancy, FallsToHalfAt63RegistersOnSm30AndToAnEighthAt255OnSm35) {
  EXPECT_EQ(occupancy(load_machine("gtx680"), {256, 63, 0, 0, {}}).fraction, 0.5);
  EXPECT_EQ(occupancy(load_machine("k40"), {256, 255, 0, 0, {}}).fraction, 0.125);
}

TEST(Occupancy, NeedsBlocksOf128ThreadsOnKepler) {
  Occupancy result = occupancy(load_machine("k40"), {64, 32, 0, 0, {}});
  EXPECT_EQ(result.fraction, 0.5);
  EXPECT_EQ(result.limiters, Limiters{"blocks"});
  EXPECT_EQ(limit(result, "blocks").relief, "threads ≥ 128");
  EXPECT_EQ(limit(result, "blocks").relief_fraction, 1);
}

TEST(Occupancy, OfEightStagedValuesPerThreadIsAtMost1536ThreadsOnKepler) {
  EXPECT_EQ(occupancy(load_machine("k40"), {128, 32, 128 * 8 * 4, 0, {}}).warps * 32, 1536);
}

// CUBLAS 1.1 and 2.0 on G80: 512 threads at 67 %, 64 threads at 33 %. The source names no
// registers.
TEST(Occupancy, OfVolkovsSgemmsOnG80) {
  Occupancy old_version = occupancy(load_machine("g80"), {512, 16, 0, 0, {}});
  EXPECT_NEAR(old_version.fraction, 0.67, 0.01);
  Occupancy new_version = occupancy(load_machine("g80"), {64, 30, 0, 0, {}});
  EXPECT_NEAR(new_version.fraction, 0.33, 0.01);
}

TEST(Occupancy, AllocatesRegistersToWholeBlocksBeforeFermi) {
  // Three warps count as four, and the sum is rounded up to 512: floor(16384 / 2560) = 6.
  Occupancy result = occupancy(load_machine("gt200"), {96, 20, 0, 0, {}});
  EXPECT_EQ(limit(result, "registers").blocks, 6);
  EXPECT_EQ(limit(result, "registers").arithmetic, "16384 / ceil(4 warps · 32 · 20, 512) = 6");
}

TEST(Occupancy, SaysWhatTheLeastChangeOfEachLimiterWouldGive) {
  Occupancy result = occupancy(load_machine("h200"), {256, 64, 0, 0, {}});
  EXPECT_EQ(result.blocks, 4);
  EXPECT_EQ(result.limiters, Limiters{"registers"});
  EXPECT_EQ(limit(result, "registers").relief, "registers ≤ 48");
  EXPECT_EQ(limit(result, "registers").relief_blocks, 5);
  EXPECT_EQ(limit(result, "threads").relief, "");
  // Alone it does not help where another resource binds as well.
  Occupancy tile = occupancy(load_machine("a6000"), {1024, 37, 8192, 0, {}});
  EXPECT_EQ(limit(tile, "registers").relief, "registers ≤ 32");
  EXPECT_EQ(limit(tile, "registers").relief_blocks, 1);
  EXPECT_EQ(limit(tile, "threads").relief, "threads ≤ 768");
  EXPECT_EQ(limit(tile, "threads").relief_blocks, 2);
  EXPECT_EQ(limit(tile, "threads").relief_fraction, 1);
}

TEST(Occupancy, ReliefIsTheLeastChange) {
  const Machine t4 = load_machine("t4");
  for (int registers = 33; registers <= 255; registers += 6)
    for (uint64_t shared : {0, 5000, 20000, 33000}) {
      BlockShape shape{128, registers, shared, 0, {}};
      Occupancy result = occupancy(t4, shape);
      const OccupancyLimit& by_registers = limit(result, "registers");
      if (!by_registers.relief.empty()) {
        int most = std::stoi(by_registers.relief.substr(by_registers.relief.rfind(' ')));
        auto blocks_with = [&](int value) {
          return *limit(occupancy(t4, {128, value, shared, 0, {}}), "registers").blocks;
        };
        EXPECT_GT(blocks_with(most), result.blocks);
        EXPECT_EQ(blocks_with(most + 1), result.blocks);
      }
      const OccupancyLimit& by_shared = limit(result, "shared memory");
      if (!by_shared.relief.empty()) {
        uint64_t most = std::stoull(by_shared.relief.substr(by_shared.relief.find("≤ ") + 4));
        auto blocks_with = [&](uint64_t value) {
          return *limit(occupancy(t4, {128, registers, value, 0, {}}), "shared memory").blocks;
        };
        EXPECT_GT(blocks_with(most), result.blocks);
        EXPECT_EQ(blocks_with(most + 1), result.blocks);
      }
    }
}

TEST(Occupancy, SaysWhyNoBlockCanRun) {
  const Machine h200 = load_machine("h200");
  EXPECT_EQ(occupancy(h200, {1100, 32, 0, 0, {}}).impossible,
            "1100 threads per block, the machine allows 1024");
  EXPECT_EQ(occupancy(h200, {0, 32, 0, 0, {}}).impossible,
            "0 threads per block, a block needs at least 1");
  EXPECT_EQ(occupancy(h200, {32, 256, 0, 0, {}}).impossible,
            "256 registers per thread, the machine allows 255");
  EXPECT_EQ(occupancy(h200, {1024, 72, 0, 0, {}}).impossible,
            "1024 threads of 72 registers take 73728 registers, a block may have 65536");
  EXPECT_EQ(occupancy(h200, {32, 32, 0, 300000, {}}).impossible,
            "300000 bytes of shared memory per block, the machine allows 232448");
  EXPECT_EQ(occupancy(h200, {1024, 72, 0, 0, {}}).blocks, 0);
  EXPECT_EQ(occupancy(load_machine("g80"), {512, 20, 0, 0, {}}).impossible,
            "10240 registers per block, the machine has 8192");
}

TEST(Occupancy, ReservesAKibibytePerBlockFromAmpereOn) {
  EXPECT_EQ(
      limit(occupancy(load_machine("h200"), {32, 32, 7 * 1024, 0, {}}), "shared memory").blocks,
      228 / 8);
  EXPECT_EQ(
      limit(occupancy(load_machine("v100"), {32, 32, 8 * 1024, 0, {}}), "shared memory").blocks,
      96 / 8);
}

TEST(Occupancy, OfAPreferredCarveOutIsLimitedByIt) {
  const Machine v100 = load_machine("v100");
  EXPECT_EQ(occupancy(v100, {128, 32, 8192, 0, 32.0}).blocks, 4);
  EXPECT_EQ(occupancy(v100, {128, 32, 8192, 0, 40.0}).blocks, 8);  // rounded up to 64 KiB
  EXPECT_EQ(occupancy(v100, {128, 32, 40960, 0, 8.0}).blocks, 1);  // the next that holds one block
  EXPECT_EQ(occupancy(load_machine("gtx480"), {128, 20, 8192, 0, 16.0}).blocks, 2);
}

TEST(Occupancy, OfAbsurdNumbersIsImpossibleAndNoOverflow) {
  const Machine h200 = load_machine("h200");
  constexpr int large = std::numeric_limits<int>::max();
  constexpr uint64_t huge = std::numeric_limits<uint64_t>::max();
  for (int threads : {-large, -1, 0, 1, large})
    for (int registers : {-1, 0, 1, 256, large})
      for (uint64_t shared : {uint64_t(0), huge / 2, huge})
        for (double carveout : {-1e300, 0.0, 1e300, std::nan("")}) {
          Occupancy result = occupancy(h200, {threads, registers, shared, shared, carveout});
          EXPECT_EQ(result.blocks == 0, !result.impossible.empty());
          EXPECT_TRUE(result.blocks == 0 || (threads == 1 && shared == 0));
        }
}

TEST(Occupancy, WithUnknownRegistersLeavesThemOutAndSaysSo) {
  Occupancy result = occupancy(load_machine("h200"), {256, std::nullopt, 0, 0, {}});
  EXPECT_EQ(result.blocks, 8);
  EXPECT_FALSE(limit(result, "registers").blocks);
  ASSERT_EQ(result.caveats.size(), 1u);
}

TEST(PotentialBlock, IsTheLargestBlockThatFillsTheMachine) {
  PotentialBlock block = max_potential_block(load_machine("h200"), {0, 32, 0, 0, {}}, nullptr, 0);
  EXPECT_EQ(block.threads, 1024);
  EXPECT_EQ(block.min_grid, 2 * 132);
  EXPECT_EQ(max_potential_block(load_machine("a6000"), {0, 32, 0, 0, {}}, nullptr, 0).threads, 768);
  EXPECT_EQ(max_potential_block(load_machine("h200"), {0, 300, 0, 0, {}}, nullptr, 0).threads, 0);
}

}  // namespace
}  // namespace headroom
