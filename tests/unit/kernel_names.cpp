// Kernel names, from the compiler's to people's.
#include <gtest/gtest.h>

#include "kernel/kernel.h"
#include "kernel/target.h"

namespace headroom {
namespace {

TEST(Names, mangled_names_become_declarations_and_others_stay) {
  EXPECT_EQ(demangle("_Z5saxpyIfEviT_PKS0_PS0_"),
            "void saxpy<float>(int, float, float const*, float*)");
  EXPECT_EQ(demangle("_ZN8__main__3addB2v1B4cw51E5ArrayIfLi1E1C7mutable7alignedE"),
            "__main__::add(Array<float, 1, C, mutable, aligned>)")
      << "Numba's tags are left out";
  EXPECT_EQ(demangle("plain"), "plain");
  EXPECT_EQ(demangle("_Zgarbage"), "_Zgarbage");
  EXPECT_EQ(demangle(""), "");
}

TEST(Names, the_short_name_has_no_scope_type_or_arguments) {
  EXPECT_EQ(short_name("void saxpy<float>(int, float, float const*, float*)"), "saxpy");
  EXPECT_EQ(short_name("reduce(float*, int)"), "reduce");
  EXPECT_EQ(short_name("void ns::box<int>::scan<4, (Mode)1>(ns::pair<int, float>*)"), "scan");
  EXPECT_EQ(short_name("(anonymous namespace)::step(int)"), "step");
  EXPECT_EQ(short_name("void (anonymous namespace)::step<(anonymous namespace)::Op>(int)"), "step");
  EXPECT_EQ(short_name("plain"), "plain");
  EXPECT_EQ(short_name(""), "");
}

TEST(Target, is_read_from_the_text_and_says_where_it_runs) {
  EXPECT_EQ(target_of(".version 8.0\n.target sm_90a, debug\n").name(), "sm_90a");
  EXPECT_EQ(target_of(".target sm_80").name(), "sm_80");
  EXPECT_EQ(target_of("no such line").number, 0);
  EXPECT_TRUE((Target{80, ""}.runs_on(90)));
  EXPECT_FALSE((Target{90, "a"}.runs_on(100)));
  EXPECT_TRUE((Target{100, "f"}.runs_on(103)));
  EXPECT_FALSE((Target{100, "f"}.runs_on(110)));
}

}  // namespace
}  // namespace headroom
