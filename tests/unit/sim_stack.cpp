// alloca, stacksave, stackrestore: what is taken is given back by a return, and too much is a finding.
#include "base/error.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

std::string kernel(const std::string& body) {
  return std::string(thread_index) + ".reg .b32 %v, %n; .reg .b64 %a, %s; .reg .pred %q;" + body;
}

Outcome run(Bench& bench) {
  bench.pass(bench.allocate<uint32_t>(32));
  return bench.run();
}

TEST(Stack, more_than_a_thread_has_is_a_finding_of_the_lane_that_asks) {
  Bench bench(kernel("mul.wide.u32 %s, %i, 4000; alloca.u64 %a, %s; st.global.u32 [%p], %i; ret;"));
  const Outcome outcome = run(bench);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, "stack_overflow");
  EXPECT_EQ(outcome.findings[0].thread[0], 17u);  // the first above 65 536 bytes
  EXPECT_NE(outcome.findings[0].what.find("alloca of 68000 bytes"), std::string::npos)
      << outcome.findings[0].what;
}

TEST(Stack, cudaLimitStackSize_makes_it_larger) {
  Bench bench(
      kernel("mul.wide.u32 %s, %i, 4000; alloca.u64 %a, %s; st.local.u32 [%a], %i; "
             "ld.local.u32 %v, [%a]; st.global.u32 [%p], %v; ret;"));
  bench.limits.stack_bytes = 128 << 10;
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i);
}

// 3 000 calls deep, 40 bytes each: more than the default has, in frames and in bytes.
TEST(Stack, and_recursion_deeper) {
  for (const uint64_t limit : {1 << 10, 256 << 10}) {
    Bench bench(
        kernel("{ .param .b32 x; .param .b32 r; st.param.b32 [x], 3000; call (r), again, (x); "
               "ld.param.b32 %v, [r]; } st.global.u32 [%p], %v; ret;"),
        ".param .u64 out", R"(
.func (.param .b32 r) again(.param .b32 x) { .reg .b32 %x; .local .align 8 .b8 kept[40]; .reg .pred %q; .param .b32 y; .param .b32 s;
  ld.param.b32 %x, [x]; st.local.u32 [kept], %x; st.param.b32 [r], %x; setp.eq.u32 %q, %x, 0; @%q ret;
  sub.u32 %x, %x, 1; st.param.b32 [y], %x; call (s), again, (y); ld.param.b32 %x, [s];
  ld.local.u32 %x, [kept]; st.param.b32 [r], %x; ret; })");
    bench.limits.stack_bytes = limit;
    auto* out = bench.allocate<uint32_t>(32);
    bench.pass(out);
    const Outcome outcome = bench.run();
    EXPECT_EQ(outcome.completed, limit > 1024);
    if (outcome.completed) {
      EXPECT_EQ(out[31], 3000u);
    } else {
      EXPECT_EQ(outcome.findings.at(0).kind, "stack_overflow");
    }
  }
}

TEST(Stack, restoring_what_was_never_saved_is_a_finding) {
  Bench bench(kernel("alloca.u64 %a, 64; mov.u64 %s, 12; stackrestore.u64 %s; ret;"));
  const Outcome outcome = run(bench);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_NE(outcome.findings[0].what.find("stackrestore"), std::string::npos);
}

// Odd lanes leave early; 1 000 calls of 1 000 bytes each fit because every return gives them back.
TEST(Stack, a_return_gives_back_what_its_lanes_took_guarded_or_not) {
  Bench bench(kernel(R"(mov.u32 %n, 0; mov.u32 %v, 0; .param .b32 r; .param .b32 x;
AGAIN: st.param.b32 [x], %i; call (r), take, (x); ld.param.b32 %v, [r]; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 1000; @%q bra AGAIN;
    st.global.u32 [%p], %v; ret;)"),
              ".param .u64 out", R"(
.func (.param .b32 r) take(.param .b32 x) { .reg .b32 %x, %y; .reg .b64 %a, %b; .reg .pred %q; ld.param.b32 %x, [x];
  alloca.u64 %a, 500; st.local.u32 [%a], %x; st.param.b32 [r], %x; and.b32 %y, %x, 1; setp.eq.u32 %q, %y, 1; @%q ret;
  alloca.u64 %b, 500; st.local.u32 [%b], 7; ld.local.u32 %x, [%a]; add.u32 %x, %x, 100; st.param.b32 [r], %x; ret; })");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings[0].what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 ? i : i + 100);
}

TEST(Stack, beside_recursion_it_is_refused_by_name) {
  Bench bench(kernel(".param .b32 x; st.param.b32 [x], %i; call again, (x); ret;"),
              ".param .u64 out", R"(
.func again(.param .b32 x) { .reg .b32 %x; .reg .b64 %a; .reg .pred %q; .param .b32 y; ld.param.b32 %x, [x]; alloca.u64 %a, 16;
  setp.eq.u32 %q, %x, 0; @%q ret; sub.u32 %x, %x, 1; st.param.b32 [y], %x; call again, (y); ret; })");
  try {
    run(bench);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("alloca beside recursion"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace headroom::sim
