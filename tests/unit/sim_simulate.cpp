// The executor on small PTX kernels: results, counters, control flow, barriers, calls, faults.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

TEST(Simulate, every_thread_writes_its_index) {
  Bench bench(std::string(thread_index) + "st.global.u32 [%p], %i; ret;");
  auto* out = bench.allocate<uint32_t>(1000);
  bench.pass(out);
  bench.grid = {10, 1, 1};
  bench.block = {100, 1, 1};
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(out[i], i);
  EXPECT_EQ(outcome.counters.global_store_requests, 40u);  // 4 warps a block, the last of 4 threads
  EXPECT_EQ(outcome.counters.global_store_sectors,
            5u * (3 * 4 + 1) + 5u * (3 * 5 + 1));  // odd blocks start half a sector in
  EXPECT_EQ(outcome.counters.unique_store_sectors, 125u);
  EXPECT_EQ(outcome.counters.global_store_bytes, 4000u);
}

TEST(Simulate, sectors_in_memory_of_the_host_are_counted_apart) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v; ld.global.u32 %v, [%p]; atom.global.add.u32 %v, [%p], 1;
    st.global.u32 [%p], %i; ret;)");
  std::vector<uint32_t> host(2048 + 8);
  auto* out = reinterpret_cast<uint32_t*>((uint64_t(host.data()) + 31) / 32 * 32);
  bench.memory.map_host(uint64_t(host.data()), host.size() * 4);
  bench.pass(out);
  bench.grid = {8, 1, 1};
  bench.block = {256, 1, 1};
  for (const unsigned threads : {1u, 2u}) {
    bench.threads = threads;
    const Outcome outcome = bench.run();
    ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
    EXPECT_EQ(out[2047], 2047u);
    EXPECT_EQ(outcome.counters.unique_sectors, 0u);
    EXPECT_EQ(outcome.counters.host_load_sectors, 2 * 256u) << "the loads and the atomics";
    EXPECT_EQ(outcome.counters.host_store_sectors, 2 * 256u) << "the atomics and the stores";
  }
}

TEST(Simulate, lanes_diverge_and_meet_again) {
  Bench bench(std::string(thread_index) + R"(
    .reg .pred %odd; .reg .b32 %v;
    and.b32 %v, %i, 1; setp.ne.u32 %odd, %v, 0;
    @%odd bra ODD;
    mov.u32 %v, 100; bra.uni END;
  ODD: mov.u32 %v, 200;
  END: add.u32 %v, %v, %i; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], (i & 1 ? 200 : 100) + i);
  EXPECT_EQ(outcome.counters.divergent_branches, 1u);
  EXPECT_EQ(outcome.counters.global_store_requests, 1u);  // they met before the store
}

TEST(Simulate, loops_of_different_length_keep_each_lane_right) {
  Bench bench(std::string(thread_index) + R"(
    .reg .pred %more; .reg .b32 %v, %n;
    mov.u32 %v, 0; mov.u32 %n, 0;
  LOOP: setp.lt.u32 %more, %n, %i; @!%more bra END;
    add.u32 %v, %v, %n; add.u32 %n, %n, 1; bra LOOP;
  END: st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  bench.block = {64, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i * (i - 1) / 2);
}

TEST(Simulate, a_block_reverses_through_shared_memory) {
  Bench bench(std::string(thread_index) + R"(
    .shared .align 4 .b8 tile[1024];
    .reg .b32 %t, %s, %v; .reg .b64 %unused;
    mov.u32 %t, %tid.x; shl.b32 %s, %t, 2; mov.u32 %v, tile; add.u32 %s, %s, %v;
    st.shared.u32 [%s], %i; bar.sync 0;
    sub.u32 %t, 255, %t; shl.b32 %t, %t, 2; add.u32 %t, %t, %v;
    ld.shared.u32 %v, [%t]; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(512);
  bench.pass(out);
  bench.grid = {2, 1, 1};
  bench.block = {256, 1, 1};
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 512; ++i) EXPECT_EQ(out[i], i / 256 * 256 + 255 - i % 256);
  EXPECT_EQ(outcome.counters.shared_load_instructions, 16u);
  EXPECT_EQ(outcome.counters.shared_load_wavefronts, 16u);
  EXPECT_EQ(outcome.counters.shared_load_conflicts, 0u);
  EXPECT_EQ(outcome.counters.barriers, 16u);
}

TEST(Simulate, a_column_of_shared_memory_conflicts_in_one_bank) {
  Bench bench(std::string(thread_index) + R"(
    .shared .align 4 .b8 tile[4096]; .reg .b32 %s, %v;
    shl.b32 %s, %i, 7; mov.u32 %v, tile; add.u32 %s, %s, %v; st.shared.u32 [%s], %i; ld.shared.u32 %v, [%s]; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(outcome.counters.shared_load_wavefronts, 32u);
  EXPECT_EQ(outcome.counters.shared_store_conflicts, 31u);
}

TEST(Simulate, shuffles_sum_a_warp) {
  std::string body = thread_index;
  body += ".reg .b32 %v, %w; mov.u32 %v, %i;";
  for (int d : {16, 8, 4, 2, 1})
    body += "shfl.sync.bfly.b32 %w, %v, " + std::to_string(d) + ", 31, -1; add.u32 %v, %v, %w;";
  Bench bench(body + "st.global.u32 [%p], %v; ret;");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[i], 496u);
}

TEST(Simulate, atomics_of_all_threads_add_up) {
  Bench bench(
      R"(.reg .b64 %p; .reg .b32 %v; ld.param.u64 %p, [out]; atom.global.add.u32 %v, [%p], 3; red.global.add.f32 [%p+4], 0f3F000000; ret;)");
  auto* out = bench.allocate<uint32_t>(2);
  bench.pass(out);
  bench.grid = {7, 1, 1};
  bench.block = {96, 1, 1};
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(out[0], 7u * 96 * 3);
  float sum;
  std::memcpy(&sum, out + 1, 4);
  EXPECT_EQ(sum, 336.0f);
  EXPECT_EQ(outcome.counters.atomic_requests, 42u);
}

TEST(Simulate, functions_are_called_by_lanes_that_diverge) {
  Bench bench(std::string(thread_index) + R"(
    .reg .pred %even; .reg .b32 %v;
    and.b32 %v, %i, 1; setp.eq.u32 %even, %v, 0; mov.u32 %v, 1;
    @!%even bra END;
    { .param .b32 a; .param .b32 r; st.param.b32 [a], %i; call.uni (r), square, (a); ld.param.b32 %v, [r]; }
  END: st.global.u32 [%p], %v; ret;)",
              ".param .u64 out", R"(.func (.param .b32 result) square(.param .b32 x)
  { .reg .b32 %x; .local .align 4 .b8 spill[4]; ld.param.b32 %x, [x]; st.local.b32 [spill], %x; mul.lo.u32 %x, %x, %x; ld.local.b32 %x, [spill]; mul.lo.u32 %x, %x, %x; st.param.b32 [result], %x; ret; })");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 ? 1 : i * i);
}

TEST(Simulate, a_spin_lock_inside_a_warp_makes_progress) {
  Bench bench(R"(
    .reg .b64 %p; .reg .b32 %old, %v; .reg .pred %taken;
    ld.param.u64 %p, [out];
  SPIN: atom.global.cas.b32 %old, [%p], 0, 1; setp.ne.u32 %taken, %old, 0; @%taken bra SPIN;
    ld.global.u32 %v, [%p+4]; add.u32 %v, %v, 1; st.global.u32 [%p+4], %v; membar.gl;
    atom.global.exch.b32 %old, [%p], 0; ret;)");
  auto* out = bench.allocate<uint32_t>(2);
  bench.pass(out);
  bench.grid = {3, 1, 1};
  bench.block = {64, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[1], 192u);
}

TEST(Simulate, a_block_waits_for_one_that_starts_later) {
  Bench bench(R"(
    .reg .b64 %p; .reg .b32 %b, %v; .reg .pred %first, %wait;
    ld.param.u64 %p, [out]; mov.u32 %b, %ctaid.x; setp.eq.u32 %first, %b, 0; @!%first bra WRITE;
  SPIN: ld.volatile.global.u32 %v, [%p]; setp.eq.u32 %wait, %v, 0; @%wait bra SPIN; st.global.u32 [%p+4], %v; ret;
  WRITE: st.volatile.global.u32 [%p], %b; ret;)");
  auto* out = bench.allocate<uint32_t>(2);
  bench.pass(out);
  bench.grid = {2, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[1], 1u);
}

TEST(Simulate, a_store_past_the_end_is_a_finding_with_its_thread) {
  Bench bench(std::string(thread_index) +
              "mul.wide.u32 %o, %i, 16384; add.s64 %p, %p, %o; st.global.u32 [%p], %i; ret;");
  bench.pass(bench.allocate<uint32_t>(
      1 << 19));  // 2 MiB: from thread 128 on an index leaves the mapped page
  bench.grid = {2, 1, 1};
  bench.block = {128, 1, 1};
  const Outcome outcome = bench.run();
  ASSERT_FALSE(outcome.completed);
  const Finding& finding = outcome.findings.at(0);
  EXPECT_EQ(finding.kind, "illegal_global_store");
  EXPECT_EQ(finding.cuda_error, 700);
  EXPECT_EQ(finding.block[0], 1u);
  EXPECT_EQ(finding.thread[0], 0u);
  EXPECT_NE(finding.what.find("past the end"), std::string::npos) << finding.what;
  EXPECT_EQ(finding.instruction, "st.global.u32 [%p], %i;");
}

TEST(Simulate, a_store_past_the_end_but_on_the_same_page_is_a_finding_and_the_kernel_goes_on) {
  Bench bench(std::string(thread_index) + "st.global.u32 [%p], %i; ret;");
  auto* out = bench.allocate<uint32_t>(128);
  bench.pass(out);
  bench.grid = {2, 1, 1};
  bench.block = {128, 1, 1};
  const Outcome outcome = bench.run();
  EXPECT_TRUE(outcome.completed);
  ASSERT_EQ(outcome.findings.size(), 1u);  // one an instruction, not one a thread
  EXPECT_EQ(outcome.findings[0].kind, "out_of_bounds_global_store");
  EXPECT_EQ(outcome.findings[0].cuda_error, 0);
  EXPECT_EQ(outcome.findings[0].block[0], 1u);
  EXPECT_EQ(out[127], 127u);
}

TEST(Simulate, recursion_keeps_what_the_caller_had) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v;
    { .param .b32 a; .param .b32 r; st.param.b32 [a], %i; call.uni (r), sum, (a); ld.param.b32 %v, [r]; }
    st.global.u32 [%p], %v; ret;)",
              ".param .u64 out", R"(.func (.param .b32 result) sum(.param .b32 x)
  { .reg .b32 %x, %y, %v; .reg .pred %z; ld.param.b32 %x, [x]; mov.u32 %v, 0; setp.eq.u32 %z, %x, 0; @%z bra END;
    sub.u32 %y, %x, 1;
    { .param .b32 a; .param .b32 r; st.param.b32 [a], %y; call.uni (r), sum, (a); ld.param.b32 %v, [r]; }
    add.u32 %v, %v, %x;
  END: st.param.b32 [result], %v; ret; })");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i * (i + 1) / 2);
}

TEST(Simulate, a_barrier_that_a_thread_never_reaches_is_named) {
  Bench bench(
      R"(.reg .b32 %t; .reg .pred %q; mov.u32 %t, %tid.x; setp.lt.u32 %q, %t, 32; @%q bra B; bar.sync 1; ret; B: bar.sync 0; ret;)");
  bench.pass(bench.allocate<uint32_t>(1));
  bench.block = {64, 1, 1};
  const Outcome outcome = bench.run();
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings.at(0).kind, "barrier_deadlock");
}

TEST(Simulate, counting_changes_nothing_but_the_counters) {
  Bench bench(std::string(thread_index) + "st.global.u32 [%p], %i; ret;");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run(false);
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(out[31], 31u);
  EXPECT_EQ(outcome.counters, Counters{});
}

TEST(Simulate, carries_go_from_one_word_to_the_next) {
  Bench bench(
      std::string(thread_index) +
      R"(.reg .b32 %l, %h; add.cc.u32 %l, %i, -1; addc.u32 %h, 0, 0; st.global.u32 [%p], %h; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i ? 1u : 0u);
}

TEST(Simulate, an_unsupported_instruction_fails_when_its_kernel_is_decoded) {
  Memory memory(1 << 30);
  const auto module = load_module(
      std::make_shared<ptx::Module>(
          ptx::parse(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry good() { ret; "
                     "}\n.visible .entry bad() { .reg .b32 %r; frobnicate.u32 %r, %r; ret; }\n",
                     "t.ptx")),
      memory);
  EXPECT_NO_THROW(decode(module, "good"));
  EXPECT_THROW(decode(module, "bad"), Error);
}

}  // namespace
}  // namespace headroom::sim
