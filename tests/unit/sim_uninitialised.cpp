// What a kernel finds where it has written nothing: the same every time, whoever ran before.
#include <algorithm>

#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Every block stores what it finds, and leaves something else.
void expect_zeros(const std::string& finds_and_leaves) {
  Bench bench(std::string(thread_index) +
              ".reg .b32 %t, %v, %w; .reg .pred %r; mov.u32 %t, %ctaid.x;" + finds_and_leaves +
              "st.global.u32 [%p], %v; ret;");
  auto* out = bench.allocate<uint32_t>(32 * 64);
  bench.pass(out);
  bench.grid = {64, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(std::count(out, out + 32 * 64, 0u), 32 * 64);
}

TEST(Uninitialised, local_memory_holds_zeros_in_every_block) {
  expect_zeros(
      ".local .align 4 .b32 kept[8]; ld.local.u32 %v, [kept+12]; st.local.u32 [kept+12], %i;");
}

TEST(Uninitialised, a_stack_that_may_grow_holds_zeros_where_the_variables_lie) {
  expect_zeros(
      ".reg .b64 %a, %n; .local .align 4 .b32 kept[8]; ld.local.u32 %v, [kept+12]; "
      "st.local.u32 [kept+12], %i; cvt.u64.u32 %n, 16; alloca.u64 %a, %n;");
}

TEST(Uninitialised, registers_hold_zeros_in_every_block) {
  expect_zeros(
      "setp.lt.u32 %r, %t, 0; @%r mov.u32 %w, 1; mov.u32 %v, %w; add.u32 %w, %w, %i; @%r "
      "st.global.u32 [%p], %w;");
}

TEST(Uninitialised, shared_memory_holds_zeros_in_every_block) {
  expect_zeros(
      ".shared .align 4 .b32 kept[32]; .reg .b32 %a; and.b32 %a, %i, 31; shl.b32 %a, %a, 2; "
      "ld.shared.u32 %v, [%a]; st.shared.u32 [%a], %i;");
}

}  // namespace
}  // namespace headroom::sim
