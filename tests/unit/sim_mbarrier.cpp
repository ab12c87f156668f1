// Barriers in shared memory: what each operation does to the word, and what programs do with them.
#include "sim/mbarrier.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

BarrierWord made(uint64_t count) {
  BarrierWord word;
  EXPECT_EQ(word.init(count), Misuse::none);
  return word;
}

TEST(BarrierWord, begins_in_phase_0_with_all_arrivals_pending) {
  const BarrierWord word = made(3);
  EXPECT_TRUE(word.initialised());
  EXPECT_EQ(word.phase(), false);
  EXPECT_EQ(word.pending(), 3u);
  EXPECT_EQ(word.expected(), 3u);
  EXPECT_EQ(word.transactions(), 0);
}

TEST(BarrierWord, the_last_arrival_ends_the_phase_and_all_are_pending_again) {
  BarrierWord word = made(3);
  EXPECT_EQ(word.arrive(2), Misuse::none);
  EXPECT_EQ(word.pending(), 1u);
  EXPECT_FALSE(word.passed(false));
  EXPECT_TRUE(word.passed(true)) << "the phase before the first";
  EXPECT_EQ(word.arrive(1), Misuse::none);
  EXPECT_TRUE(word.passed(false));
  EXPECT_EQ(word.pending(), 3u);
}

TEST(BarrierWord, a_phase_waits_for_transactions_and_for_arrivals) {
  BarrierWord word = made(1);
  EXPECT_EQ(word.arrive(1, 4096), Misuse::none);
  EXPECT_FALSE(word.passed(false));
  EXPECT_EQ(word.pending(), 0u);
  EXPECT_EQ(word.complete(4000), Misuse::none);
  EXPECT_EQ(word.transactions(), 96);
  EXPECT_EQ(word.complete(96), Misuse::none);
  EXPECT_TRUE(word.passed(false));

  EXPECT_EQ(word.complete(64), Misuse::none);  // a copy that ends before it is expected
  EXPECT_EQ(word.transactions(), -64);
  EXPECT_EQ(word.arrive(1, 64), Misuse::none);
  EXPECT_TRUE(word.passed(true));
  EXPECT_EQ(word.transactions(), 0);
}

TEST(BarrierWord, who_drops_is_not_expected_again) {
  BarrierWord word = made(4);
  EXPECT_EQ(word.arrive(3, 0, BarrierWord::drop), Misuse::none);
  EXPECT_EQ(word.arrive(1), Misuse::none);
  EXPECT_TRUE(word.passed(false));
  EXPECT_EQ(word.pending(), 1u);
  EXPECT_EQ(word.expected(), 1u);
}

TEST(BarrierWord, counts_go_to_twenty_bits_and_no_further) {
  BarrierWord word = made((1 << 20) - 1);
  EXPECT_EQ(word.expect((1 << 20) - 1), Misuse::none);
  EXPECT_EQ(word.transactions(), (1 << 20) - 1);
  EXPECT_EQ(word.pending(), uint64_t((1 << 20) - 1));
  EXPECT_EQ(word.expect(1), Misuse::transactions);
  EXPECT_EQ(word.complete(2 * ((1 << 20) - 1)), Misuse::none);
  EXPECT_EQ(word.transactions(), -((1 << 20) - 1));
  EXPECT_EQ(word.complete(1), Misuse::transactions);
  EXPECT_EQ(BarrierWord{}.init(1 << 20), Misuse::count);
  EXPECT_EQ(BarrierWord{}.init(0), Misuse::count);
}

TEST(BarrierWord, misuse_has_a_name) {
  BarrierWord none, two = made(2);
  EXPECT_EQ(none.arrive(1), Misuse::uninitialised);
  EXPECT_EQ(none.expect(1), Misuse::uninitialised);
  EXPECT_EQ(two.arrive(3), Misuse::arrivals);
  EXPECT_EQ(two.arrive(2, 0, BarrierWord::no_complete), Misuse::completed);
  EXPECT_EQ(two.arrive(1, 0, BarrierWord::no_complete), Misuse::none);
}

const std::string begin = std::string(thread_index) + R"(
  .shared .align 8 .b8 bar[16]; .reg .b32 %b, %t, %n; .reg .b64 %s, %g; .reg .pred %q, %w, %z;
  mov.u32 %b, bar; mov.u32 %t, %tid.x; setp.eq.u32 %z, %t, 0; cvt.u64.u32 %g, %b; cvta.shared.u64 %g, %g;
)";

struct TwoWarps : Bench {
  explicit TwoWarps(const std::string& body) : Bench(begin + body) { block = {64, 1, 1}; }
};

TEST(Mbarrier, threads_of_two_warps_meet_by_state) {
  TwoWarps bench(R"(
    .shared .align 4 .b8 words[256]; .reg .b32 %m, %v; mov.u32 %m, words; mad.lo.u32 %m, %t, 4, %m;
    @%z mbarrier.init.shared.b64 [%b], 64; bar.sync 0;
    st.shared.u32 [%m], %t; mbarrier.arrive.shared::cta.b64 %s, [%b];
    WAIT: mbarrier.try_wait.shared::cta.b64 %q, [%b], %s, 1000; @!%q bra WAIT;
    mov.u32 %m, words; xor.b32 %v, %t, 63; mad.lo.u32 %m, %v, 4, %m; ld.shared.u32 %v, [%m]; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i ^ 63);
}

TEST(Mbarrier, parities_take_turns_and_generic_addresses_do) {
  TwoWarps bench(R"(
    .reg .b32 %parity, %v; mov.u32 %parity, 0; mov.u32 %n, 0; mov.u32 %v, 0;
    @%z mbarrier.init.b64 [%g+8], 2; bar.sync 0;
    LOOP: and.b32 %t, %i, 31; setp.eq.u32 %w, %t, 0;
    @%w mbarrier.arrive.release.cta.b64 _, [%g+8];
    WAIT: mbarrier.test_wait.parity.acquire.cta.b64 %q, [%g+8], %parity; @!%q bra WAIT;
    xor.b32 %parity, %parity, 1; add.u32 %n, %n, 1; setp.lt.u32 %w, %n, 5; @%w bra LOOP;
    st.global.u32 [%p], %n; ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], 5u);
}

TEST(Mbarrier, a_state_tells_what_was_pending_before_it) {
  Bench bench(begin + R"(.reg .b32 %c;
    @%z mbarrier.init.shared.b64 [%b], 100; bar.warp.sync -1;
    mbarrier.arrive.noComplete.shared.b64 %s, [%b], 2; mbarrier.pending_count.b64 %c, %s; st.global.u32 [%p], %c; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 100 - 2 * i);
}

TEST(Mbarrier, transactions_are_expected_and_completed) {
  Bench bench(begin + R"(
    setp.ne.u32 %w, %t, 0; @%w bra END;
    mbarrier.init.shared.b64 [%b], 2; mbarrier.arrive.expect_tx.shared.b64 _, [%b], 64; mbarrier.arrive_drop.expect_tx.shared.b64 %s, [%b], 32;
    mbarrier.complete_tx.shared.b64 [%b], 90; mbarrier.expect_tx.relaxed.cta.shared.b64 [%b], 4;
    mbarrier.test_wait.shared.b64 %q, [%b], %s; selp.u32 %n, 1, 0, %q; st.global.u32 [%p], %n;
    mbarrier.complete_tx.shared.b64 [%b], 10;
    mbarrier.test_wait.shared.b64 %q, [%b], %s; selp.u32 %n, 1, 0, %q; st.global.u32 [%p+4], %n;
    mbarrier.arrive.shared.b64 %s, [%b]; mbarrier.test_wait.parity.shared.b64 %q, [%b], 1; selp.u32 %n, 1, 0, %q; st.global.u32 [%p+8], %n;
    END: ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[1], 1u);
  EXPECT_EQ(out[2], 1u) << "one arrival is enough since the other dropped";
}

TEST(Mbarrier, copies_arrive_when_they_are_done) {
  Bench bench(
      begin +
      R"(.shared .align 16 .b8 tile[128]; .reg .b32 %m, %v; mov.u32 %m, tile; mad.lo.u32 %m, %t, 4, %m;
    @%z mbarrier.init.shared.b64 [%b], 33; bar.warp.sync -1;
    cp.async.ca.shared.global [%m], [%p], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%b]; cp.async.mbarrier.arrive.shared.b64 [%b];
    mbarrier.test_wait.parity.shared.b64 %q, [%b], 0; selp.u32 %v, 100, 0, %q;
    @%z mbarrier.arrive.shared.b64 %s, [%b];
    WAIT: mbarrier.test_wait.parity.shared.b64 %q, [%b], 0; @!%q bra WAIT;
    ld.shared.u32 %n, [%m]; add.u32 %n, %n, %v; st.global.u32 [%p], %n; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  for (uint32_t i = 0; i < 32; ++i) out[i] = i;
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i);
}

TEST(Mbarrier, misuse_is_a_finding) {
  struct Wrong {
    const char *body, *kind;
  };
  for (const Wrong& wrong :
       {Wrong{"mbarrier.arrive.shared.b64 %s, [%b]; ret;", "mbarrier_uninitialised"},
        Wrong{"mbarrier.test_wait.parity.shared.b64 %q, [%b], 0; ret;", "mbarrier_uninitialised"},
        Wrong{"mov.u32 %n, 0; mbarrier.init.shared.b64 [%b], %n; ret;", "mbarrier_count"},
        Wrong{"mbarrier.init.shared.b64 [%b], 3; mbarrier.arrive.shared.b64 %s, [%b], 4; ret;",
              "mbarrier_arrivals"},
        Wrong{"mbarrier.init.shared.b64 [%b], 3; mbarrier.expect_tx.relaxed.cta.shared.b64 [%b], "
              "1048576; ret;",
              "mbarrier_transactions"},
        Wrong{"mbarrier.init.shared.b64 [%b], 3; mbarrier.arrive.noComplete.shared.b64 %s, [%b], "
              "3; ret;",
              "mbarrier_completed"},
        Wrong{"mbarrier.init.shared.b64 [%b+4], 3; ret;", "misaligned_mbarrier"},
        Wrong{"mbarrier.init.shared.b64 [%b], 3; mbarrier.inval.shared.b64 [%b]; "
              "mbarrier.arrive.shared.b64 %s, [%b]; ret;",
              "mbarrier_uninitialised"}}) {
    Bench bench(begin + wrong.body);
    bench.pass(bench.allocate<uint32_t>(32));
    bench.block = {1, 1, 1};
    const Outcome outcome = bench.run();
    ASSERT_FALSE(outcome.completed) << wrong.body;
    EXPECT_EQ(outcome.findings.at(0).kind, wrong.kind);
  }
}

}  // namespace
}  // namespace headroom::sim
