// Bulk copies: between global and shared memory, with the barrier they complete, reductions, and what no GPU takes.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// One warp; lane 0 (@%z) does the work. %b: a barrier that expects one arrival; %t: `tile`, 1024 bytes; %g: `in`; %p: `out`.
const std::string begin = R"(
  .shared .align 8 .b8 bar[8]; .shared .align 128 .b8 tile[1024]; .reg .b32 %i, %b, %t, %n, %v; .reg .b64 %g, %p, %o, %w; .reg .pred %z, %q;
  mov.u32 %i, %tid.x; setp.eq.u32 %z, %i, 0; mov.u32 %b, bar; mov.u32 %t, tile;
  ld.param.u64 %g, [in]; cvta.to.global.u64 %g, %g; ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p;
  @%z mbarrier.init.shared.b64 [%b], 1; fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta; bar.sync 0;
)";
const std::string wait =
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra WAIT;\n";
// Every lane writes its word of the tile to `out`.
const std::string show =
    "mad.lo.u32 %n, %i, 4, %t; ld.shared.u32 %v, [%n]; mul.wide.u32 %o, %i, 4; add.s64 %o, %o, %p; "
    "st.global.u32 [%o], %v; ret;";

struct Ran {
  Outcome outcome;
  std::vector<uint32_t> out;
};

Ran ran(const std::string& body, bool in_clusters = false) {
  constexpr uint32_t words = 256;
  Bench bench(begin + body, ".param .u64 in, .param .u64 out");
  bench.in_clusters = in_clusters;
  auto* in = bench.allocate<uint32_t>(words);
  for (uint32_t i = 0; i < words; ++i) in[i] = 1000 + i;
  auto* out = bench.allocate<uint32_t>(256);
  bench.pass(in);
  bench.pass(out);
  Ran result{bench.run(), {}};
  result.out.assign(out, out + 256);
  return result;
}

TEST(BulkCopy, global_memory_arrives_in_shared_memory_and_completes_the_barrier) {
  const Ran run =
      ran("@%z mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 256;\n"
          "@%z cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%g+64], "
          "128, [%b];\n"
          "@%z cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
          "[%t+128], [%g+192], 128, [%b], %o;\n" +
          wait + show);
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.out[i], 1016 + i);
  EXPECT_EQ(run.outcome.counters.bulk_load_sectors, 8u);
  EXPECT_EQ(run.outcome.counters.unique_load_sectors, 8u);
  EXPECT_EQ(run.outcome.counters.global_load_sectors, 0u);
}

TEST(BulkCopy, a_copy_may_end_before_its_bytes_are_expected) {
  const Ran run = ran(
      "@%z cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%t], [%g], 128, [%b];\n"
      "@%z mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128;\n" +
      wait + show);
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  EXPECT_EQ(run.out[31], 1031u);
}

TEST(BulkCopy, shared_memory_goes_to_global_memory_in_groups) {
  const Ran run =
      ran("mad.lo.u32 %n, %i, 4, %t; st.shared.u32 [%n], %i; fence.proxy.async.shared::cta; "
          "bar.sync 0;\n"
          "@%z cp.async.bulk.global.shared::cta.bulk_group [%p+16], [%t], 96;\n"
          "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group "
          "0; ret;");
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.out[i], i < 4 || i >= 28 ? 0 : i - 4);
  EXPECT_EQ(run.outcome.counters.bulk_store_sectors, 4u);
  EXPECT_EQ(run.outcome.counters.unique_store_sectors, 4u);
}

TEST(BulkCopy, a_copy_between_blocks_may_stay_in_one) {
  const Ran run =
      ran("mad.lo.u32 %n, %i, 4, %t; st.shared.u32 [%n+512], %i; bar.sync 0;\n"
          "@%z mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128;\n"
          "@%z cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%t], "
          "[%t+512], 128, [%b];\n" +
              wait + show,
          true);
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.out[i], i);
}

TEST(BulkCopy, reductions_go_element_by_element) {
  // `out` holds 0 … 0; the tile holds 1, 2, 3 …; added twice, then the minimum with 40.
  const Ran add =
      ran("mad.lo.u32 %n, %i, 4, %t; add.u32 %v, %i, 1; st.shared.u32 [%n], %v; st.shared.u32 "
          "[%n+128], 40; bar.sync 0;\n"
          "@%z cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%p], [%t], 128;\n"
          "@%z cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u32 [%p], "
          "[%t], 128, %o;\n"
          "@%z cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [%p], [%t+128], 112;\n"
          "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;");
  ASSERT_TRUE(add.outcome.completed) << add.outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(add.out[i], i < 28 ? std::min(2 * (i + 1), 40u) : 2 * (i + 1)) << i;

  const Ran floats =
      ran("mad.lo.u32 %n, %i, 4, %t; st.shared.u32 [%n], 0x40003c00; bar.sync 0;\n"  // halves 1, 2
          "@%z cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%p], [%t], 128;\n"
          "@%z cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%p], [%t], 64;\n "
          "ret;");
  ASSERT_TRUE(floats.outcome.completed) << floats.outcome.findings.at(0).what;
  EXPECT_EQ(floats.out[0], 0x44004000u);
  EXPECT_EQ(floats.out[31], 0x40003c00u);

  const Ran small =
      ran("mad.lo.u32 %n, %i, 4, %t; st.shared.u32 [%n], 0x00000003; bar.sync 0;\n"  // subnormal
          "@%z cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%p], [%t], 128;\n"
          "@%z cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%p], [%t], 128;\n ret;");
  ASSERT_TRUE(small.outcome.completed) << small.outcome.findings.at(0).what;
  EXPECT_EQ(small.out[31], 6u);
}

TEST(BulkCopy, prefetches_bring_nothing) {
  const Ran run =
      ran("@%z cp.async.bulk.prefetch.L2.global [%g], 128; prefetch.global.L2 [%g]; "
          "discard.global.L2 [%g], 128; applypriority.global.L2::evict_normal [%g], 128; ret;");
  EXPECT_TRUE(run.outcome.completed);
  EXPECT_EQ(run.outcome.counters.bulk_load_sectors, 0u);
}

TEST(BulkCopy, what_no_gpu_copies_is_a_finding) {
  const std::string load = "@%z cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
  struct Wrong {
    std::string body, kind;
  };
  for (const Wrong& wrong :
       {Wrong{load + "[%t], [%g], 100, [%b]; ret;", "misaligned_bulk_copy"},
        Wrong{load + "[%t+8], [%g], 128, [%b]; ret;", "misaligned_bulk_copy"},
        Wrong{load + "[%t], [%g+4], 128, [%b]; ret;", "misaligned_bulk_copy"},
        Wrong{load + "[%t], [%g+3145728], 1024, [%b]; ret;", "illegal_global_load"},
        Wrong{load + "[%t+512], [%g], 1024, [%b]; ret;", "illegal_shared_store"},
        Wrong{load + "[%t], [%g], 128, [%t+1016]; ret;", "mbarrier_uninitialised"}}) {
    const Ran run = ran(wrong.body);
    ASSERT_FALSE(run.outcome.completed) << wrong.body;
    EXPECT_EQ(run.outcome.findings.at(0).kind, wrong.kind) << wrong.body;
  }
}

TEST(RemoteStores, data_arrives_with_its_bytes) {
  const Ran run =
      ran("@%z mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 512;\n bar.sync 0; mad.lo.u32 "
          "%n, %i, 16, %t; add.u32 %v, %i, 100;\n"
          "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%n], {%i, %v, %i, "
          "%v}, [%b];\n" +
              wait + show,
          true);
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.out[i], i / 4 + (i & 1) * 100);

  const Ran sum =
      ran("@%z mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128; @%z st.shared.u32 [%t], "
          "1000; bar.sync 0;\n"
          "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%t], "
          "%i, [%b];\n" +
              wait + show,
          true);
  ASSERT_TRUE(sum.outcome.completed) << sum.outcome.findings.at(0).what;
  EXPECT_EQ(sum.out[0], 1000u + 31 * 16);
}

TEST(RemoteStores, are_illegal_in_a_launch_without_clusters) {
  for (const std::string body :
       {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%t], %i, [%b]; ret;",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%t], %i, "
        "[%b]; ret;",
        "@%z cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%t], "
        "[%t+512], 128, [%b]; ret;"}) {
    const Ran run = ran(body);
    ASSERT_FALSE(run.outcome.completed) << body;
    EXPECT_EQ(run.outcome.findings.at(0).kind, "illegal_instruction") << body;
    EXPECT_TRUE(ran(body, true).outcome.completed) << body;
  }
}

TEST(SmallOnes, hints_and_wishes_change_nothing) {
  const Ran run = ran(
      R"(createpolicy.fractional.L2::evict_first.b64 %o, 1.0; createpolicy.range.global.L2::evict_last.b64 %o, [%g], 64, 128;
    createpolicy.cvt.L2.b64 %o, %o; setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.inc.sync.aligned.u32 232; griddepcontrol.wait; griddepcontrol.launch_dependents;
    fence.proxy.async; fence.proxy.alias; fence.proxy.async.global; fence.proxy.tensormap::generic.release.gpu; prefetch.tensormap [%g];
    mul.wide.u32 %w, %i, 4; add.s64 %g, %g, %w; ld.global.L2::cache_hint.u32 %v, [%g], %o; add.s64 %p, %p, %w; st.global.L2::cache_hint.u32 [%p], %v, %o; ret;)");
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.out[i], 1000 + i);
}

TEST(SmallOnes, one_lane_is_elected) {
  const Ran run =
      ran("elect.sync %v|%q, 0xffffffff; selp.u32 %n, 100, 0, %q; add.u32 %v, %v, %n; mul.wide.u32 "
          "%o, %i, 4; add.s64 %p, %p, %o; st.global.u32 [%p], %v; ret;");
  ASSERT_TRUE(run.outcome.completed);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.out[i], i == 0 ? 100u : 0u);
}

TEST(SmallOnes, what_other_machines_have_is_refused_by_name) {
  for (const char* later : {"multimem.st.global.u32 [%g], %v;",
                            "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx:"
                            ":bytes.cta_group::2 [%t], [%g, {%n, %v}], [%b];"}) {
    Bench bench(begin + later + "ret;", ".param .u64 in, .param .u64 out");
    EXPECT_THROW(decode(bench.module, "k"), Error) << later;
  }
}

}  // namespace
}  // namespace headroom::sim
