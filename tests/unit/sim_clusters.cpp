// Clusters of blocks: their registers, their barrier, and each other's shared memory.
#include <array>

#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Every thread keeps its index in shared memory; %a is where. %r: the rank of its block.
const std::string kept = std::string(thread_index) + R"(
  .shared .align 4 .b8 s[256];
  .reg .b32 %t, %a, %r, %v, %x; .reg .b64 %g, %h; .reg .pred %q;
  mov.u32 %t, %tid.x; shl.b32 %t, %t, 2; mov.u32 %a, s; add.u32 %a, %a, %t;
  mov.u32 %r, %cluster_ctarank; st.shared.u32 [%a], %i;
)";
const std::string met = "barrier.cluster.arrive; barrier.cluster.wait;";

struct Clustered : Bench {
  uint32_t* out;
  Clustered(const std::string& body, unsigned blocks, Dim3 shape)
      : Bench(body), out(allocate<uint32_t>(32 * blocks)) {
    pass(out);
    grid = {blocks, 1, 1};
    cluster = shape;
  }
};

TEST(Clusters, see_each_others_shared_memory_in_the_window_of_shared_addresses) {
  Clustered bench(kept + met + R"(
    xor.b32 %x, %r, 1; mapa.shared::cluster.u32 %v, %a, %x;
    ld.shared::cluster.u32 %v, [%v]; st.global.u32 [%p], %v;)" +
                      met + "ret;",
                  8, {2, 1, 1});
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(bench.out[i], i ^ 32);
  EXPECT_EQ(outcome.counters.shared_load_instructions, 8u);
  EXPECT_EQ(outcome.counters.shared_load_wavefronts, 8u);
}

TEST(Clusters, see_each_others_shared_memory_through_generic_addresses) {
  Clustered bench(kept + met + R"(
    xor.b32 %x, %r, 3; cvt.u64.u32 %g, %a; cvta.shared.u64 %g, %g;
    mapa.u64 %h, %g, %x; ld.u32 %v, [%h]; getctarank.u64 %x, %h; mad.lo.u32 %v, %x, 1000, %v; st.global.u32 [%p], %v;)" +
                      met + "ret;",
                  4, {4, 1, 1});
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(bench.out[i], (i ^ 96) + 1000 * (i / 32 ^ 3));
}

TEST(Clusters, hold_lanes_that_mean_different_blocks) {
  Clustered bench(kept + met + R"(
    and.b32 %x, %i, 3; mapa.shared::cluster.u32 %v, %a, %x;
    ld.shared::cluster.u32 %v, [%v]; st.global.u32 [%p], %v;)" +
                      met + "ret;",
                  4, {4, 1, 1});
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(bench.out[i], i % 32 + 32 * (i % 4));
}

TEST(Clusters, add_atomically_to_a_peer) {
  Clustered bench(kept + met + R"(
    mov.u32 %x, s; mapa.shared::cluster.u32 %x, %x, 1; atom.shared::cluster.add.u32 %v, [%x+4], 1;)" +
                      met + R"(
    mov.u32 %x, s; ld.shared.u32 %v, [%x+4]; st.global.u32 [%p], %v; ret;)",
                  2, {2, 1, 1});
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(bench.out[0], 1u);
  EXPECT_EQ(bench.out[32], 33u + 64u);
}

TEST(Clusters, know_their_place) {
  Bench bench(R"(
    .reg .b32 %r<14>; .reg .b64 %p, %o; .reg .pred %q;
    mov.u32 %r0, %clusterid.x; mov.u32 %r1, %clusterid.y; mov.u32 %r2, %nclusterid.x; mov.u32 %r3, %nclusterid.y;
    mov.u32 %r4, %cluster_ctaid.x; mov.u32 %r5, %cluster_ctaid.y; mov.u32 %r6, %cluster_nctaid.x; mov.u32 %r7, %cluster_nctaid.y;
    mov.u32 %r8, %cluster_ctarank; mov.u32 %r9, %cluster_nctarank;
    mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ctaid.y; mov.u32 %r12, %nctaid.x; mad.lo.u32 %r13, %r11, %r12, %r10;
    ld.param.u64 %p, [out]; mul.wide.u32 %o, %r13, 40; add.u64 %p, %p, %o;
    st.global.u32 [%p], %r0; st.global.u32 [%p+4], %r1; st.global.u32 [%p+8], %r2; st.global.u32 [%p+12], %r3; st.global.u32 [%p+16], %r4;
    st.global.u32 [%p+20], %r5; st.global.u32 [%p+24], %r6; st.global.u32 [%p+28], %r7; st.global.u32 [%p+32], %r8; st.global.u32 [%p+36], %r9; ret;)");
  auto* out = bench.allocate<std::array<uint32_t, 10>>(24);
  bench.pass(out);
  bench.grid = {6, 4, 1};
  bench.cluster = {2, 2, 1};
  bench.block = {1, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t y = 0; y < 4; ++y) {
    for (uint32_t x = 0; x < 6; ++x)
      EXPECT_EQ(out[y * 6 + x], (std::array<uint32_t, 10>{x / 2, y / 2, 3, 2, x % 2, y % 2, 2, 2,
                                                          x % 2 + 2 * (y % 2), 4}))
          << x << " " << y;
  }
}

TEST(Clusters, meet_without_the_threads_that_ended) {
  Clustered bench(kept + R"(
    setp.gt.u32 %q, %t, 60; @%q ret;)" +
                      met + met + "st.global.u32 [%p], %i; ret;",
                  4, {4, 1, 1});
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(bench.out[i], i % 32 < 16 ? i : 0);
}

// Block 1 arrives late, after a loop: what it wrote before is there for block 0.
TEST(Clusters, wait_for_the_last_to_arrive) {
  Clustered bench(kept + R"(
    mul.lo.u32 %x, %r, 1000;
  L: setp.eq.u32 %q, %x, 0; @%q bra D; sub.u32 %x, %x, 1; bra L;
  D: add.u32 %v, %i, 5; st.shared.u32 [%a], %v;)" +
                      met + R"(
    xor.b32 %x, %r, 1; mapa.shared::cluster.u32 %v, %a, %x; ld.shared::cluster.u32 %v, [%v]; st.global.u32 [%p], %v;)" +
                      met + "ret;",
                  2, {2, 1, 1});
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(bench.out[i], (i ^ 32) + 5);
}

TEST(Clusters, find_a_read_of_a_block_that_has_ended) {
  Clustered bench(kept + met + R"(
    setp.eq.u32 %q, %r, 1; @%q ret;
    mov.u32 %x, 0;
  L: add.u32 %x, %x, 1; setp.lt.u32 %q, %x, 1000; @%q bra L;
    bar.sync 0; mapa.shared::cluster.u32 %v, %a, 1; ld.shared::cluster.u32 %v, [%v]; ret;)",
                  2, {2, 1, 1});
  bench.block = {64, 1, 1};  // the second warp lets the other block run
  const Outcome outcome = bench.run();
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings[0].kind, "illegal_shared_load");
  EXPECT_NE(outcome.findings[0].what.find("of block 1 of the cluster, which has ended"),
            std::string::npos)
      << outcome.findings[0].what;
}

TEST(Clusters, find_a_block_that_the_cluster_does_not_have) {
  Clustered bench(kept + met +
                      "mapa.shared::cluster.u32 %v, %a, 2; st.shared::cluster.u32 [%v], %i;" + met +
                      "ret;",
                  2, {2, 1, 1});
  const Outcome outcome = bench.run();
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings[0].kind, "illegal_shared_store");
  EXPECT_NE(outcome.findings[0].what.find("block 2 of the cluster, which has 2 blocks"),
            std::string::npos)
      << outcome.findings[0].what;
}

TEST(Clusters, of_one_block_are_what_a_launch_without_them_has) {
  Clustered bench(kept + met +
                      "mapa.shared::cluster.u32 %v, %a, 0; ld.shared::cluster.u32 %v, [%v]; "
                      "add.u32 %v, %v, %r; st.global.u32 [%p], %v; ret;",
                  3, {1, 1, 1});
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 96; ++i) EXPECT_EQ(bench.out[i], i);
}

TEST(Clusters, are_those_that_the_kernel_asks_for) {
  Bench bench("ret;", ".param .u64 out) .reqnctapercluster 2, 1, 1 //");
  bench.pass(uint64_t(0));
  bench.grid = {4, 1, 1};
  EXPECT_THROW(bench.run(), Error);
  bench.cluster = {2, 1, 1};
  EXPECT_TRUE(bench.run().completed);
}

// The barrier of a cooperative grid, as cooperative_groups builds it on the workspace of %envreg1 and 2.
TEST(Cooperative, grids_meet) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b64 %w, %h, %z; .reg .b32 %e, %n, %old, %now, %c, %v; .reg .pred %m, %q;
    mov.u32 %e, %envreg2; cvt.u64.u32 %w, %e; mov.u32 %e, %envreg1; cvt.u64.u32 %h, %e; bfi.b64 %w, %h, %w, 32, 32; add.u64 %w, %w, 4;
    st.global.u32 [%p], %i;
    barrier.sync 0; mov.u32 %c, %tid.x; setp.ne.u32 %m, %c, 0; @%m bra J;
    mov.u32 %c, %ctaid.x; setp.eq.u32 %q, %c, 0; mov.u32 %n, %nctaid.x; sub.u32 %n, -2147483647, %n; selp.b32 %n, %n, 1, %q;
    atom.add.release.gpu.u32 %old, [%w], %n;
  L: ld.acquire.gpu.u32 %now, [%w]; xor.b32 %now, %now, %old; setp.gt.s32 %q, %now, -1; @%q bra L;
  J: barrier.sync 0;
    ld.param.u64 %z, [out]; sub.u32 %i, 255, %i; mul.wide.u32 %o, %i, 4; add.u64 %z, %z, %o; ld.global.u32 %v, [%z]; st.global.u32 [%p+1024], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(512);
  bench.pass(out);
  bench.grid = {8, 1, 1};
  bench.cooperative = true;
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(bench.run().completed);
    for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(out[256 + i], 255 - i);
  }
}

}  // namespace
}  // namespace headroom::sim
