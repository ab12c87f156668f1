// Occupancy against NVIDIA's own cuda_occupancy.h, for every compute capability it knows: blocks
// per SM, each of its limits, the limiting factors, and the block size it would suggest.
#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

#include "fewer.h"
#include "model/occupancy.h"

namespace headroom {
namespace {

// Limits per compute capability (CUDA C++ Programming Guide, technical specifications), for the
// ones no shipped machine has. Shared memory in KiB.
struct Capability {
  double version;
  int threads, blocks, registers, registers_per_block, shared, shared_per_block;
  std::vector<double> carveouts;
};
const std::vector<double> ampere_small = {0, 8, 16, 32, 64, 100};
const std::vector<double> ampere_large = {0, 8, 16, 32, 64, 100, 132, 164};
const std::vector<double> hopper = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
const Capability capabilities[] = {
    {3.2, 2048, 16, 65536, 32768, 48, 48, {16, 32, 48}},
    {3.7, 2048, 16, 131072, 65536, 112, 48, {80, 96, 112}},
    {5.0, 2048, 32, 65536, 65536, 64, 48, {64}},
    {5.3, 2048, 32, 65536, 32768, 64, 48, {64}},
    {6.1, 2048, 32, 65536, 65536, 96, 48, {96}},
    {6.2, 2048, 32, 65536, 32768, 64, 48, {64}},
    {7.2, 2048, 32, 65536, 65536, 96, 96, {0, 8, 16, 32, 64, 96}},
    {8.7, 1536, 16, 65536, 65536, 164, 163, ampere_large},
    {10.1, 1536, 24, 65536, 65536, 228, 227, hopper},
    {10.3, 2048, 32, 65536, 65536, 228, 227, hopper},
    {11.0, 1536, 24, 65536, 65536, 228, 227, hopper},
    {12.1, 1536, 24, 65536, 65536, 100, 99, ampere_small},
};

Machine machine_of(const Capability& capability) {
  Machine machine = load_machine("t4");
  machine.name = "sm_" + std::to_string(int(capability.version * 10 + 0.5));
  machine.compute_capability.value = capability.version;
  machine.max_threads_per_sm.value = capability.threads;
  machine.max_warps_per_sm.value = capability.threads / 32;
  machine.max_blocks_per_sm.value = capability.blocks;
  machine.registers_per_sm.value = capability.registers;
  machine.registers_per_block.value = capability.registers_per_block;
  machine.shared_per_sm.value = capability.shared;
  machine.shared_per_block.value = capability.shared_per_block;
  machine.shared_carveouts = capability.carveouts;
  machine.shared_allocation_unit.value = capability.version < 8 ? 256 : 128;
  machine.shared_reserved_per_block.value = capability.version < 8 ? 0 : 1024;
  return machine;
}

std::vector<Machine> machines() {
  std::vector<Machine> all;
  for (const std::string& name : machine_names())
    if (Machine machine = load_machine(name); machine.cc() >= 30) all.push_back(machine);
  for (const Capability& capability : capabilities) all.push_back(machine_of(capability));
  // The header gives all of 3.x the 255 registers of 3.5; sm_30 encodes 63.
  all.front().max_registers_per_thread.value = 255;
  return all;
}

cudaOccDeviceProp properties_of(const Machine& machine) {
  cudaOccDeviceProp properties;
  properties.computeMajor = machine.cc_major();
  properties.computeMinor = machine.cc_minor();
  properties.maxThreadsPerBlock = int(*machine.max_threads_per_block);
  properties.maxThreadsPerMultiprocessor = int(*machine.max_threads_per_sm);
  properties.regsPerBlock = int(machine.registers_per_block.value_or(*machine.registers_per_sm));
  properties.regsPerMultiprocessor = int(*machine.registers_per_sm);
  properties.warpSize = 32;
  properties.sharedMemPerBlock = 48 * 1024;
  properties.sharedMemPerMultiprocessor = size_t(*machine.shared_per_sm) * 1024;
  properties.sharedMemPerBlockOptin = size_t(*machine.shared_per_block) * 1024;
  properties.reservedSharedMemPerBlock = size_t(*machine.shared_reserved_per_block);
  properties.numSms = int(*machine.sm_count);
  return properties;
}

// The kernel has asked for all the shared memory a block may have.
cudaOccFuncAttributes attributes_of(const BlockShape& shape) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = 1024;
  attributes.numRegs = *shape.registers;
  attributes.sharedSizeBytes = shape.static_shared;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = INT_MAX / 2;
  attributes.numBlockBarriers = 1;
  return attributes;
}

// A carve-out preference as the header takes it (percent, or the old cache setting) and as we do
// (KiB).
struct Preference {
  cudaOccDeviceState state;
  std::optional<double> carveout;
};
Preference preference(const Machine& machine, int choice) {
  Preference result;
  if (choice < 0) return result;
  if (machine.cc_major() >= 7) {
    result.state.carveoutConfig = choice;
    result.carveout = double(size_t(choice * *machine.shared_per_sm * 1024) / 100) / 1024;
  } else if (machine.cc_major() == 3) {
    const cudaOccCacheConfig settings[] = {CACHE_PREFER_L1, CACHE_PREFER_EQUAL,
                                           CACHE_PREFER_SHARED};
    result.state.cacheConfig = settings[choice % 3];
    result.carveout = machine.shared_carveouts[choice % 3];
  }
  return result;
}

std::string described(const Machine& machine, const BlockShape& shape) {
  return machine.name + ": " + std::to_string(shape.threads) + " threads, " +
         std::to_string(*shape.registers) + " registers, " + std::to_string(shape.static_shared) +
         " + " + std::to_string(shape.dynamic_shared) + " B, carve-out " +
         std::to_string(shape.carveout.value_or(-1));
}

int limit_of(const Occupancy& result, const std::string& resource) {
  for (const OccupancyLimit& limit : result.limits)
    if (limit.resource == resource) return limit.blocks.value_or(INT_MAX);
  return -1;
}

bool limits_by(const Occupancy& result, const std::string& resource) {
  return std::count(result.limiters.begin(), result.limiters.end(), resource) > 0;
}

uint64_t compared = 0;

// True when both agree; reports what differs. (At 256 registers they do not: the header allows them
// from 7.0 on, the instruction set names 255.)
bool agree(const Machine& machine, BlockShape shape, int choice) {
  ++compared;
  Preference preferred = preference(machine, choice);
  shape.carveout = preferred.carveout;
  cudaOccDeviceProp properties = properties_of(machine);
  cudaOccFuncAttributes attributes = attributes_of(shape);
  cudaOccResult theirs;
  cudaOccError status = cudaOccMaxActiveBlocksPerMultiprocessor(
      &theirs, &properties, &attributes, &preferred.state, shape.threads, shape.dynamic_shared);
  Occupancy ours = occupancy(machine, shape);
  EXPECT_EQ(status, CUDA_OCC_SUCCESS) << described(machine, shape);
  EXPECT_EQ(ours.blocks, theirs.activeBlocksPerMultiprocessor) << described(machine, shape);
  EXPECT_EQ(ours.blocks == 0, !ours.impossible.empty()) << described(machine, shape);
  EXPECT_EQ(limit_of(ours, "registers"), theirs.blockLimitRegs) << described(machine, shape);
  EXPECT_EQ(limit_of(ours, "shared memory"), theirs.blockLimitSharedMem)
      << described(machine, shape);
  EXPECT_EQ(limit_of(ours, "blocks"), theirs.blockLimitBlocks) << described(machine, shape);
  // Theirs is one limit for warps and for the size of a block; ours tells the two apart.
  EXPECT_EQ(std::min(limit_of(ours, "warps"), limit_of(ours, "threads")), theirs.blockLimitWarps)
      << described(machine, shape);
  EXPECT_EQ(limits_by(ours, "registers"), bool(theirs.limitingFactors & OCC_LIMIT_REGISTERS))
      << described(machine, shape);
  EXPECT_EQ(limits_by(ours, "shared memory"),
            bool(theirs.limitingFactors & OCC_LIMIT_SHARED_MEMORY))
      << described(machine, shape);
  EXPECT_EQ(limits_by(ours, "blocks"), bool(theirs.limitingFactors & OCC_LIMIT_BLOCKS))
      << described(machine, shape);
  EXPECT_EQ(limits_by(ours, "warps") || limits_by(ours, "threads"),
            bool(theirs.limitingFactors & OCC_LIMIT_WARPS))
      << described(machine, shape);
  return !testing::Test::HasFailure();
}

TEST(OccupancyTwin, CoversEveryCapabilityTheHeaderKnows) {
  std::set<int> versions;
  for (const Machine& machine : machines()) versions.insert(machine.cc());
  EXPECT_EQ(versions, (std::set<int>{30, 32, 35, 37, 50, 52, 53,  60,  61,  62,  70,  72,
                                     75, 80, 86, 87, 89, 90, 100, 101, 103, 110, 120, 121}));
}

TEST(OccupancyTwin, AgreesForEveryThreadCountAndEveryRegisterCount) {
  for (const Machine& machine : machines())
    for (int threads = 1; threads <= 1056; threads += threads < fewer(130) ? 1 : 31)
      for (int registers = 0; registers <= 255; registers += registers % 8 == 0 ? 1 : 7)
        if (!agree(machine, {threads, registers, 0, 0, {}}, -1)) return;
}

TEST(OccupancyTwin, AgreesAtEveryEdgeOfSharedMemory) {
  for (const Machine& machine : machines()) {
    std::set<uint64_t> sizes = {0, 1};
    uint64_t all = uint64_t(*machine.shared_per_sm) * 1024,
             reserved = uint64_t(*machine.shared_reserved_per_block);
    for (uint64_t blocks = 1; blocks <= 33; ++blocks)
      for (int64_t edge : {-256, -129, -128, -127, -1, 0, 1, 127, 128, 129})
        if (int64_t size = int64_t(all / blocks - reserved) + edge; size >= 0) sizes.insert(size);
    for (uint64_t size : sizes)
      for (int choice : {-1, 0, 1, 2, 14, 15, 28, 29, 50, 72, 100})
        if (!agree(machine, {128, 32, size / 3, size - size / 3, {}}, choice)) return;
  }
}

TEST(OccupancyTwin, AgreesForRandomKernels) {
  std::mt19937 random(2026);
  auto below = [&](int limit) { return int(random() % limit); };
  auto all = machines();
  for (int i = 0; i < fewer(400'000); ++i) {
    const Machine& machine = all[random() % all.size()];
    int most = int(*machine.shared_per_sm * 1024 * 1.1);
    BlockShape shape{1 + below(1100),
                     below(256),
                     uint64_t(below(4) ? below(16384) : 0),
                     uint64_t(below(2) ? below(most) : 0),
                     {}};
    if (!agree(machine, shape, below(3) ? -1 : below(101))) return;
  }
}

TEST(OccupancyTwin, ComparedDensely) {
  EXPECT_GE(compared, uint64_t(fewer(500'000))) << "the sampling has grown thin";
}

// On demand (make occupancy): what the tests above sample. Every number of threads with every number
// of registers; and every number of warps, of registers by their allocation unit and of bytes of
// shared memory by 192, which meets every place between two units.
TEST(OccupancyTwin, AgreesForEveryKernelThereIs) {
  if (!std::getenv("HEADROOM_EXHAUSTIVE")) GTEST_SKIP() << "make occupancy asks for it";
  uint64_t before = compared;
  for (const Machine& machine : machines()) {
    for (int threads = 1; threads <= 1024; ++threads)
      for (int registers = 0; registers <= 255; ++registers)
        if (!agree(machine, {threads, registers, 0, 0, {}}, -1)) return;
    const int most = int(*machine.shared_per_sm) * 1024;
    for (int threads = 32; threads <= 1024; threads += 32)
      for (int registers = 8; registers <= 248; registers += 8)
        for (int shared = 192; shared <= most; shared += 192) {
          const int fixed = std::min(shared, 48 * 1024) / 2;
          if (!agree(machine, {threads, registers, uint64_t(fixed), uint64_t(shared - fixed), {}},
                     -1))
            return;
        }
    std::printf("%-10s %llu configurations so far\n", machine.name.c_str(),
                static_cast<unsigned long long>(compared - before));
  }
  EXPECT_GE(compared - before, 10'000'000U);
}

TEST(OccupancyTwin, SuggestsTheSameBlockSize) {
  std::mt19937 random(7);
  for (const Machine& machine : machines())
    for (int i = 0; i < 60; ++i) {
      BlockShape shape{0, int(random() % 256), random() % 8192, 0, {}};
      int limit = i % 3 ? 1024 : 1 + int(random() % 1024);
      size_t per_thread = i % 2 ? random() % 64 : 0;
      auto shared = [&](int threads) { return size_t(threads) * per_thread; };
      cudaOccDeviceProp properties = properties_of(machine);
      cudaOccFuncAttributes attributes = attributes_of(shape);
      attributes.maxThreadsPerBlock = limit;
      cudaOccDeviceState state;
      int grid = -1, threads = -1;
      ASSERT_EQ(cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid, &threads, &properties,
                                                                  &attributes, &state, shared),
                CUDA_OCC_SUCCESS);
      PotentialBlock ours = max_potential_block(machine, shape, shared, limit);
      ASSERT_EQ(ours.threads, threads)
          << described(machine, shape) << ", limit " << limit << ", " << per_thread;
      ASSERT_EQ(ours.min_grid, grid) << described(machine, shape);
    }
}

}  // namespace
}  // namespace headroom
