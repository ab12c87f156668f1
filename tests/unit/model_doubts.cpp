// What a prediction is said to be in doubt of.
#include <gtest/gtest.h>

#include "model/pipeline/launch_time.h"
#include "model/pipeline/predict.h"
#include "played_kernel.h"

namespace headroom {
namespace {

// Of one warp.
std::string caveats_of(const Trace& trace, const Machine& machine = load_machine("h200"),
                       uint64_t host_sectors = 0) {
  LaunchRecord record;
  record.shape.grid = {1, 1, 1};
  record.shape.block = {32, 1, 1};
  record.state = State::ran;
  record.counters.warp_instructions = 1;
  record.counters.host_load_sectors = host_sectors;
  const Occupancy resident = occupancy(machine, {.threads = 32, .registers = 32});
  std::string said;
  for (const Caveat& caveat : predict({machine, record, resident, trace}).caveats)
    said += caveat.what;
  return said;
}

Trace one_load() {
  static const sass::Instruction load =
      instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0});
  return one_access(load, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {4, 5, 6, 7});
}

std::string doubts_of(std::vector<std::string_view> modifiers) {
  sass::Instruction atomic = instruction("ATOMG", {reg(2, true)}, {.stall = 1, .write_barrier = 0});
  atomic.modifiers = std::move(modifiers);
  const Trace trace = one_access(
      atomic,
      {.kind = AccessKind::global_atomic, .bytes = 4, .lanes = 32, .same_address = 1, .passes = 1},
      {17});
  return caveats_of(trace);
}

TEST(Doubts, compare_and_swap_may_have_to_try_again) {
  EXPECT_NE(doubts_of({".E", ".CAS"}).find("compare-and-swap"), std::string::npos);
  EXPECT_NE(doubts_of({".CAST", ".SPIN"}).find("compare-and-swap"), std::string::npos);
  EXPECT_EQ(doubts_of({".E", ".ADD"}).find("compare-and-swap"), std::string::npos);
}

// A load of one warp after the other, of blocks that each go through 16 KiB: few of them leave DRAM idle.
double dram_share(uint32_t blocks) {
  Played kernel;
  for (uint32_t i = 0; i < 128; ++i) {
    const uint64_t line = 4 * i;
    kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
    kernel.access(i, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32},
                  {line, line + 1, line + 2, line + 3});
  }
  const Trace trace = kernel.trace(1, 1, 1);
  const Machine machine = load_machine("h200");
  LaunchRecord record;
  record.shape.grid = {blocks, 1, 1};
  record.shape.block = {32, 1, 1};
  record.state = State::ran;
  record.counters.warp_instructions = 128ull * blocks;
  record.counters.unique_load_sectors = record.counters.unique_sectors = 512ull * blocks;
  record.counters.global_load_sectors = 512ull * blocks;
  record.counters.global_load_bytes = 16384ull * blocks;
  const Occupancy resident = occupancy(machine, {.threads = 32, .registers = 32});
  return predict({machine, record, resident, trace}).prediction.value().dram_share;
}

TEST(Doubts, few_sms_keep_dram_idle) {
  EXPECT_LT(dram_share(1), 0.03);  // of 64 bytes a cycle, 127 GB/s of 4558
  EXPECT_GT(dram_share(132), 10 * dram_share(1));
}

TEST(Doubts, memory_of_the_host_is_as_fast_as_its_link_is_taken_to_be) {
  const auto said = [](bool in_host, bool known) {
    const Trace trace = one_load();
    Machine machine = load_machine("h200");
    if (!known) machine.host_bandwidth.value.reset();
    return caveats_of(trace, machine, in_host ? 4 : 0);
  };
  EXPECT_EQ(said(false, true).find("host"), std::string::npos);
  EXPECT_NE(said(true, true).find("the machine's link"), std::string::npos);
  EXPECT_NE(said(true, false).find("an H200's link"), std::string::npos);
}

TEST(Doubts, rounds_of_waiting_are_those_of_the_emulator) {
  const auto said = [](bool spins, bool together, bool began = false) {
    Trace trace = one_load();
    trace.spins = spins;
    trace.together = together;
    trace.began_together = began;
    return caveats_of(trace);
  };
  EXPECT_EQ(said(false, false).find("wait"), std::string::npos);
  EXPECT_NE(said(true, false).find("rounds of waiting as the emulator"), std::string::npos);
  EXPECT_NE(said(true, true).find("at one pace"), std::string::npos);
  EXPECT_EQ(said(true, true).find("rounds of waiting"), std::string::npos);
  EXPECT_NE(said(true, false, true).find("no predicted time"), std::string::npos);
}

TEST(Doubts, copies_and_atomics_are_asked_for_too) {
  Counters counters{};
  counters.unique_load_sectors = counters.unique_store_sectors = 100;
  counters.global_load_bytes = counters.global_store_bytes = 320;
  EXPECT_EQ(needed_load_bytes(counters), 320);
  EXPECT_EQ(needed_store_bytes(counters), 320);
  counters.bulk_load_sectors = counters.atomic_sectors = 20;
  EXPECT_EQ(needed_load_bytes(counters), 320 + 40 * 32);
  EXPECT_EQ(needed_store_bytes(counters), 320 + 20 * 32);
  counters.bulk_store_sectors = 1000;
  EXPECT_EQ(needed_store_bytes(counters), 3200);  // what is moved twice is needed once
}

}  // namespace
}  // namespace headroom
