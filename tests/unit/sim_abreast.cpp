// Warps of a block that read and write the same words without a barrier between: on hardware they run
// abreast, and all have read before the first writes.
#include "sim/decode_ptx/overwrites.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Eight warps; %l: the lane, %w: the warp, %p: the lane's word of out.
std::vector<uint32_t> by_lane(const std::string& body, Outcome* outcome = nullptr) {
  Bench bench(R"(
    .reg .b32 %l, %w, %v, %n; .reg .b64 %p, %o; .reg .pred %q, %first;
    mov.u32 %l, %tid.x; shr.u32 %w, %l, 5; and.b32 %l, %l, 31; setp.eq.u32 %first, %w, 0; mov.u32 %n, 0;
    ld.param.u64 %p, [out]; mul.wide.u32 %o, %l, 4; add.u64 %p, %p, %o;)" +
              body);
  auto* out = bench.allocate<uint32_t>(32 * 9);
  bench.pass(out);
  bench.block = {256, 1, 1};
  const Outcome ran = bench.run();
  EXPECT_TRUE(ran.completed) << (ran.findings.empty() ? "" : ran.findings[0].what);
  if (outcome) *outcome = ran;
  return {out, out + 32 * 9};
}

TEST(Abreast, warps_that_add_to_the_same_word_all_read_the_old_value) {
  const auto once =
      by_lane("ld.global.u32 %v, [%p]; add.u32 %v, %v, 1; st.global.u32 [%p], %v; ret;");
  const auto three_times = by_lane(
      "AGAIN: ld.global.u32 %v, [%p]; add.u32 %v, %v, 1; st.global.u32 [%p], %v;"
      "add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 3; @%q bra AGAIN; ret;");
  for (size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(once[i], 1u) << i;
    EXPECT_EQ(three_times[i], 3u) << i;
  }
}

TEST(Abreast, warps_that_branch_to_the_store_write_after_all_have_read) {
  const auto out = by_lane(
      "ld.global.u32 %v, [%p]; setp.lt.u32 %q, %v, 5; add.u32 %v, %v, 1; @%q bra ON;"
      "add.u32 %v, %v, 7; ON: st.global.u32 [%p], %v; ret;");
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 1u) << i;
}

// A turn at every store would make the others spin for each element that the first one adds.
TEST(Abreast, a_warp_for_which_the_others_wait_works_on) {
  Outcome outcome;
  by_lane(R"(
    .shared .align 4 .u32 flag; @%first st.shared.u32 [flag], 0; bar.sync 0; @!%first bra SPIN;
    ADD: ld.global.u32 %v, [%p]; add.u32 %v, %v, 1; st.global.u32 [%p], %v;
    add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 1000; @%q bra ADD; st.volatile.shared.u32 [flag], 1; ret;
    SPIN: ld.volatile.shared.u32 %v, [flag]; setp.eq.u32 %q, %v, 0; @%q bra SPIN; ret;)",
          &outcome);
  EXPECT_LT(outcome.counters.warp_instructions, 1000u * 6 + 7 * 3 * 64 * 40);
}

TEST(Abreast, a_shared_word_that_one_warp_rewrites_is_read_by_all_before) {
  const std::string read = R"(
    .shared .align 4 .u32 word; @%first st.shared.u32 [word], 5; bar.sync 0; ld.shared.u32 %v, [word];)";
  const std::string leave = R"(
    mul.wide.u32 %o, %w, 128; add.u64 %o, %o, %p; st.global.u32 [%o+128], %v; ret;)";
  for (const std::string& rewrite :
       {std::string("@%first st.shared.u32 [word], 9;"),
        std::string("@!%first bra ON; st.shared.u32 [word], 9; ON:")}) {
    const auto out = by_lane(read + rewrite + leave);
    for (size_t i = 32; i < 32 * 9; ++i) EXPECT_EQ(out[i], 5u) << i;
  }
}

TEST(Abreast, turns_that_end_at_stores_count_what_they_counted) {
  Outcome outcome;
  by_lane("ld.global.u32 %v, [%p]; add.u32 %v, %v, 1; st.global.u32 [%p], %v; ret;", &outcome);
  EXPECT_EQ(outcome.counters.global_load_requests, 8u);
  EXPECT_EQ(outcome.counters.global_store_requests, 8u);
  EXPECT_EQ(outcome.counters.warp_instructions, 8u * 12);
}

TEST(Abreast, threads_that_differ_along_an_axis_the_address_leaves_out_run_abreast) {
  Bench bench(R"(
    .reg .b32 %t, %v; .reg .b64 %b, %p, %o; ld.param.u64 %b, [out];
    mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.s64 %p, %b, %o;
    ld.global.u32 %v, [%p]; add.u32 %v, %v, 1; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  bench.block = {32, 8, 1};
  bench.run();
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 1u) << i;
}

// The stores of a kernel over %t = tid.x, %u = tid.y before which a turn ends, along `axes`.
size_t turns(const std::string& address, uint8_t axes,
             const std::string& access = "ld.global.u32 %v, [%p]; st.global.u32 [%p], %v;") {
  const auto module = ptx::parse(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 pitch) {
  .reg .b32 %t, %u, %n, %i, %j, %v, %w; .reg .f32 %f; .reg .b64 %b, %p, %o; .reg .pred %q;
  ld.param.u64 %b, [out]; ld.param.u32 %n, [pitch]; mov.u32 %t, %tid.x; mov.u32 %u, %tid.y;
)" + address + "\nAGAIN: " + access + R"(
  add.s64 %p, %p, 4096; setp.lt.u32 %q, %v, 9; @%q bra AGAIN; ret; })",
                                 "test.ptx");
  return overwriting_stores(*module.function("k"), axes).size();
}

const std::string to_word = " mul.wide.u32 %o, %i, 4; add.s64 %p, %b, %o;";

TEST(Abreast, no_turn_ends_before_stores_to_words_of_ones_own) {
  const std::string line = "mad.lo.s32 %i, %ctaid.x, %ntid.x, %t;" + to_word;
  EXPECT_EQ(turns(line, axis_x), 0u);
  EXPECT_EQ(turns(line, 0), 0u) << "one warp";
  EXPECT_EQ(turns("mad.lo.s32 %i, %u, 33, %t; shl.b32 %j, %i, 2; cvt.u64.u32 %o, %j;"
                  "add.s64 %p, %b, %o;",
                  axis_x | axis_y),
            0u)
      << "a tile of 32 x 33";
  EXPECT_EQ(turns("mad.lo.s32 %i, %u, %n, %t;" + to_word, axis_x | axis_y), 0u) << "a pitch";
  EXPECT_EQ(turns("sub.s32 %i, 255, %t;" + to_word, axis_x), 0u) << "backwards";
  EXPECT_EQ(turns("mul.wide.u32 %o, %t, 16; add.s64 %p, %b, %o;", axis_x,
                  "ld.global.v2.u32 {%v, %w}, [%p+8]; st.global.u32 [%p], %v;"),
            0u)
      << "four words a thread";
}

TEST(Abreast, turns_end_before_stores_that_two_threads_may_do_to_one_word) {
  const std::string line = "mad.lo.s32 %i, %ctaid.x, %ntid.x, %t;" + to_word;
  EXPECT_EQ(turns(line, axis_x | axis_y), 1u) << "y is left out";
  EXPECT_EQ(turns(line, axis_x, "ld.global.u32 %v, [%p-4]; st.global.u32 [%p], %v;"), 1u)
      << "the neighbour's word is read";
  EXPECT_EQ(turns("mov.u64 %p, %b;", axis_x), 1u) << "one word for all";
  EXPECT_EQ(turns("and.b32 %i, %t, 31;" + to_word, axis_x), 1u);
  EXPECT_EQ(turns("mul.hi.u32 %i, %t, 9;" + to_word, axis_x), 1u);
  EXPECT_EQ(
      turns("mul.hi.u32 %j, %t, 1431655766; mul.lo.s32 %j, %j, 3; sub.s32 %i, %t, %j;" + to_word,
            axis_x),
      1u)
      << "tid % 3";
  EXPECT_EQ(
      turns("cvt.rn.f32.u32 %f, %t; mul.f32 %f, %f, 0f3C000000; cvt.rzi.u32.f32 %i, %f;" + to_word,
            axis_x),
      1u)
      << "through floats";
  EXPECT_EQ(turns("add.s32 %i, %t, %u;" + to_word, axis_x | axis_y), 1u) << "x + y";
  EXPECT_EQ(turns("sub.s32 %i, %t, %t;" + to_word, axis_x), 1u) << "x - x";
  EXPECT_EQ(turns("cvt.u8.u32 %j, %t; cvt.u32.u8 %i, %j;" + to_word, axis_x), 1u) << "8 bits";
  EXPECT_EQ(turns("ld.global.u32 %i, [%b]; add.s32 %j, %t, %i; mul.wide.u32 %o, %j, 4;"
                  "add.s64 %p, %b, %o; ld.global.u32 %i, [%p];" +
                      to_word,
                  axis_x),
            1u)
      << "an index that was loaded";
  EXPECT_EQ(turns("setp.lt.u32 %q, %t, 128; mov.u32 %i, %t; @%q bra OTHER; sub.s32 %i, 255, %t;"
                  "OTHER:" +
                      to_word,
                  axis_x),
            1u)
      << "two ways";
  EXPECT_EQ(turns("setp.lt.u32 %q, %t, 128; mov.u32 %j, 0; @%q mov.u32 %j, 128;"
                  "add.s32 %i, %t, %j;" +
                      to_word,
                  axis_x),
            1u)
      << "an offset by the thread";
}

}  // namespace
}  // namespace headroom::sim
