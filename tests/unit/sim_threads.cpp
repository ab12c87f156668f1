// A launch on several host threads: everything that is seen of it is what one thread gives.
#include <sys/wait.h>
#include <unistd.h>

#include "sim/program.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Long enough that one host thread does not do it alone: every thread goes round a hundred times
// and more.
const std::string busy = R"(
  { .reg .pred %go; .reg .b32 %k, %x, %n;
    mov.u32 %k, 0; mov.u32 %x, %i; and.b32 %n, %i, 63; add.u32 %n, %n, 100;
  BUSY: mad.lo.u32 %x, %x, 1664525, 1013904223; add.u32 %k, %k, 1; setp.lt.u32 %go, %k, %n; @%go bra BUSY;
    st.global.u32 [%p], %x; }
)";

constexpr unsigned blocks = 400;

Outcome run(const std::string& body, unsigned threads, std::vector<uint32_t>* memory = nullptr,
            const std::string& before = "") {
  Bench bench(std::string(thread_index) + body, ".param .u64 out", before);
  auto* out = bench.allocate<uint32_t>(64 * blocks + 64);
  bench.pass(out);
  bench.grid = {blocks, 1, 1};
  bench.block = {64, 1, 1};
  bench.threads = threads;
  Outcome outcome = bench.run();
  if (memory) memory->assign(out, out + 64 * blocks + 64);
  return outcome;
}

TEST(Threads, count_and_compute_the_same_however_many_they_are) {
  std::vector<uint32_t> expected;
  const Outcome one = run(busy + "ret;", 1, &expected);
  ASSERT_TRUE(one.completed);
  EXPECT_EQ(one.threads, 1u);
  for (unsigned threads : {2u, 4u}) {
    std::vector<uint32_t> memory;
    const Outcome outcome = run(busy + "ret;", threads, &memory);
    EXPECT_EQ(outcome.counters, one.counters);
    EXPECT_EQ(memory, expected);
  }
}

// Another thread may be woken too late to find work: not every time.
TEST(Threads, take_part_in_a_large_launch) {
  unsigned most = 0;
  for (int attempt = 0; attempt < 100 && most < 2; ++attempt)
    most = std::max(most, run(busy + "ret;", 2).threads);
  EXPECT_EQ(most, 2u);
}

TEST(Threads, are_not_woken_for_a_small_launch) {
  Bench bench(std::string(thread_index) + "st.global.u32 [%p], %i; ret;");
  bench.pass(bench.allocate<uint32_t>(64));
  bench.grid = {2, 1, 1};
  bench.threads = 2;
  unsigned least = 2;  // a launch may be held up for as long as a large one takes
  for (int attempt = 0; attempt < 100 && least > 1; ++attempt) least = bench.run().threads;
  EXPECT_EQ(least, 1u);
}

TEST(Threads, lose_no_integer_atomic_whose_result_nobody_looks_at) {
  const std::string add =
      "ld.param.u64 %p, [out]; red.global.add.u32 [%p+102400], 1; red.global.max.u32 [%p+102404], "
      "%i; red.global.xor.b32 [%p+102408], %i; ret;";
  for (unsigned threads : {1u, 2u, 4u}) {
    std::vector<uint32_t> memory;
    const Outcome outcome = run(busy + add, threads, &memory);
    ASSERT_TRUE(outcome.completed);
    EXPECT_EQ(memory[25600], 64 * blocks);
    EXPECT_EQ(memory[25601], 64 * blocks - 1);
    EXPECT_EQ(memory[25602], 0u);  // the xor of 0 … 25599
  }
}

// Block 37 is the busiest and fails late, block 38 and those after it fail at once.
TEST(Threads, report_the_fault_of_the_lowest_block) {
  const std::string fail = R"(
    .reg .pred %late, %soon; .reg .b32 %c; .reg .b64 %z;
    mov.u64 %z, 0; mov.u32 %c, %ctaid.x;
    setp.gt.u32 %soon, %c, 37; setp.eq.u32 %late, %c, 37;
    @%soon st.global.u32 [%z], %c;
  )";
  for (unsigned threads : {1u, 2u, 4u}) {
    const Outcome outcome = run(fail + busy + "@%late st.global.u32 [%z+4], %c; ret;", threads);
    ASSERT_FALSE(outcome.completed);
    EXPECT_EQ(outcome.findings.at(0).block[0], 37u);
    EXPECT_EQ(outcome.findings.at(0).address, 4u);
  }
}

TEST(Threads, print_in_the_order_of_blocks) {
  const std::string print = R"(
    .reg .pred %first; .reg .b32 %c; .reg .b64 %f, %g;
    .local .align 8 .b8 words[8]; .reg .b64 %w;
    mov.u32 %c, %tid.x; setp.ne.u32 %first, %c, 0; @%first ret;
    mov.u32 %c, %ctaid.x; st.local.u32 [words], %c; mov.u64 %w, words; cvta.local.u64 %w, %w;
    mov.u64 %f, format; cvta.global.u64 %g, %f;
    { .param .b64 a0; st.param.b64 [a0], %g; .param .b64 a1; st.param.b64 [a1], %w; .param .b32 r;
      call.uni (r), vprintf, (a0, a1); }
    ret;)";
  const std::string before =
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.global .align 1 .b8 "
      "format[4] = {37, 117, 32, 0};";
  std::string expected;
  for (unsigned b = 0; b < blocks; ++b) expected += std::to_string(b) + " ";
  for (unsigned threads : {1u, 2u, 4u}) {
    const Outcome outcome = run(busy + print, threads, nullptr, before);
    ASSERT_TRUE(outcome.completed);
    EXPECT_EQ(outcome.printed, expected);
  }
}

// A word past the end of the allocation, in a page that is mapped: every block does it.
TEST(Threads, say_once_and_of_the_first_block_that_an_access_strays) {
  for (unsigned threads : {1u, 2u, 4u}) {
    const Outcome outcome =
        run(busy + "ld.param.u64 %p, [out]; ld.global.u32 %i, [%p+102656]; ret;", threads);
    ASSERT_TRUE(outcome.completed);
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].kind, "out_of_bounds_global_load");
    EXPECT_EQ(outcome.findings[0].block[0], 0u);
  }
}

TEST(Threads, are_there_again_in_a_child_made_by_fork) {
  const Outcome before = run(busy + "ret;", 2);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // a child that waits for threads it does not have
    const Outcome outcome = run(busy + "ret;", 2);
    _exit(outcome.counters == before.counters ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

bool ordered(const std::string& body) {
  Bench bench(std::string(thread_index) +
              ".shared .align 8 .b8 s[64]; .reg .b32 %v; .reg .f32 %f; .reg .pred %q; mov.f32 %f, "
              "0f00000000;" +
              body);
  return facts(*decode(bench.module, "k")).ordered;
}

TEST(Threads, are_one_where_the_order_of_blocks_shows) {
  EXPECT_TRUE(ordered("atom.global.add.u32 %v, [%p], 1; ret;"));
  EXPECT_TRUE(ordered("red.global.add.f32 [%p], %f; ret;"));
  EXPECT_TRUE(ordered("atom.global.exch.b32 _, [%p], 1; ret;"));  // who is last stays
  EXPECT_TRUE(ordered("mov.u32 %v, %clock; ret;"));
  EXPECT_TRUE(
      ordered("W: ld.volatile.global.u32 %v, [%p]; setp.eq.u32 %q, %v, 0; @%q bra W; ret;"));
  EXPECT_FALSE(ordered("red.global.add.u32 [%p], 1; ret;"));
  EXPECT_FALSE(ordered("atom.shared.add.u32 %v, [s], 1; ret;"));
  EXPECT_FALSE(ordered("red.shared.add.f32 [s], %f; ret;"));
  EXPECT_FALSE(
      ordered("W: ld.volatile.shared.u32 %v, [s]; setp.eq.u32 %q, %v, 0; @%q bra W; ret;"));
}

}  // namespace
}  // namespace headroom::sim
