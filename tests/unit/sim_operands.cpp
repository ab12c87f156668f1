// Operands: immediates, special registers, packs, sinks, predicates, and guards before what takes
// several operations.
#include "base/error.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

std::vector<uint32_t> words(const std::string& body, size_t n, int threads = 32) {
  Bench bench(std::string(thread_index) + body);
  auto* out = bench.allocate<uint32_t>(n);
  bench.pass(out);
  bench.block = {unsigned(threads), 1, 1};
  const Outcome outcome = bench.run();
  EXPECT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings[0].what);
  return {out, out + n};
}

TEST(Operands, immediates_are_what_the_type_makes_of_them) {
  const auto out = words(R"(.reg .f32 %f; .reg .f64 %d; .reg .b64 %l; .reg .b32 %v, %h;
    add.f32 %f, 0d4000000000000000, 1.0; mov.b32 %v, %f; st.global.u32 [%p], %v;
    add.f64 %d, 1.5, 0d4000000000000000; mov.b64 {%v, %h}, %d; st.global.u32 [%p+4], %h;
    add.s64 %l, -1, 0; mov.b64 {_, %h}, %l; st.global.u32 [%p+8], %h; mov.b32 %v, WARP_SZ; st.global.u32 [%p+12], %v; ret;)",
                         4, 1);
  EXPECT_EQ(out, (std::vector<uint32_t>{0x40400000, 0x400c0000, ~0u, 32}));
}

TEST(Operands, special_registers_fit_any_width) {
  const auto out = words(
      R"(.reg .b16 %h; .reg .b64 %l; .reg .b32 %v, %w; mov.u16 %h, %tid.x; cvt.u32.u16 %v, %tid.x; cvt.u64.u32 %l, %laneid; cvt.u32.u64 %w, %l;
    add.u32 %v, %v, %w; cvt.u32.u16 %w, %h; add.u32 %v, %v, %w; add.u32 %v, %v, %ntid.x; st.global.u32 [%p], %v; ret;)",
      32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 3 * i + 32);
}

TEST(Operands, threads_are_numbered_x_first_also_where_rows_do_not_fill_warps) {
  Bench bench(
      R"(.reg .b32 %x, %y, %z, %t, %v; .reg .b64 %p, %o; ld.param.u64 %p, [out]; mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %z, %tid.z;
    mad.lo.u32 %t, %z, 3, %y; mad.lo.u32 %t, %t, 5, %x; mul.wide.u32 %o, %t, 4; add.u64 %p, %p, %o;
    mad.lo.u32 %v, %z, 10, %y; mad.lo.u32 %v, %v, 10, %x; add.u32 %v, %v, 1000; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(75);
  bench.pass(out);
  bench.block = {5, 3, 5};
  EXPECT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 75; ++i)
    EXPECT_EQ(out[i], 1000 + i / 15 * 100 + i / 5 % 3 * 10 + i % 5) << i;
}

TEST(Operands, packs_and_unpacks_with_sinks) {
  const auto out = words(R"(.reg .b16 %a, %b; .reg .b64 %l; .reg .b32 %v, %w; cvt.u16.u32 %a, %i;
    mov.b32 %v, {%a, -2}; mov.b32 {_, %b}, %v; mov.b64 %l, {%a, %b, 3, 4}; mov.b64 {%v, _}, %l; mov.b64 {_, %w}, %l; xor.b32 %v, %v, %w; st.global.u32 [%p], %v; ret;)",
                         32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], (i | 0xfffe0000u) ^ 0x00040003u);
}

TEST(Operands, one_comparison_gives_two_predicates) {
  const auto out = words(
      R"(.reg .pred %a, %b, %c; .reg .b32 %v; setp.lt.u32 %a|%b, %i, 10; selp.u32 %v, 1, 2, %a; @%b add.u32 %v, %v, 10;
    setp.lt.u32 %c, %i, 20; setp.gt.and.u32 %c|%b, %i, 4, %c; @%c add.u32 %v, %v, 100; @%b add.u32 %v, %v, 1000;
    setp.gt.or.u32 %a|_, %i, 4, !%a; @%a add.u32 %v, %v, 10000; selp.u32 %v, %v, 0, !%c; st.global.u32 [%p], %v; ret;)",
      32);
  for (uint32_t i = 0; i < 32; ++i) {
    const bool low = i<10, c = i> 4 && i < 20, b = i <= 4 && i<20, a = i> 4 || !low;
    const uint32_t v =
        (low ? 1 : 2) + (low ? 0 : 10) + (c ? 100 : 0) + (b ? 1000 : 0) + (a ? 10000 : 0);
    EXPECT_EQ(out[i], c ? 0 : v) << i;
  }
}

TEST(Operands, a_guard_holds_for_every_step_of_an_instruction) {
  const auto out = words(
      R"(.reg .pred %q, %a, %b; .reg .b32 %v, %t; .reg .b16 %h, %k; .reg .f32 %f; and.b32 %t, %i, 1; setp.eq.u32 %q, %t, 1;
    setp.lt.u32 %a|%b, %i, 40; mov.u32 %v, 0; mov.u16 %h, 1; mov.u16 %k, 1; mov.f32 %f, 0f00000000;
    @%q setp.gt.or.u32 %a|%b, %i, 40, !%a; @!%q mov.b32 {%h, %k}, 0x00050006; @%q cvt.rn.f32.u32 %f, %tid.x; @!%q set.lt.f32.u32 %f, %i, 16;
    @%a add.u32 %v, %v, 1; @%b add.u32 %v, %v, 2; cvt.u32.u16 %t, %h; mad.lo.u32 %v, %t, 10, %v; cvt.u32.u16 %t, %k; mad.lo.u32 %v, %t, 100, %v;
    cvt.rzi.u32.f32 %t, %f; mad.lo.u32 %v, %t, 1000, %v; st.global.u32 [%p], %v; ret;)",
      32);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], i & 1 ? 2u + 10 + 100 + 1000 * i : 1u + 60 + 500 + (i < 16 ? 1000u : 0)) << i;
  }
}

TEST(Operands, narrow_types_in_wide_registers) {
  const auto out = words(
      R"(.reg .b32 %v, %w; .reg .b16 %h; .reg .b64 %l; sub.u32 %v, %i, 16; cvt.s8.s32 %w, %v; cvt.u8.s32 %v, %v; sub.u32 %v, %v, %w;
    cvt.u16.u32 %h, %i; cvt.s64.s8 %l, %h; cvt.u32.u64 %w, %l; add.u32 %v, %v, %w; st.global.u32 [%p], %v; ret;)",
      32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], (i < 16 ? 256 : 0) + i) << i;
}

TEST(Operands, a_shuffle_says_who_was_in_range) {
  const auto out = words(
      R"(.reg .b32 %v; .reg .pred %q; mov.u32 %v, %i; shfl.sync.up.b32 %v|%q, %v, 1, 0, -1; @!%q mov.u32 %v, 99; st.global.u32 [%p], %v; ret;)",
      32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i ? i - 1 : 99);
}

TEST(Operands, printf_prints_long_strings_and_returns_how_many_arguments_it_took) {
  const std::string longer(700, 'x');
  std::string bytes;
  for (char c : longer) bytes += std::to_string(int(c)) + ", ";
  Bench bench(
      R"(.reg .b64 %p, %f, %a; .reg .b32 %v; .local .align 8 .b8 list[16]; ld.param.u64 %p, [out]; mov.u64 %a, text; st.local.u64 [list], %a; st.local.u32 [list+8], 5; mov.b64 %a, list; cvta.local.u64 %a, %a;
    mov.u64 %f, format;
    { .param .b64 f; .param .b64 l; .param .b32 r; st.param.b64 [f], %f; st.param.b64 [l], %a; call.uni (r), vprintf, (f, l); ld.param.b32 %v, [r]; }
    st.global.u32 [%p], %v; ret;)",
      ".param .u64 out",
      ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n.global .align 1 .b8 "
      "format[7] = {37, 115, 37, 37, 37, 100, 0};\n.global .align 1 .b8 text[701] = {" +
          bytes + "0};");
  auto* out = bench.allocate<uint32_t>(1);
  bench.pass(out);
  bench.block = {1, 1, 1};
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  EXPECT_EQ(outcome.printed, longer + "%5");
  EXPECT_EQ(out[0], 2u);
}

TEST(Operands, work_behind_a_guard_is_counted_for_the_lanes_that_do_it) {
  Bench bench(
      std::string(thread_index) +
      R"(.reg .f32 %f; .reg .pred %q; mov.f32 %f, 0f3F800000; setp.lt.u32 %q, %i, 10; @%q ex2.approx.f32 %f, %f; @%q fma.rn.f32 %f, %f, %f, %f;
    ex2.approx.f32 %f, %f; st.global.f32 [%p], %f; ret;)");
  bench.pass(bench.allocate<uint32_t>(32));
  EXPECT_EQ(bench.run().counters.fp32_operations, 10u + 20u + 32u);
}

// A list of registers that does not fit the instruction: ptxas would refuse it.
TEST(Operands, a_vector_of_another_length_is_refused) {
  const char* const bad[] = {"ld.global.v2.u32 {%a, %a, %a, %a, %a, %a, %a, %a}, [%p]",
                             "ld.global.v4.u32 {%a, %a}, [%p]",
                             "ld.global.u32 {%a, %a}, [%p]",
                             "st.global.v2.u32 [%p], {%a, %a, %a, %a, %a, %a, %a, %a}",
                             "st.global.v4.u32 [%p], %a",
                             "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%b], "
                             "{%a, %a, %a, %a, %a, %a, %a, %a}, [%b]",
                             "suld.b.1d.v4.b32.trap {%a, %a, %a, %a, %a, %a, %a, %a}, [%p, {%a}]",
                             "sust.b.1d.b32.trap [%p, {%a}], {%a, %a}",
                             "mov.b64 %p, {}"};
  for (const char* instruction : bad) {
    Bench bench(std::string(thread_index) + ".reg .b32 %a, %b; " + instruction + "; ret;");
    try {
      decode(bench.module, "k");
      FAIL() << instruction;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(": a vector of "), std::string::npos)
          << error.what();
    }
  }
}

// No conversion goes from or to 128 bits.
TEST(Operands, of_128_bits_are_refused_where_a_register_has_fewer) {
  for (const char* instruction :
       {"mov.b128 %q, %a", "mov.b128 %a, %q", "mov.b128 %q, %tid.x", "mov.b128 %q, %clock64"}) {
    Bench bench(std::string(thread_index) + ".reg .b32 %a; .reg .b128 %q; " + instruction +
                "; ret;");
    try {
      decode(bench.module, "k");
      FAIL() << instruction;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("has the wrong type"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Operands, more_than_16_bytes_at_once_are_refused_by_name) {
  for (const char* body : {"ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%p];",
                           "st.global.v8.b32 [%p], {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7};",
                           "ld.local.v4.u64 {%d0, %d1, %d2, %d3}, [%p];",
                           "st.local.v4.f64 [%p], {%d0, %d1, %d2, %d3};"}) {
    try {
      words(std::string(".reg .b32 %r<8>; .reg .b64 %d<4>; ") + body + " ret;", 8);
      FAIL() << body;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("32 bytes a thread are for sm_100"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace headroom::sim
