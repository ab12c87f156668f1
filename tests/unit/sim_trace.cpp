// What a trace has of accesses: where lanes lie, and how many meet.
#include <set>

#include "sim_bench.h"

namespace headroom::sim {
namespace {

constexpr char thread[] = ".reg .b32 %r<8>; .reg .b64 %rd<4>; mov.u32 %r1, %tid.x;";

// Of the first access of a kind that the only warp did.
struct Traced {
  TracedAccess access{};
  std::vector<uint64_t> sectors;  // from the first one
};
Traced traced(const std::string& body, AccessKind kind, const std::string& before = "") {
  Bench bench(thread + body, ".param .u64 out", before);
  bench.pass(bench.allocate<uint32_t>(1024));
  Options options;
  options.trace = {.first = 0, .step = 1, .count = 1, .instructions = 100};
  const Outcome outcome = bench.run(options);
  Traced found;
  const TracedBlock& block = outcome.trace->blocks.at(0);
  for (const TracedAccess& access : block.warps.at(0).accesses) {
    if (access.kind != kind) continue;
    found.access = access;
    for (uint32_t i = 0; i < access.sectors; ++i)
      found.sectors.push_back(block.sectors[access.first_sector + i] -
                              block.sectors[access.first_sector]);
    break;
  }
  return found;
}

size_t lines(const Traced& traced) {
  std::set<uint64_t> all;
  for (const uint64_t sector : traced.sectors) all.insert(sector / 4);
  return all.size();
}

// A store of lanes to words `index` of an array of 32.
Traced local_store(const std::string& index) {
  return traced(".local .align 16 .b8 array[128];" + index +
                    "shl.b32 %r3, %r2, 2; mov.u32 %r4, array; add.u32 %r4, %r4, %r3;"
                    "st.local.u32 [%r4], %r1; ret;",
                AccessKind::local_store);
}

TEST(Trace, lanes_at_one_word_of_local_memory_lie_side_by_side) {
  const Traced all = local_store("mov.u32 %r2, 3;");
  EXPECT_EQ(all.sectors, (std::vector<uint64_t>{0, 1, 2, 3}));
}

TEST(Trace, lanes_that_index_local_memory_apart_touch_lines_apart) {
  const Traced two = local_store("and.b32 %r2, %r1, 1;");
  EXPECT_EQ(two.sectors.size(), 8u);
  EXPECT_EQ(lines(two), 2u);
  const Traced all = local_store("mov.u32 %r2, %r1;");
  EXPECT_EQ(all.sectors.size(), 32u);
  EXPECT_EQ(lines(all), 32u);
}

// A load of words `index` of a table in constant memory.
Traced constant_load(const std::string& index) {
  return traced(index +
                    "shl.b32 %r3, %r2, 2; cvt.u64.u32 %rd1, %r3; mov.u64 %rd2, table;"
                    "add.u64 %rd1, %rd1, %rd2; ld.const.u32 %r4, [%rd1]; ret;",
                AccessKind::constant_load, ".const .align 128 .b32 table[1024];");
}

TEST(Trace, loads_of_constants_tell_their_different_addresses) {
  const Traced one = constant_load("mov.u32 %r2, 3;"),
               eight = constant_load("and.b32 %r2, %r1, 7;"),
               all = constant_load("mov.u32 %r2, %r1;"),
               apart = constant_load("shl.b32 %r2, %r1, 4;"),
               backwards = constant_load("sub.u32 %r2, 31, %r1;");
  EXPECT_EQ(one.access.wavefronts, 1);
  EXPECT_EQ(one.sectors, (std::vector<uint64_t>{0}));
  EXPECT_EQ(eight.access.wavefronts, 8);
  EXPECT_EQ(eight.sectors, (std::vector<uint64_t>{0}));
  EXPECT_EQ(all.access.wavefronts, 32);
  EXPECT_EQ(all.sectors, (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(backwards.access.wavefronts, 32);
  EXPECT_EQ(backwards.sectors, all.sectors);
  EXPECT_EQ(apart.access.wavefronts, 32);
  ASSERT_EQ(apart.sectors.size(), 32u);
  EXPECT_EQ(apart.sectors[31], 62u);  // 64 bytes from one to the next
}

Traced atomic(const std::string& index) {
  return traced("ld.param.u64 %rd1, [out];" + index +
                    "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2;"
                    "red.global.add.u32 [%rd1], 1; ret;",
                AccessKind::global_atomic);
}

TEST(Trace, atomics_tell_how_many_lanes_meet_in_each_sector) {
  const Traced apart = atomic("mov.u32 %r2, %r1;"), eight = atomic("and.b32 %r2, %r1, 7;"),
               unequal = atomic("max.u32 %r2, %r1, 16;");
  EXPECT_EQ(apart.access.same_address, 1);
  EXPECT_EQ(apart.access.passes, 4);
  EXPECT_EQ(eight.access.same_address, 4);
  EXPECT_EQ(eight.access.passes, 4);
  EXPECT_EQ(unequal.access.same_address, 17);  // lanes 0 … 16
  EXPECT_EQ(unequal.access.sectors, 2u);
  EXPECT_EQ(unequal.access.passes, 18);
}

// Of three blocks the second is traced; warps go round as often as their block and warp say.
TEST(Trace, the_longest_warp_of_the_launch_is_known_though_its_block_is_not_traced) {
  Bench bench(
      ".reg .b32 %r<8>; .reg .pred %p; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; shr.u32 %r2, "
      "%r2, 5;"
      "mad.lo.u32 %r3, %r1, 100, %r2;"
      "again: setp.eq.u32 %p, %r3, 0; @%p bra done; sub.u32 %r3, %r3, 1; bra again; done: ret;");
  bench.pass(bench.allocate<uint32_t>(1));
  bench.grid = {3, 1, 1};
  bench.block = {64, 1, 1};
  Options options;
  options.trace = {.first = 1, .step = 3, .count = 1, .instructions = 10000};
  const Outcome outcome = bench.run(options);
  const auto& warps = outcome.trace->blocks.at(0).warps;
  ASSERT_EQ(warps.size(), 2u);
  const uint64_t round = warps[1].executed - warps[0].executed;
  EXPECT_EQ(round, 4u);
  EXPECT_EQ(outcome.trace->longest_warp, warps[1].executed + 100 * round);
  const auto& work = outcome.trace->work;
  ASSERT_EQ(work.size(), 3u);
  EXPECT_EQ(work[1].instructions, warps[0].executed + warps[1].executed);
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(work[i].first, i);
    EXPECT_EQ(work[i].count, 1u);
    EXPECT_EQ(work[i].instructions, work[1].instructions + (i - 1) * 200 * round);
    EXPECT_EQ(work[i].longest_warp, warps[1].executed + (i - 1) * 100 * round);
  }
}

// … in whichever order host threads ran them.
TEST(Trace, blocks_that_are_alike_are_one_entry_and_others_are_traced_apart) {
  Bench bench(
      ".reg .b32 %r<8>; .reg .pred %p; mov.u32 %r1, %ctaid.x; setp.lt.u32 %p, %r1, 900;"
      "@%p bra done; add.u32 %r1, %r1, 1; done: ret;");
  bench.pass(bench.allocate<uint32_t>(1));
  bench.grid = {1000, 1, 1};
  Options options;
  options.threads = 4;
  options.trace = {.first = 250, .step = 1, .count = 2, .instructions = 100};
  options.trace.others = 4;
  options.trace.others_step = 250;
  const Outcome outcome = bench.run(options);
  const Trace& trace = *outcome.trace;
  ASSERT_EQ(trace.work.size(), 2u);
  EXPECT_EQ(trace.work[0].count, 900u);
  EXPECT_EQ(trace.work[1].first, 900u);
  EXPECT_EQ(trace.work[1].count, 100u);
  ASSERT_EQ(trace.blocks.size(), 2u);
  ASSERT_EQ(trace.others.size(), 3u);  // 250 is one of the sample
  EXPECT_EQ(trace.others[0].linear, 0u);
  EXPECT_EQ(trace.others[1].linear, 500u);
  EXPECT_EQ(trace.others[2].linear, 750u);
  for (const TracedBlock& block : trace.others) EXPECT_GT(block.warps.at(0).executed, 0u);
}

}  // namespace
}  // namespace headroom::sim
