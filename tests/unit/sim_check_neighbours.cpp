// Accesses that leave the variable of their address. %k is 32 in every thread, which no compiler knows:
//
//   mov.u32 %s, first; mad.lo.u32 %s, %k, 4, %s; ld.shared.u32 %v, [%s]     told, in 'second'
#include <gtest/gtest.h>

#include "sim_bench.h"

namespace headroom::sim {
namespace {

Outcome outcome_of(const std::string& body, bool asked = true) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %s, %u, %v, %k, %m; .reg .b64 %d, %e, %SP, %SPL; .reg .pred %q;
    .shared .align 16 .b32 first[32]; .shared .align 16 .b32 second[32]; .shared .align 16 .b32 third[32];
    .local .align 16 .b8 depot[192];
    mov.u32 %k, %ntid.x; mov.u32 %m, third;
    mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL; setp.eq.u32 %q, %k, 32;
    st.shared.u32 [first], %k; st.shared.u32 [second+4], %k; st.shared.u32 [third], %m;
  )" + body + " ret;");
  bench.pass(bench.allocate<uint32_t>(64));
  Options options;
  options.bounds = asked;
  options.count = false;
  return simulate(*decode(bench.module, "k", axes_between_warps(bench.block), true), bench.launch(),
                  bench.memory, bench.limits, options);
}

struct Case {
  const char *body, *told;  // part of what is said; null: nothing
};

class Neighbours : public testing::TestWithParam<Case> {};

TEST_P(Neighbours, are_told_by_the_variable_that_an_address_is_made_of) {
  const auto [body, told] = GetParam();
  const Outcome outcome = outcome_of(body);
  EXPECT_TRUE(outcome.completed) << body;
  ASSERT_EQ(outcome.findings.size(), size_t(told != nullptr)) << body;
  if (told) {
    EXPECT_NE(outcome.findings[0].what.find(told), std::string::npos) << outcome.findings[0].what;
  }
  EXPECT_TRUE(outcome_of(body, false).findings.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, Neighbours,
    testing::Values(
        Case{"mov.u32 %s, first; mad.lo.u32 %s, %k, 4, %s; ld.shared.u32 %v, [%s];",
             "0 bytes past the end of 'first' (128 bytes), in 'second'"},
        Case{"mov.u32 %s, second; ld.shared.u32 %v, [%s+-4];",
             "4 bytes before 'second' (128 bytes), in 'first'"},
        Case{"mov.u32 %s, first; mad.lo.u32 %s, %k, 4, %s; ld.shared.u32 %v, [%s+-4];", nullptr},
        Case{"mov.u32 %s, first; ld.shared.v2.u32 {%u, %v}, [%s+120];", nullptr},
        Case{"mov.u32 %s, first; cvt.u64.u32 %d, %s; cvta.shared.u64 %e, %d; "
             "st.u32 [%e+128], %k;",
             "4-byte shared store: 0 bytes past"},
        // One of two, and neither.
        Case{"mov.u32 %s, first; mov.u32 %u, second; selp.b32 %s, %s, %u, %q; "
             "ld.shared.u32 %v, [%s+128];",
             nullptr},
        Case{"mov.u32 %s, first; mov.u32 %u, second; selp.b32 %s, %s, %u, %q; "
             "ld.shared.u32 %v, [%s+256];",
             "in 'third'"},
        // Who knows: an address from memory, a distance between two variables, a product.
        Case{"ld.shared.u32 %s, [third]; ld.shared.u32 %v, [%s+-4];", nullptr},
        Case{"mov.u32 %s, first; mov.u32 %u, second; sub.u32 %u, %u, %s; add.u32 %s, %s, %u; "
             "ld.shared.u32 %v, [%s];",
             nullptr},
        Case{"mov.u32 %s, second; mul.lo.u32 %s, %s, 2; ld.shared.u32 %v, [%s+-256];", nullptr},
        Case{"mov.u32 %s, first; @%q ld.shared.u32 %s, [third]; ld.shared.u32 %v, [%s+-4];",
             nullptr},
        // Arrays on the stack begin where %SPL is added to, once for each.
        Case{"add.u64 %d, %SPL, 0; add.u64 %e, %SPL, 64; st.local.u32 [%d+64], %k;",
             "0 bytes past the end of an array of 64 bytes"},
        Case{"add.u64 %d, %SPL, 0; add.u64 %e, %SPL, 64; st.local.u32 [%d+60], %k;", nullptr},
        Case{"add.u64 %d, %SPL, 0; add.u64 %e, %SPL, 64; st.local.u32 [%e+-4], %k;",
             "4 bytes before an array of 128 bytes"},
        Case{"add.u64 %d, %SPL, 0; add.u64 %e, %SP, 64; st.u32 [%e+-4], %k;", nullptr}));

}  // namespace
}  // namespace headroom::sim
