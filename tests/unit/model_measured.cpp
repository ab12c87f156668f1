// Measured launches: how they are grouped, which counted ones they join, and which machine it was.
#include <gtest/gtest.h>

#include "model/gpu_machine.h"
#include "model/measured.h"

namespace headroom {
namespace {

const Machine h200 = load_machine("h200");

MeasuredLaunch measured(double microseconds, const std::string& name = "_Z4axpyPf",
                        Dim3 grid = {64, 1, 1}) {
  MeasuredLaunch launch;
  launch.timing.shape.kernel = name;
  launch.timing.name = name;
  launch.timing.shape.grid = grid;
  launch.timing.shape.block = {256, 1, 1};
  launch.timing.seconds = microseconds * 1e-6;
  launch.timing.registers = 32;
  launch.occupancy = occupancy_of(h200, launch.timing);
  return launch;
}

// A launch that moved so many sectors of global memory, all of them useful.
LaunchRecord counted(uint64_t sectors, const std::string& name = "_Z4axpyPf",
                     Dim3 grid = {64, 1, 1}) {
  LaunchRecord launch;
  launch.shape.kernel = launch.name = name;
  launch.shape.grid = grid;
  launch.shape.block = {256, 1, 1};
  launch.state = State::ran;
  launch.counters.warp_instructions = 1000;
  launch.counters.global_load_requests = sectors / 4;
  launch.counters.global_load_sectors = sectors;
  launch.counters.global_load_bytes = sectors * 32;
  launch.counters.unique_load_sectors = launch.counters.unique_sectors = sectors;
  return launch;
}

std::vector<Caveat> joined(std::vector<MeasuredLaunch>& launches,
                           const std::vector<LaunchRecord>& records, bool several = false) {
  return join(launches, records, h200, several);
}

TEST(Distribution, gives_the_median_and_the_middle_80_percent) {
  const Distribution d = distribution({5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11});
  EXPECT_DOUBLE_EQ(d.median, 6);
  EXPECT_DOUBLE_EQ(d.total, 66);
  EXPECT_DOUBLE_EQ(*d.spread, (10.0 - 2.0) / 6);
  EXPECT_DOUBLE_EQ(distribution({1, 2}).median, 1.5);
  EXPECT_FALSE(distribution({1, 2}).spread);
  EXPECT_EQ(distribution({}).count, 0u);
}

TEST(Group, keeps_kernels_and_shapes_apart_and_shares_add_up) {
  const auto groups = group_measured(
      {measured(1), measured(3), measured(4, "other"), measured(2, "_Z4axpyPf", {65, 1, 1})});
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].launches.size(), 2u);
  EXPECT_DOUBLE_EQ(groups[0].seconds.median, 2e-6);
  EXPECT_DOUBLE_EQ(groups[0].share + groups[1].share + groups[2].share, 1);
}

TEST(Group, a_launch_without_a_time_counts_but_is_not_summed) {
  MeasuredLaunch open = measured(1);
  open.timing.seconds.reset();
  const auto groups = group_measured({measured(5), open});
  EXPECT_EQ(groups[0].launches.size(), 2u);
  EXPECT_EQ(groups[0].seconds.count, 1u);
  EXPECT_DOUBLE_EQ(groups[0].seconds.median, 5e-6);
}

TEST(Join, in_order_where_as_many_were_counted) {
  std::vector<MeasuredLaunch> launches{measured(10), measured(20)};
  EXPECT_TRUE(joined(launches, {counted(4000), counted(8000)}).empty());
  EXPECT_EQ(launches[0].joined, Joined::by_order);
  EXPECT_DOUBLE_EQ(launches[0].bounds->useful_bytes, 4000 * 32);
  EXPECT_DOUBLE_EQ(launches[1].bounds->useful_bytes, 8000 * 32);
  EXPECT_DOUBLE_EQ(*launches[1].useful_rate(), 8000 * 32 / 20e-6);
  EXPECT_DOUBLE_EQ(*launches[1].headroom(), 20e-6 / launches[1].bounds->seconds);
}

TEST(Join, by_shape_where_all_counted_ones_are_alike_and_says_so) {
  std::vector<MeasuredLaunch> launches{measured(10), measured(20), measured(30)};
  const auto caveats = joined(launches, {counted(4000)});
  EXPECT_EQ(launches[2].joined, Joined::by_shape);
  ASSERT_EQ(caveats.size(), 1u);
  EXPECT_NE(caveats[0].what.find("3 launches are joined by shape"), std::string::npos);
  EXPECT_NE(caveats[0].what.find("3 measured, 1 counted"), std::string::npos);
}

TEST(Join, never_where_the_number_differs_and_the_counters_too) {
  std::vector<MeasuredLaunch> launches{measured(10), measured(20), measured(30)};
  const auto caveats = joined(launches, {counted(4000), counted(8000)});
  for (const MeasuredLaunch& launch : launches) EXPECT_EQ(launch.joined, Joined::no);
  ASSERT_EQ(caveats.size(), 1u);
  EXPECT_NE(caveats[0].what.find("3 launches do not join"), std::string::npos);
  EXPECT_FALSE(group_measured(launches)[0].headroom);
}

TEST(Join, never_another_shape_or_kernel_and_names_both_sides) {
  std::vector<MeasuredLaunch> launches{measured(10)};
  const auto caveats = joined(launches, {counted(4000, "_Z4axpyPf", {128, 1, 1})});
  EXPECT_EQ(launches[0].joined, Joined::no);
  ASSERT_EQ(caveats.size(), 2u);
  EXPECT_NE(caveats[0].what.find("1 launches were not counted"), std::string::npos);
  EXPECT_NE(caveats[1].what.find("1 counted launches"), std::string::npos);
}

TEST(Join, kernels_of_unnamed_namespaces_whatever_build_named_them) {
  const std::string here = "_ZN41_GLOBAL__N__e88fd7f3_9_queued_cu_2e8fd30411copy_queuedI3RowEEvPf",
                    there = "_ZN41_GLOBAL__N__01234567_9_queued_cu_89abcdef11copy_queuedI3RowEEvPf",
                    other = "_ZN41_GLOBAL__N__01234567_9_tasked_cu_89abcdef11copy_queuedI3RowEEvPf",
                    cut_off = "_ZN41_GLOBAL__N__01234567_99_queued_cu_89ab";
  std::vector launches{measured(1, there)};
  EXPECT_TRUE(joined(launches, {counted(400, here)}).empty());
  EXPECT_EQ(launches[0].joined, Joined::by_order);
  for (const std::string& name : {other, cut_off}) {
    std::vector others{measured(1, name)};
    EXPECT_FALSE(joined(others, {counted(400, here)}).empty());
    EXPECT_EQ(others[0].joined, Joined::no) << name;
  }
}

TEST(Join, several_processes_have_no_common_order) {
  std::vector<MeasuredLaunch> launches{measured(10), measured(20)};
  EXPECT_EQ(joined(launches, {counted(4000), counted(8000)}, true).size(), 1u);
  EXPECT_EQ(launches[0].joined, Joined::no);
  EXPECT_TRUE(joined(launches, {counted(4000), counted(4000)}, true).empty());
  EXPECT_EQ(launches[0].joined, Joined::by_shape);
}

TEST(Join, a_launch_that_did_not_complete_has_no_floor) {
  std::vector<MeasuredLaunch> launches{measured(10)};
  LaunchRecord stopped = counted(4000);
  stopped.state = State::stopped;
  EXPECT_EQ(joined(launches, {stopped}).size(), 1u);
  EXPECT_EQ(launches[0].joined, Joined::no);
}

TEST(Copies, are_grouped_by_direction_and_memory_and_rated_where_timed) {
  CopyTiming pinned{"host_to_device", "pinned", "device", 1000, {}, 1e-6};
  CopyTiming open = pinned;
  open.seconds.reset();
  const auto groups =
      group_copies({pinned, open, {"host_to_device", "pageable", "device", 10, {}, 1e-6}});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].calls, 2u);
  EXPECT_EQ(groups[0].bytes, 2000u);
  EXPECT_DOUBLE_EQ(*groups[0].rate(), 1e9);
}

GpuDevice device(const char* name, int major, int minor, int multiprocessors) {
  GpuDevice device;
  device.name = name;
  device.compute_major = major;
  device.compute_minor = minor;
  device.multiprocessors = multiprocessors;
  return device;
}

TEST(MachineOf, a_known_gpu_is_its_machine_without_doubt) {
  const GpuMachine machine = machine_of(device("NVIDIA H200", 9, 0, 132), {});
  EXPECT_EQ(machine.machine->name, "h200");
  EXPECT_TRUE(machine.known && machine.caveats.empty());
}

TEST(MachineOf, another_form_of_the_chip_and_a_wrong_machine_are_doubted) {
  EXPECT_EQ(machine_of(device("NVIDIA H100 PCIe", 9, 0, 114), {}).caveats.size(), 1u);
  EXPECT_EQ(machine_of(device("NVIDIA A100-SXM4-40GB", 8, 0, 108), h200).caveats.size(), 1u);
  EXPECT_TRUE(machine_of(device("NVIDIA H200", 9, 0, 132), h200).caveats.empty());
}

TEST(MachineOf, another_memory_of_the_same_gpu_is_doubted) {
  GpuDevice a100 = device("NVIDIA A100-SXM4-80GB", 8, 0, 108);
  a100.memory_bandwidth = 2039e9;
  const GpuMachine machine = machine_of(a100, {});
  EXPECT_EQ(machine.machine->name, "a100");
  ASSERT_EQ(machine.caveats.size(), 1u);
  EXPECT_EQ(machine.caveats[0].what,
            "the GPU's memory moves 2039 GB/s, that of the machine a100 1555");
  a100.memory_bandwidth = 1555.2e9;
  EXPECT_TRUE(machine_of(a100, {}).caveats.empty());
}

TEST(MachineOf, an_unknown_gpu_has_its_own_limits_and_no_rates) {
  const GpuMachine machine = machine_of(device("NVIDIA GH200 480GB", 9, 0, 131), {});
  ASSERT_TRUE(machine.machine);
  EXPECT_FALSE(machine.known);
  EXPECT_EQ(*machine.machine->sm_count, 131);
  EXPECT_FALSE(machine.machine->dram_bandwidth);
  EXPECT_EQ(machine.caveats.size(), 1u);
  LaunchRecord launch = counted(4000);
  EXPECT_EQ(
      bound(*machine.machine, launch, *occupancy_of(machine.machine, measured(1).timing)).limiter,
      -1);
  EXPECT_FALSE(machine_of(device("NVIDIA X1", 99, 0, 10), {}).machine);
}

}  // namespace
}  // namespace headroom
