// Calls through a register, tables of functions, recursion through them, and .sync instructions in functions.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

constexpr const char* functions = R"(
.func (.param .b32 r) plus(.param .b32 x) { .reg .b32 %x; ld.param.b32 %x, [x]; add.u32 %x, %x, 100; st.param.b32 [r], %x; ret; }
.func (.param .b32 r) times(.param .b32 x) { .reg .b32 %x; ld.param.b32 %x, [x]; mul.lo.u32 %x, %x, 3; st.param.b32 [r], %x; ret; }
.func (.param .b32 r) two(.param .b32 x, .param .b32 y) { .reg .b32 %x; ld.param.b32 %x, [y]; st.param.b32 [r], %x; ret; }
.global .align 8 .u64 table[3] = {plus, times, two};
)";

// Calls %f with %i, result in %v.
constexpr const char* call_f =
    R"({ .param .b32 a; .param .b32 r; st.param.b32 [a], %i; proto: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (r), %f, (a), proto; ld.param.b32 %v, [r]; })";

std::string kernel(const std::string& body) {
  return std::string(thread_index) + ".reg .b32 %v, %t; .reg .b64 %f, %at; .reg .pred %q;" + body;
}

TEST(Calls, a_register_may_hold_another_function_in_every_lane) {
  Bench bench(
      kernel(
          R"(and.b32 %t, %i, 1; mul.wide.u32 %f, %t, 8; mov.u64 %at, table; add.u64 %at, %at, %f; ld.global.u64 %f, [%at];)" +
          std::string(call_f) + "st.global.u32 [%p], %v; ret;"),
      ".param .u64 out", functions);
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings[0].what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i & 1 ? i * 3 : i + 100) << i;
  EXPECT_EQ(outcome.counters.global_store_requests, 1u);  // they meet behind the call
}

TEST(Calls, an_address_may_be_taken_in_another_function) {
  Bench bench(kernel("mov.u64 %f, times;" + std::string(call_f) + "st.global.u32 [%p], %v; ret;"),
              ".param .u64 out", functions);
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[9], 27u);
}

TEST(Calls, an_address_that_is_no_functions_is_a_finding) {
  Bench bench(kernel("mov.u64 %f, 4660;" + std::string(call_f) + "ret;"), ".param .u64 out",
              functions);
  bench.pass(uint64_t(0));
  const Outcome outcome = bench.run();
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, "illegal_call");
  EXPECT_EQ(outcome.findings[0].address, 4660u);
  EXPECT_EQ(outcome.findings[0].cuda_error, 718);
}

TEST(Calls, a_function_with_other_parameters_is_a_finding_that_names_it) {
  Bench bench(kernel("mov.u64 %f, two;" + std::string(call_f) + "ret;"), ".param .u64 out",
              functions);
  bench.pass(uint64_t(0));
  const Outcome outcome = bench.run();
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_NE(outcome.findings[0].what.find("two"), std::string::npos) << outcome.findings[0].what;
}

TEST(Calls, a_function_may_call_itself_through_a_register) {
  Bench bench(kernel("mov.u64 %f, sum;" + std::string(call_f) + "st.global.u32 [%p], %v; ret;"),
              ".param .u64 out", R"(
.func (.param .b32 r) sum(.param .b32 x);
.func (.param .b32 r) sum(.param .b32 x) {
  .reg .b32 %x, %y; .reg .b64 %f; .reg .pred %q; ld.param.b32 %x, [x]; setp.eq.u32 %q, %x, 0; mov.u32 %y, 0; @%q bra END;
  sub.u32 %y, %x, 1; mov.u64 %f, sum;
  { .param .b32 a; .param .b32 s; st.param.b32 [a], %y; proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (s), %f, (a), proto; ld.param.b32 %y, [s]; }
  add.u32 %y, %y, %x;
END: st.param.b32 [r], %y; ret; })");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings[0].what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i * (i + 1) / 2) << i;
}

TEST(Calls, lanes_that_entered_a_function_by_different_calls_shuffle_together) {
  const std::string call =
      "{ .param .b32 a; .param .b32 r; st.param.b32 [a], %i; call.uni (r), f, (a); ld.param.b32 "
      "%v, [r]; }";
  Bench bench(kernel("setp.lt.u32 %q, %i, 16; @%q bra LOW;" + call + "bra END; LOW:" + call +
                     "add.u32 %v, %v, 1000; END: st.global.u32 [%p], %v; ret;"),
              ".param .u64 out", R"(.func (.param .b32 r) f(.param .b32 x)
  { .reg .b32 %x, %y; ld.param.b32 %x, [x]; shfl.sync.bfly.b32 %y, %x, 16, 31, -1; st.param.b32 [r], %y; ret; })");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? i + 1016 : i - 16) << i;
}

TEST(Calls, a_guarded_sync_instruction_waits_only_for_those_whose_guard_holds) {
  Bench bench(kernel(R"(mov.u32 %v, 5; setp.lt.u32 %q, %i, 16; @%q bra END;
    setp.gt.u32 %q, %i, 99; @%q shfl.sync.idx.b32 %v, %i, 0, 31, -1; @!%q shfl.sync.idx.b32 %v, %i, 31, 31, 0xffff0000;
  END: st.global.u32 [%p], %v; ret;)"));
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? 5u : 31u) << i;
  EXPECT_EQ(outcome.counters.global_store_requests, 1u);
}

TEST(Calls, a_deep_graph_of_calls_is_decoded_in_time) {
  std::string before;
  for (int n = 0; n < 60; ++n) {
    const std::string call = n ? "call.uni f" + std::to_string(n - 1) + ";" : "";
    before += ".func f" + std::to_string(n) + "() { .local .align 4 .b8 m[16]; " + call + call +
              " ret; }\n";
  }
  Bench bench("ret;", ".param .u64 out",
              before + ".visible .entry other() { call.uni f59; ret; }\n");
  EXPECT_EQ(facts(*decode(bench.module, "other")).local_bytes, 60 * 16u);
}

// f0 calls f1 and g1, both of which call f2 and g2, …: 2^40 ways, each function looked at once.
TEST(Calls, forty_diamonds_of_calls_are_decoded_at_once) {
  std::string functions;
  for (int level = 40; level >= 0; --level) {
    for (const char* name : {"f", "g"}) {
      functions += ".func " + std::string(name) + std::to_string(level) +
                   "()\n{ .local .align 16 .b8 own[16];\n";
      for (const char* callee : {"f", "g"}) {
        if (level < 40)
          functions += "call.uni " + std::string(callee) + std::to_string(level + 1) + ";\n";
      }
      functions += "ret; }\n";
    }
  }
  Bench bench("call.uni f0; ret;", ".param .u64 out", functions);
  EXPECT_EQ(facts(*decode(bench.module, "k")).local_bytes, 41u * 16);
}

}  // namespace
}  // namespace headroom::sim
