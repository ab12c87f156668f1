// cp.async: bytes go from global to shared memory, fewer where src-size says so, and are counted as loads and stores.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Every thread copies 16 bytes of `in`, and writes what it has in shared memory to `out`. %s: its place in `tile`, %g: in `in`.
const std::string begin = R"(
  .shared .align 16 .b8 tile[512]; .reg .b32 %i, %s, %n; .reg .b64 %g, %p, %o; .reg .pred %q, %r; .reg .b32 %v<4>;
  mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 16; ld.param.u64 %g, [in]; cvta.to.global.u64 %g, %g; add.s64 %g, %g, %o;
  ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p; add.s64 %p, %p, %o; mov.u32 %s, tile; mad.lo.u32 %s, %i, 16, %s;
  st.shared.v4.u32 [%s], {77, 77, 77, 77};
)";
const std::string end = R"(
  cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
  ld.shared.v4.u32 {%v0, %v1, %v2, %v3}, [%s]; st.global.v4.u32 [%p], {%v0, %v1, %v2, %v3}; ret;
)";

struct Copied {
  Outcome outcome;
  std::vector<uint32_t> out;
};

// `in` holds 128 words 1000, 1001 …, of which `words` are allocated.
Copied copied(const std::string& copy, size_t words = 128) {
  Bench bench(begin + copy + end, ".param .u64 in, .param .u64 out");
  auto* in = bench.allocate<uint32_t>(words);
  for (uint32_t i = 0; i < words; ++i) in[i] = 1000 + i;
  auto* out = bench.allocate<uint32_t>(128);
  bench.pass(in);
  bench.pass(out);
  Copied result{bench.run(), {}};
  result.out.assign(out, out + 128);
  return result;
}

TEST(CopyAsync, sixteen_bytes_a_lane_arrive_and_count_as_a_load_and_a_store) {
  const Copied plain = copied("cp.async.cg.shared.global [%s], [%g], 16;");
  ASSERT_TRUE(plain.outcome.completed);
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(plain.out[i], 1000 + i);
  const Counters& c = plain.outcome.counters;
  EXPECT_EQ(c.global_load_requests, 1u);
  EXPECT_EQ(c.global_load_sectors, 16u);
  EXPECT_EQ(c.global_load_bytes, 512u);
  EXPECT_EQ(c.shared_store_instructions, 2u);  // and the one that wrote 77
  EXPECT_EQ(c.shared_store_wavefronts, 8u);
}

TEST(CopyAsync, four_and_eight_bytes_leave_the_rest_as_it_was) {
  const Copied four = copied("cp.async.ca.shared.global.L2::128B [%s+4], [%g+8], 4;");
  const Copied eight = copied("cp.async.ca.shared::cta.global.L2::cache_hint [%s+8], [%g], 8, %o;");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(four.out[4 * i], 77u);
    EXPECT_EQ(four.out[4 * i + 1], 1000 + 4 * i + 2);
    EXPECT_EQ(eight.out[4 * i + 1], 77u);
    EXPECT_EQ(eight.out[4 * i + 3], 1000 + 4 * i + 1);
  }
}

TEST(CopyAsync, bytes_beyond_the_source_size_become_zeros_and_are_not_read) {
  // Lane 31 brings nothing, lane 30 brings 12 of its 16 bytes, which are the last of the allocation.
  const Copied less = copied(
      R"(mov.u32 %n, 123; mul.lo.u32 %v0, %i, 4; sub.s32 %n, %n, %v0; max.s32 %n, %n, 0; min.s32 %n, %n, 4; mul.lo.u32 %n, %n, 4;
    cp.async.cg.shared.global [%s], [%g], 16, %n;)",
      123);
  ASSERT_TRUE(less.outcome.completed);
  EXPECT_TRUE(less.outcome.findings.empty()) << less.outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(less.out[i], i < 123 ? 1000 + i : 0) << i;
  EXPECT_EQ(less.outcome.counters.global_load_requests, 1u);
  EXPECT_EQ(less.outcome.counters.global_load_bytes, 123u * 4);
  EXPECT_EQ(less.outcome.counters.unique_load_sectors, 16u);
}

TEST(CopyAsync, a_source_that_is_ignored_gives_zeros) {
  const Copied ignored =
      copied("setp.ge.u32 %q, %i, 8; cp.async.ca.shared.global [%s], [%g], 16, %q;", 32);
  ASSERT_TRUE(ignored.outcome.completed);
  EXPECT_TRUE(ignored.outcome.findings.empty());
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(ignored.out[i], i < 32 ? 1000 + i : 0) << i;
}

TEST(CopyAsync, a_guard_and_a_source_size_hold_both) {
  const Copied both = copied(
      "setp.lt.u32 %q, %i, 16; and.b32 %n, %i, 1; shl.b32 %n, %n, 4; @!%q "
      "cp.async.cg.shared.global.L2::cache_hint [%s], [%g], 16, %n, %o;");
  ASSERT_TRUE(both.outcome.completed);
  for (uint32_t i = 0; i < 128; ++i)
    EXPECT_EQ(both.out[i], i / 4 < 16 ? 77 : i / 4 % 2 ? 1000 + i : 0) << i;
  EXPECT_EQ(both.outcome.counters.global_load_bytes, 8u * 16);
}

TEST(CopyAsync, a_copy_from_outside_is_a_finding) {
  const Copied past = copied("cp.async.cg.shared.global [%s], [%o], 16;");
  EXPECT_FALSE(past.outcome.completed);
  EXPECT_EQ(past.outcome.findings.at(0).kind, "illegal_global_load");
  const Copied beyond = copied("cp.async.cg.shared.global [%s+512], [%g], 16;");
  EXPECT_FALSE(beyond.outcome.completed);
  EXPECT_EQ(beyond.outcome.findings.at(0).kind, "illegal_shared_store");
  const Copied misaligned =
      copied("mov.u32 %n, 8; cp.async.cg.shared.global [%s], [%g+4], 16, %n;");
  EXPECT_FALSE(misaligned.outcome.completed);
  EXPECT_EQ(misaligned.outcome.findings.at(0).kind, "misaligned_global_load");
}

TEST(CopyAsync, sizes_that_no_gpu_copies_are_refused) {
  for (const char* wrong : {"cp.async.ca.shared.global [%s], [%g], 2;",
                            "cp.async.cg.shared.global [%s], [%g], 16, 17;"}) {
    Bench bench(begin + wrong + end, ".param .u64 in, .param .u64 out");
    EXPECT_THROW(decode(bench.module, "k"), Error) << wrong;
  }
}

}  // namespace
}  // namespace headroom::sim
