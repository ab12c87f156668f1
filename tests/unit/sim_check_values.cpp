// What instructions make of bytes that nobody wrote. %u holds such bytes, %w is written, as every
// other register:
//
//   add.u32 %v, %u, 1; use it      told        and.b32 %v, %u, 0; use it      not told
#include <gtest/gtest.h>

#include "sim/check/checker.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Kinds of findings of a kernel in whose shared memory words 32 … 63 are written, the others are not.
std::vector<Finding> findings_of(const std::string& body) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %s, %u, %w, %v, %x; .reg .b64 %d, %e; .reg .b16 %h<4>; .reg .pred %q, %r, %z;
    .reg .f32 %f, %g; .shared .align 16 .b32 kept[68];
    mov.u32 %s, kept; mad.lo.u32 %s, %i, 4, %s; st.shared.u32 [%s+128], %i; setp.ge.u32 %z, %i, 99;
    ld.shared.u32 %u, [%s]; ld.shared.u32 %w, [%s+128];
  )" + body + " ret;");
  bench.pass(bench.allocate<uint32_t>(64));
  check::Checker checker(check::Checker::What{});
  Options options;
  options.checker = &checker;
  return simulate(*decode(bench.module, "k", axes_between_warps(bench.block), true), bench.launch(),
                  bench.memory, bench.limits, options)
      .findings;
}

constexpr const char* keep = " st.global.u32 [%p], %v;";  // a copy is no fault
constexpr const char* use = " add.u32 %v, %v, 1; st.global.u32 [%p], %v;";

struct Case {
  const char* body;
  const char* then;
  bool told;
};

class Values : public testing::TestWithParam<Case> {};

TEST_P(Values, are_told_where_they_decide) {
  const auto [body, then, told] = GetParam();
  const auto all = findings_of(std::string(body) + then);
  ASSERT_EQ(all.size(), size_t(told)) << body;
  if (told) {
    EXPECT_EQ(all[0].kind, "uninitialised");
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Values,
    testing::Values(
        Case{"mov.u32 %v, %u;", keep, false}, Case{"mov.u32 %v, %u;", use, true},
        Case{"mov.u32 %v, %w;", use, false}, Case{"add.u32 %v, %u, %w;", keep, true},
        Case{"add.u32 %v, %u, 1; mov.u32 %v, 4;", use, false},
        Case{"mov.b64 %d, {%u, %w}; mov.b64 {%x, %v}, %d;", use, false},
        Case{"mov.b64 %d, {%w, %u}; mov.b64 {%x, %v}, %d;", use, true},
        Case{"selp.b32 %v, %u, %w, %z;", use, false}, Case{"selp.b32 %v, %w, %u, %z;", use, true},
        Case{"setp.eq.u32 %q, %u, 3; selp.b32 %v, 1, 2, %q;", keep, true},
        Case{"setp.eq.u32 %q, %u, 3; and.pred %r, %q, %z; selp.b32 %v, 1, 2, %r;", use, false},
        Case{"setp.eq.u32 %q, %u, 3; or.pred %r, %q, %z; selp.b32 %v, 1, 2, %r;", use, true},
        Case{"and.b32 %v, %u, 0;", use, false}, Case{"and.b32 %v, %u, 255;", use, true},
        Case{"or.b32 %v, %u, -1;", use, false},
        Case{"and.b32 %v, %u, 255; shr.u32 %v, %v, 8;", use, false},
        Case{"and.b32 %v, %u, 255; shl.b32 %v, %v, 24; shr.u32 %v, %v, 20;", use, true},
        Case{"and.b32 %v, %u, 255; shl.b32 %v, %v, 28; shl.b32 %v, %v, 8;", use, false},
        Case{"shl.b32 %v, %u, 8;", keep, false}, Case{"shl.b32 %v, %u, 1;", keep, true},
        Case{"shr.u32 %v, %u, 3;", keep, true},
        Case{"st.shared.v2.u8 [%s], {1, 1}; st.shared.u8 [%s+2], 1; ld.shared.u32 %v, [%s]; "
             "shl.b32 %v, %v, 1;",
             keep, true},
        Case{"prmt.b32 %v, %u, %w, 0x7654;", use, false},
        Case{"prmt.b32 %v, %u, %w, 0x7651;", use, true},
        Case{"cvt.u16.u32 %h0, %u; cvt.u32.u16 %v, %h0; shr.u32 %v, %v, 16;", use, false},
        Case{"cvt.u16.u32 %h0, %u; cvt.s32.s16 %v, %h0; shr.u32 %v, %v, 16;", use, true},
        Case{"cvt.u64.u32 %d, %u; shr.u64 %d, %d, 32; cvt.u32.u64 %v, %d;", use, false},
        Case{"ld.shared.u8 %v, [%s]; shr.u32 %v, %v, 8;", use, false},
        Case{"ld.shared.s8 %v, [%s]; shr.u32 %v, %v, 8;", use, true},
        Case{"st.shared.u32 [kept+260], 1; bar.sync 0; ld.shared.v2.u32 {%x, %v}, [kept+256];", use,
             false},
        Case{"st.shared.u32 [kept+260], 1; bar.sync 0; ld.shared.v2.u32 {%v, %x}, [kept+256];", use,
             true},
        Case{"shfl.sync.idx.b32 %v, %u, 0, 31, -1;", use, true},
        Case{"setp.eq.u32 %q, %i, 5; @!%q mov.u32 %u, 1; shfl.sync.idx.b32 %v, %u, 6, 31, -1;", use,
             false},
        Case{"setp.eq.u32 %q, %i, 5; @!%q mov.u32 %u, 1; shfl.sync.idx.b32 %v, %u, 5, 31, -1;", use,
             true},
        Case{"vote.sync.ballot.b32 %v, %z, -1;", use, false},
        Case{"setp.eq.u32 %q, %u, 3; vote.sync.ballot.b32 %v, %q, -1;", use, true},
        Case{"st.shared.u32 [%s+128], %u; ld.shared.u32 %v, [%s+128];", use, true},
        Case{"st.shared.u32 [%s+128], %u; st.shared.u32 [%s+128], 1; ld.shared.u32 %v, [%s+128];",
             use, false},
        Case{"cvt.rn.f32.u32 %f, %u; add.f32 %g, %f, 0f3F800000; st.global.f32 [%p], %g;", "",
             true},
        Case{"@%z mov.u32 %w, %u; mov.u32 %v, %w;", use, false},
        Case{"setp.eq.u32 %q, %u, 3; @%q bra somewhere; somewhere:", "", true},
        Case{"setp.eq.u32 %q, %u, 3; @%q st.global.u32 [%p], 1;", "", true},
        Case{"and.b32 %v, %u, 4; add.u32 %v, %v, %s; ld.shared.u32 %x, [%v];", "", true},
        Case{"atom.shared.exch.b32 %v, [%s], 4;", keep, false},
        Case{"atom.shared.exch.b32 %v, [%s], 4;", use, true},
        Case{"atom.shared.add.u32 %v, [%s], 4;", "", true},
        Case{"atom.shared.exch.b32 %v, [%s], 4; atom.shared.add.u32 %v, [%s], 4;", "", false},
        Case{"atom.global.add.u32 %v, [%p], %u;", "", true}));

TEST(Initialised, a_cause_is_told_once_with_how_often_and_the_first_load) {
  const auto all = findings_of(
      "st.shared.u32 [%s+128], %u; ld.shared.u32 %v, [%s+128]; add.u32 %v, %v, 1;"
      "st.global.u32 [%p], %v;");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].times, 32u);
  EXPECT_NE(all[0].instruction.find("%u"), std::string::npos) << all[0].instruction;
  ASSERT_TRUE(all[0].other);
  EXPECT_NE(all[0].other->instruction.find("st.global"), std::string::npos);
}

}  // namespace
}  // namespace headroom::sim
