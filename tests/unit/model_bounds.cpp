// Floors: their arithmetic, which of them may be the limiter, and what they say when a fact is
// missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/bounds.h"

namespace headroom {
namespace {

LaunchRecord launch(unsigned blocks, const Counters& counters) {
  LaunchRecord record;
  record.shape.grid = {blocks, 1, 1};
  record.shape.block = {256, 1, 1};
  record.counters = counters;
  record.resources.accesses_kept = true;
  return record;
}

Bounds on(const char* machine, unsigned blocks, const Counters& counters) {
  Machine facts = load_machine(machine);
  return bound(facts, launch(blocks, counters), occupancy(facts, {256, 32, 0, 0, {}}));
}

const Floor& floor_of(const Bounds& bounds, const std::string& resource) {
  for (const Floor& floor : bounds.floors)
    if (name_of(floor.resource) == resource) return floor;
  throw std::out_of_range("no floor " + resource);
}
bool has(const Bounds& bounds, const std::string& resource) {
  return std::any_of(bounds.floors.begin(), bounds.floors.end(),
                     [&](auto& floor) { return name_of(floor.resource) == resource; });
}

// y = a x + y over n floats, 132 · 2^k blocks.
Counters axpy(uint64_t n) {
  Counters counters{};
  counters.warp_instructions = n / 32 * 12;
  counters.thread_instructions = n * 12;
  counters.fp32_instructions = n / 32;
  counters.fp32_operations = n * 2;
  counters.integer_instructions = n / 32 * 6;
  counters.global_load_requests = n / 32 * 2;
  counters.global_load_sectors = n / 8 * 2;
  counters.global_store_requests = n / 32;
  counters.global_store_sectors = n / 8;
  counters.global_load_bytes = n * 8;
  counters.global_store_bytes = n * 4;
  counters.unique_load_sectors = n / 8 * 2;
  counters.unique_store_sectors = n / 8;
  counters.unique_sectors = n / 8 * 2;
  return counters;
}

TEST(Resources, HaveARowEachWhoseNamesDiffer) {
  std::set<std::string_view> names, titles;
  for (const ResourceRow& row : resource_rows()) {
    EXPECT_EQ(&row_of(row.resource), &row);
    names.insert(row.name);
    titles.insert(row.title);
    EXPECT_FALSE(row.unit.empty()) << row.name;
  }
  EXPECT_EQ(names.size(), resource_rows().size());
  EXPECT_EQ(titles.size(), resource_rows().size());
  EXPECT_EQ(title_of(Resource::l1), "L1/TEX");
}

TEST(Bounds, OfAStreamingKernelAreDramAtTheCostOfItsUniqueBytes) {
  uint64_t n = 1 << 26;
  Bounds bounds = on("h200", 132 * 1024, axpy(n));
  ASSERT_EQ(bounds.limiter, 0);
  EXPECT_EQ(bounds.floors[0].resource, Resource::dram_cold);
  EXPECT_NEAR(bounds.seconds, n * 12 / 4815e9, 1e-9);
  EXPECT_EQ(bounds.floors[0].equation, "805 MB / 4815 GB/s = 167 µs");
  EXPECT_FALSE(bounds.fits_l2);
  EXPECT_EQ(bounds.unique_bytes, n * 12.0);
  EXPECT_EQ(bounds.useful_bytes, n * 12.0);
  EXPECT_EQ(bounds.moved_bytes, n * 12.0);
  EXPECT_NEAR(bounds.arithmetic_intensity, 2 / 12.0, 1e-12);
  EXPECT_NEAR(bounds.machine_balance, 132 * 128 * 2 * 1.98e9 / 4815e9, 1e-9);
  EXPECT_TRUE(bounds.memory_side);
}

TEST(Bounds, OfDataThatFitL2LeaveDramOutOfTheLimiter) {
  uint64_t n = 1 << 20;
  Bounds bounds = on("h200", 132 * 32, axpy(n));
  EXPECT_TRUE(bounds.fits_l2);
  EXPECT_FALSE(floor_of(bounds, "dram cold").certain);
  EXPECT_EQ(floor_of(bounds, "dram hot").seconds, 0);
  EXPECT_EQ(floor_of(bounds, "dram hot").equation,
            "0 B / 4815 GB/s = 0 µs, the 8 MiB touched fit the L2 of 60 MiB");
  EXPECT_EQ(bounds.floors[bounds.limiter].resource, Resource::l2);
  EXPECT_GT(floor_of(bounds, "dram cold").seconds, bounds.seconds);
}

TEST(Bounds, OfDataLittleLargerThanL2SayThatAWarmL2MaySaveSome) {
  uint64_t n = 10 << 20;  // 80 MiB touched
  Bounds bounds = on("h200", 132 * 1024, axpy(n));
  EXPECT_EQ(bounds.floors[0].resource, Resource::dram_cold);
  EXPECT_FALSE(floor_of(bounds, "dram hot").certain);
  EXPECT_LT(floor_of(bounds, "dram hot").seconds, bounds.seconds);
  ASSERT_FALSE(bounds.caveats.empty());
  EXPECT_FALSE(has(on("h200", 132 * 1024, axpy(1 << 28)), "dram hot"));
}

TEST(Bounds, OnAMachineWithoutL2HaveNoHotFloor) {
  Bounds bounds = on("g80", 1600, axpy(1 << 12));
  EXPECT_FALSE(bounds.fits_l2);
  EXPECT_EQ(bounds.floors[0].resource, Resource::dram_cold);
}

TEST(Bounds, CountOnlyTheSmsThatHaveABlock) {
  Counters counters{};
  counters.warp_instructions = 1'000'000;
  Bounds full = on("h200", 132, counters), one = on("h200", 1, counters),
         many = on("h200", 1320, counters);
  EXPECT_NEAR(one.seconds, 1e6 / (4 * 1.98e9), 1e-12);
  EXPECT_NEAR(full.seconds, one.seconds / 132, 1e-12);
  EXPECT_EQ(full.seconds, many.seconds);
  EXPECT_EQ(one.floors[0].equation,
            "1 M warp instructions / (1 SM · 4 per clk · 1.98 GHz) = 126 µs");
  EXPECT_EQ(one.caveats.at(0).what, "1 of 132 SMs has a block");
  EXPECT_TRUE(full.caveats.empty());
}

TEST(Bounds, MentionATailThatLeavesSmsIdle) {
  Counters counters{};
  counters.warp_instructions = 1'000'000;
  Bounds bounds = on("h200", 140, counters);
  ASSERT_EQ(bounds.caveats.size(), 1u);
  EXPECT_EQ(bounds.caveats[0].what,
            "the last blocks leave SMs idle: the busiest has 2 blocks, the average is 1.06");
}

TEST(Bounds, OfSharedMemoryAreWavefrontsOf128Bytes) {
  Counters counters{};
  counters.shared_load_wavefronts = 3'000'000;
  counters.shared_store_wavefronts = 1'000'000;
  EXPECT_NEAR(floor_of(on("h200", 132, counters), "shared").seconds, 4e6 / 132 / 1.98e9, 1e-12);
  EXPECT_NEAR(floor_of(on("t4", 40, counters), "shared").seconds, 2 * 4e6 / 40 / 1.59e9, 1e-12);
}

TEST(Bounds, OfPipesAreEstimatesAndOfMemoryExact) {
  Bounds bounds = on("h200", 1320, axpy(1 << 24));
  for (const char* resource : {"issue", "fp32", "integer"})
    EXPECT_EQ(floor_of(bounds, resource).basis, Basis::estimate);
  for (const char* resource : {"load/store", "l1", "l2", "dram cold"})
    EXPECT_EQ(floor_of(bounds, resource).basis, Basis::exact) << resource;
}

TEST(Bounds, OfAccessesThatMachineCodeJoinsOrHidesAreEstimates) {
  const Machine h200 = load_machine("h200");
  LaunchRecord record = launch(1320, axpy(1 << 24));
  for (const std::optional<bool> kept : {std::optional(false), std::optional<bool>{}}) {
    record.resources.accesses_kept = kept;
    const Bounds bounds = bound(h200, record, occupancy(h200, {256, 32, 0, 0, {}}));
    for (const char* resource : {"load/store", "l1"}) {
      const Floor& floor = floor_of(bounds, resource);
      EXPECT_EQ(floor.basis, Basis::estimate) << resource;
      EXPECT_TRUE(
          floor.equation.ends_with(kept ? ", but ptxas merges or eliminates accesses of this kernel"
                                        : ", if machine code, which was not read, keeps the "
                                          "accesses"))
          << floor.equation;
    }
    for (const char* resource : {"l2", "dram cold"})  // bytes, however they are asked for
      EXPECT_EQ(floor_of(bounds, resource).basis, Basis::exact) << resource;
  }
}

TEST(Bounds, OfL2CountBulkCopiesAsTheyCountLoadsAndStores) {
  Counters by_threads{}, in_bulk{};
  by_threads.global_load_sectors = in_bulk.bulk_load_sectors = 1'000'000;
  by_threads.global_store_sectors = in_bulk.bulk_store_sectors = 1'000'000;
  for (Counters* counters : {&by_threads, &in_bulk})
    counters->unique_load_sectors = counters->unique_store_sectors = 1'000'000;
  EXPECT_EQ(floor_of(on("h200", 132, in_bulk), "l2").seconds,
            floor_of(on("h200", 132, by_threads), "l2").seconds);
  EXPECT_FALSE(has(on("h200", 132, in_bulk), "l1"));
}

TEST(Bounds, OfOperationsHoldHoweverTheyAreMadeIntoInstructions) {
  Counters counters{};
  counters.fp32_instructions = 2'000'000;  // a multiplication and an addition that ptxas may join
  counters.fp32_operations = 64'000'000;
  const Bounds bounds = on("h200", 132, counters);
  const Floor &instructions = floor_of(bounds, "fp32"),
              &operations = floor_of(bounds, "fp32 operations");
  EXPECT_EQ(instructions.basis, Basis::estimate);
  EXPECT_EQ(operations.basis, Basis::exact);
  EXPECT_NEAR(operations.seconds, instructions.seconds / 2, 1e-15);
  EXPECT_EQ(
      operations.equation,
      "64 M operations / (132 SMs · 256 per clk · 1.98 GHz) = 0.957 µs, if ptxas eliminates none");
  counters.special_instructions = 250'000;  // run beside the lanes
  EXPECT_NEAR(floor_of(on("h200", 132, counters), "fp32 operations").seconds,
              operations.seconds * 3 / 4, 1e-15);
  EXPECT_EQ(bounds.floors[bounds.certain_limiter].resource, Resource::fp32_operations);
}

TEST(Bounds, SayThatTheyLeaveOutTensorCores) {
  Counters counters{};
  counters.tensor_operations = 4096;
  EXPECT_EQ(on("h200", 132, counters).caveats.at(0).what,
            "products on tensor cores are in no floor");
}

TEST(Bounds, TakeMovesOffWhatIsIssued) {
  Counters counters{};
  counters.warp_instructions = 1'250'000;
  counters.move_instructions = 250'000;
  Bounds bounds = on("h200", 132, counters);
  EXPECT_NEAR(bounds.seconds, 1e6 / 132 / (4 * 1.98e9), 1e-12);
  EXPECT_EQ(
      bounds.floors[0].equation,
      "(1.25 M − 250 k moves) warp instructions / (132 SMs · 4 per clk · 1.98 GHz) = 0.957 µs");
}

TEST(Bounds, NameTheLargestBesideTheLargestThatIsNoEstimate) {
  Counters counters = axpy(1 << 26);
  counters.warp_instructions *= 100;
  Bounds bounds = on("h200", 132 * 1024, counters);
  EXPECT_EQ(bounds.floors[bounds.limiter].resource, Resource::issue);
  ASSERT_GE(bounds.certain_limiter, 0);
  EXPECT_EQ(bounds.floors[bounds.certain_limiter].resource, Resource::dram_cold);
  EXPECT_LT(bounds.certain_seconds, bounds.seconds);
  Counters only_instructions{};
  only_instructions.warp_instructions = 5;
  EXPECT_EQ(on("h200", 132, only_instructions).certain_limiter, -1);
}

TEST(Bounds, OfLocalAccessesAreEstimatesBesideThoseWithout) {
  Counters counters{};
  counters.global_load_requests = 1'000'000;
  counters.global_load_sectors = 4'000'000;
  EXPECT_FALSE(has(on("h200", 132, counters), "l1 with local"));
  counters.local_load_requests = 1'000'000;
  counters.local_load_sectors = 4'000'000;
  Bounds bounds = on("h200", 132, counters);
  for (std::string resource : {"load/store", "l1"}) {
    const Floor& without = floor_of(bounds, resource);
    const Floor& with = floor_of(bounds, resource + " with local");
    EXPECT_EQ(without.basis, Basis::exact);
    EXPECT_EQ(with.basis, Basis::estimate);
    EXPECT_NEAR(with.seconds, 2 * without.seconds, 1e-15);
  }
}

TEST(Bounds, SayThatTheyLeaveOutWhatAtomicsWaitFor) {
  Counters counters{};
  counters.shared_atomic_instructions = 10;
  EXPECT_EQ(on("h200", 132, counters).caveats.at(0).what,
            "shared atomics are in no floor but as one request each");
  counters = {};
  counters.atomic_requests = 10;
  EXPECT_EQ(on("h200", 132, counters).caveats.at(0).what,
            "of global atomics only requests and sectors are counted");
}

TEST(Bounds, OfEachPipeFollowItsRate) {
  Counters counters{};
  counters.fp32_instructions = counters.fp64_instructions = counters.fp16_instructions = 1'000'000;
  counters.special_instructions = counters.integer_instructions = 1'000'000;
  Bounds bounds = on("h200", 132, counters);
  double clocks = 1e6 * 32 / 132 / 1.98e9;
  EXPECT_NEAR(floor_of(bounds, "fp32").seconds, clocks / 128, 1e-12);
  EXPECT_NEAR(floor_of(bounds, "fp64").seconds, clocks / 64, 1e-12);
  EXPECT_NEAR(floor_of(bounds, "fp16").seconds, clocks / 128, 1e-12);
  EXPECT_NEAR(floor_of(bounds, "special").seconds, clocks / 16, 1e-12);
  EXPECT_NEAR(floor_of(bounds, "integer").seconds, clocks / 128,
              1e-12);  // 64 + FP32 lanes, at most the issue rate
}

TEST(Bounds, OfLoadsThatL1MayFilterAreConditional) {
  Counters counters{};
  counters.global_load_requests = 1'000'000;
  counters.global_load_sectors = 4'000'000;  // a tile, read over and over
  counters.unique_load_sectors = counters.unique_sectors = 1'000;
  Bounds bounds = on("h200", 132, counters);
  EXPECT_NEAR(floor_of(bounds, "l2").seconds, 1e3 * 32 / 12612e9, 1e-15);
  EXPECT_NEAR(floor_of(bounds, "l2 without l1").seconds, 4e6 * 32 / 12612e9, 1e-12);
  EXPECT_FALSE(floor_of(bounds, "l2 without l1").certain);
  EXPECT_EQ(bounds.floors[bounds.limiter].resource, Resource::l1);
}

TEST(Bounds, CountTheSectorsOfAtomicsOnceForL2) {
  Counters counters{};
  counters.global_load_requests = 1'000;
  counters.global_load_sectors = 4'000;
  counters.atomic_requests = 32'000;
  counters.atomic_sectors = 1'000'000;
  counters.unique_load_sectors = 1'004'000;  // an atomic reads and writes its sector
  counters.unique_store_sectors = 1'000'000;
  counters.unique_sectors = 1'004'000;
  EXPECT_NEAR(floor_of(on("h200", 132, counters), "l2").seconds, 1.004e6 * 32 / 12612e9, 1e-12);
}

TEST(Bounds, OfL2HoldTheSectorsThatAreOnlyReadBesideAtomics) {
  Counters counters{};
  counters.global_load_sectors = 8'000;
  counters.atomic_sectors = 16'000;  // to 32 sectors, again and again
  counters.unique_load_sectors = counters.unique_sectors = 8'032;
  counters.unique_store_sectors = 32;
  EXPECT_NEAR(floor_of(on("h200", 132, counters), "l2").seconds, 24e3 * 32 / 12612e9, 1e-12);
}

TEST(Bounds, SayThatMemoryOfTheHostIsInNoFloor) {
  const auto said = [](const Bounds& bounds) {
    return std::ranges::any_of(bounds.caveats, [](const Caveat& caveat) {
      return caveat.what.starts_with("memory of the host");
    });
  };
  Counters counters{};
  counters.global_load_requests = 1'000;
  counters.global_load_sectors = 4'000;
  EXPECT_FALSE(said(on("h200", 132, counters)));
  counters.host_load_sectors = 4'000;
  EXPECT_TRUE(said(on("h200", 132, counters)));
}

TEST(Bounds, ListWhatTheyCannotTellAndGuessNothing) {
  Counters counters = axpy(1 << 20);
  counters.fp16_instructions = 5;
  Bounds bounds = on("gtx480", 1600, counters);
  EXPECT_EQ(bounds.unknown, (std::vector<Resource>{Resource::fp16, Resource::l1, Resource::l2}));
  const auto said = std::ranges::find_if(bounds.caveats, [](const Caveat& each) {
    return each.what == "no floor for FP16, L1/TEX, L2, which may be the largest";
  });
  EXPECT_NE(said, bounds.caveats.end());
  EXPECT_FALSE(has(bounds, "l1"));
  Machine blank = load_machine("h200");
  blank.dram_bandwidth.value.reset();
  blank.l2_size.value.reset();
  Bounds blind = bound(blank, launch(132, axpy(1 << 20)), {});
  EXPECT_EQ(blind.unknown, std::vector<Resource>{Resource::dram});
  EXPECT_EQ(blind.machine_balance, 0);
}

// A G80 has neither cache: nothing about them is unknown.
TEST(Bounds, AreSilentAboutCachesThatAMachineDoesNotHave) {
  EXPECT_EQ(on("g80", 1600, axpy(1 << 20)).unknown, std::vector<Resource>{});
}

TEST(Bounds, OfALaunchThatDidNothingAreNone) {
  Bounds bounds = on("h200", 132, Counters{});
  EXPECT_EQ(bounds.limiter, -1);
  EXPECT_TRUE(bounds.floors.empty());
  EXPECT_EQ(bounds.seconds, 0);
}

TEST(Bounds, PutTheLimiterFirstAndConditionalFloorsLast) {
  for (uint64_t n : {1 << 10, 1 << 20, 1 << 23, 1 << 26})
    for (const std::string& name : machine_names()) {
      Bounds bounds = on(name.c_str(), 4000, axpy(n));
      ASSERT_EQ(bounds.limiter, 0);
      EXPECT_TRUE(bounds.floors[0].certain);
      for (size_t i = 1; i < bounds.floors.size(); ++i) {
        EXPECT_GE(bounds.floors[i - 1].certain, bounds.floors[i].certain);
        EXPECT_TRUE(!bounds.floors[i].certain || bounds.floors[i].seconds <= bounds.seconds);
      }
    }
}

}  // namespace
}  // namespace headroom
