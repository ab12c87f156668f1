// Linking modules: which of several definitions stands, whose names change, and what is an error.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ptx/link.h"
#include "ptx/rename.h"
#include "ptx_samples.h"

namespace headroom::ptx {
namespace {

Module module(const std::string& name, const std::string& text,
              const std::string& head = ".version 8.8\n.target sm_80\n.address_size 64\n") {
  return parse(head + text, name);
}

Module link_texts(const std::vector<std::string>& texts) {
  std::vector<Module> modules;
  for (size_t i = 0; i < texts.size(); ++i)
    modules.push_back(module(std::string(1, char('a' + i)), texts[i]));
  return link(std::move(modules), "app");
}

std::string complaint(const std::vector<std::string>& texts) {
  try {
    link_texts(texts);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

const Variable& variable(const Module& module, const std::string& name) {
  for (const Variable& variable : module.variables)
    if (variable.name == name) return variable;
  throw std::runtime_error("no variable " + name);
}

int definitions(const Module& module, const std::string& name) {
  int found = 0;
  for (const Function& function : module.functions)
    found += function.name == name && function.defined;
  return found;
}

std::string names_of(const Module& module) {
  std::string names;
  for (const Variable& variable : module.variables) names += variable.name + " ";
  return names;
}

TEST(PtxLink, a_name_declared_extern_is_the_one_that_another_module_defines) {
  const Module app = link_texts(
      {".extern .func f(.param .b32 p);\n.extern .global .align 4 .u32 total;\n"
       ".visible .entry k() { .reg .b32 %r<2>; .param .b32 x; ld.global.u32 %r1, [total];"
       " st.param.b32 [x], %r1; call f, (x); ret; }",
       ".visible .global .align 8 .u32 total = 7;\n.visible .func f(.param .b32 p) { ret; }"});
  EXPECT_EQ(names_of(app), "total ");
  EXPECT_EQ(variable(app, "total").init[0], 7);
  EXPECT_FALSE(variable(app, "total").external);
  EXPECT_EQ(definitions(app, "f"), 1);
  ASSERT_TRUE(app.function("f"));
  EXPECT_TRUE(app.function("f")->defined);
  for (const Function& function : app.functions) EXPECT_FALSE(function.external) << function.name;
  EXPECT_FALSE(app.functions.front().defined);
}

TEST(PtxLink, the_result_is_text_that_reads_as_itself) {
  const Module app =
      link_texts({".extern .func f();\n.global .u32 own = 1;\n.file 1 \"a.cu\"\n"
                  ".visible .entry k() { .reg .b32 %r<2>; .loc 1 5 0\n ld.global.u32 %r1, [own]; "
                  "call f; ret; }",
                  ".func f();\n.global .u64 own[1] = {f};\n.file 1 \"b.cu\"\n.visible .func f()\n"
                  "{ .reg .b64 %rd<2>; .loc 1 9 0\n ld.global.u64 %rd1, [own]; ret; }"});
  const Module plain = without_spans(app), again = without_spans(parse(print(app), "app"));
  EXPECT_EQ(print(plain), print(again));
  EXPECT_TRUE(plain == again);
}

TEST(PtxLink, a_name_without_linkage_is_its_modules_own) {
  const Module app = link_texts(
      {".global .u32 seen = 1;\n.func help() { ret; }\n"
       ".visible .entry k() { .reg .b64 %rd<2>; mov.u64 %rd1, seen; call help; ret; }",
       ".global .u32 seen = 2;\n.global .u64 table[2] = {seen, help};\n.func help() { ret; }\n"
       ".visible .entry l() { .reg .b64 %rd<2>; mov.u64 %rd1, seen; call help; ret; }"});
  EXPECT_EQ(names_of(app), "seen seen_1 table ");
  EXPECT_EQ(variable(app, "seen").init[0], 1);
  EXPECT_EQ(variable(app, "seen_1").init[0], 2);
  EXPECT_EQ(variable(app, "table").relocations.at(0).symbol, "seen_1");
  EXPECT_EQ(variable(app, "table").relocations.at(1).symbol, "help_1");
  const Function &k = *app.function("k"), &l = *app.function("l");
  EXPECT_EQ(k.body.at(0).operands.at(1).name, "seen");
  EXPECT_EQ(k.body.at(1).operands.at(1).name, "help");
  EXPECT_EQ(l.body.at(0).operands.at(1).name, "seen_1");
  EXPECT_EQ(l.body.at(1).operands.at(1).name, "help_1");
}

TEST(PtxLink, an_own_name_gives_way_to_one_that_all_share_and_to_names_inside_functions) {
  const Module app = link_texts(
      {".global .u32 n = 1;\n.visible .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [n]; ret; }",
       ".visible .global .u32 n = 2;\n.visible .entry l() { .shared .u32 n_1; .reg .b32 %r<2>;"
       " ld.global.u32 %r1, [n]; st.shared.u32 [n_1], %r1; ret; }"});
  EXPECT_EQ(names_of(app), "n_2 n ");
  EXPECT_EQ(app.function("k")->body.at(0).operands.at(1).name, "n_2");
  EXPECT_EQ(app.function("l")->body.at(0).operands.at(1).name, "n");
  EXPECT_EQ(app.function("l")->body.at(1).operands.at(0).name, "n_1");
}

TEST(PtxLink, of_weak_definitions_the_first_stands_and_a_strong_one_before_all) {
  const std::string weak = ".weak .global .u32 v = 1;\n.weak .func f() { ret; }";
  const Module first = link_texts({weak, ".weak .global .u32 v = 2;\n.weak .func f() { exit; }"});
  EXPECT_EQ(variable(first, "v").init[0], 1);
  EXPECT_EQ(first.function("f")->body.at(0).opcode, "ret");
  EXPECT_EQ(definitions(first, "f"), 1);
  const Module strong =
      link_texts({weak, ".visible .global .u32 v = 3;\n.visible .func f() { trap; ret; }"});
  EXPECT_EQ(names_of(strong), "v ");
  EXPECT_EQ(variable(strong, "v").init[0], 3);
  EXPECT_EQ(strong.function("f")->body.at(0).opcode, "trap");
}

TEST(PtxLink, of_common_definitions_the_largest_stands_with_the_strictest_alignment) {
  const Module app =
      link_texts({".common .global .align 16 .b8 c[8];", ".common .global .align 4 .b8 c[64];",
                  ".common .global .align 4 .b8 c[32];"});
  EXPECT_EQ(names_of(app), "c ");
  EXPECT_EQ(variable(app, "c").bytes, 64u);
  EXPECT_EQ(variable(app, "c").align, 16);
  EXPECT_EQ(
      variable(link_texts({".common .global .u32 c[9];", ".visible .global .u32 c = 5;"}), "c")
          .init[0],
      5);
}

TEST(PtxLink, dynamic_shared_memory_is_one_array_with_the_strictest_alignment) {
  const Module app =
      link_texts({".extern .shared .align 4 .b8 s[];", ".extern .shared .align 16 .b8 s[];"});
  EXPECT_EQ(names_of(app), "s ");
  EXPECT_EQ(variable(app, "s").align, 16);
}

TEST(PtxLink, what_no_module_defines_stays_a_declaration) {
  const Module app =
      link_texts({".extern .func vprintf();\n.extern .global .u32 x;\n"
                  ".visible .entry k() { call vprintf; ret; }",
                  ".extern .func vprintf();\n.extern .global .u32 x;"});
  ASSERT_TRUE(app.function("vprintf"));
  EXPECT_FALSE(app.function("vprintf")->defined);
  EXPECT_TRUE(app.function("vprintf")->external);
  EXPECT_EQ(names_of(app), "x ");
  EXPECT_TRUE(variable(app, "x").external);
}

TEST(PtxLink, an_alias_of_one_module_serves_all) {
  const Module app =
      link_texts({".extern .func other();\n.visible .entry k() { call other; ret; }",
                  ".visible .func f() { ret; }\n.visible .func other();\n.alias other, f;"});
  ASSERT_EQ(app.aliases.size(), 1u);
  ASSERT_TRUE(app.function("other"));
  EXPECT_EQ(app.function("other")->name, "f");
}

TEST(PtxLink, source_lines_keep_their_files) {
  const Module app = link_texts(
      {".file 1 \"common.h\"\n.file 2 \"a.cu\"\n.visible .entry k() { .loc 2 5 0\n ret; }",
       ".file 1 \"b.cu\"\n.file 2 \"common.h\"\n.visible .entry l() { .loc 1 6 0\n bar.sync 0; "
       ".loc 2 7 0\n ret; }"});
  auto place = [&](const char* function, size_t n) {
    const SourceLine source = app.function(function)->body.at(n).source;
    return app.files.at(size_t(source.file)) + ":" + std::to_string(source.line);
  };
  EXPECT_EQ(place("k", 0), "a.cu:5");
  EXPECT_EQ(place("l", 0), "b.cu:6");
  EXPECT_EQ(place("l", 1), "common.h:7");
}

TEST(PtxLink, the_newest_version_and_target_stand_for_all) {
  const Module app =
      link({module("a", "", ".version 8.0\n.target sm_90\n.address_size 64\n"),
            module("b", "", ".version 9.0\n.target sm_80, debug\n.address_size 64\n")},
           "app");
  EXPECT_EQ(app.version_major, 9);
  EXPECT_EQ(app.target, "sm_90");
  EXPECT_EQ(app.target_options, std::vector<std::string>{"debug"});
}

TEST(PtxLink, two_strong_definitions_are_an_error_that_names_both_modules) {
  EXPECT_EQ(complaint({".visible .func f() { ret; }", ".extern .func f();",
                       ".visible .func f() { ret; }"}),
            "app: 'f' is defined twice: in a and in c\n"
            "  hint: define it in one file, and declare it extern in the others");
  EXPECT_NE(complaint({".visible .global .u32 v;", ".visible .global .u32 v;"})
                .find("'v' is defined twice"),
            std::string::npos);
  EXPECT_NE(complaint({".visible .entry k() { ret; }", ".entry k() { ret; }"})
                .find("'k' is defined twice"),
            std::string::npos);
}

TEST(PtxLink, a_name_that_means_two_kinds_of_thing_is_an_error) {
  EXPECT_EQ(complaint({".extern .global .u32 v;", ".visible .const .u32 v = 1;"}),
            "app: 'v' is .global in a and .const in b\n  hint: declare it alike in all files");
  EXPECT_NE(complaint({".extern .func v();", ".visible .global .u32 v;"})
                .find("'v' is a function in a and .global in b"),
            std::string::npos);
}

TEST(PtxLink, addresses_of_two_widths_are_an_error) {
  EXPECT_THROW(link({module("a", "", ".version 8.0\n.target sm_80\n.address_size 64\n"),
                     module("b", "", ".version 8.0\n.target sm_80\n.address_size 32\n")},
                    "app"),
               Error);
}

TEST(PtxLink, the_text_of_a_module_can_have_the_names_that_it_got) {
  const std::string head = ".version 8.8\n.target sm_80\n.address_size 64\n",
                    text = head +
                           ".global .u32 seen; // seen\n.visible .entry k2() { .reg .b32 seen_x;"
                           " st.global.u32 [seen+0], seen_x; ret; }";
  Renames renames;
  const Module app =
      link({module("a", ".global .u32 seen;\n.visible .entry k1() { ret; }"), parse(text, "b")},
           "app", &renames);
  EXPECT_EQ(names_of(app), "seen seen_1 ");
  ASSERT_EQ(renames.size(), 2u);
  EXPECT_TRUE(renames[0].empty());
  const std::string changed = renamed(text, renames[1]);
  EXPECT_EQ(changed, head +
                         ".global .u32 seen_1; // seen\n.visible .entry k2() { .reg .b32 seen_x;"
                         " st.global.u32 [seen_1+0], seen_x; ret; }");
  EXPECT_EQ(parse(changed, "b").variables[0].name, "seen_1");
}

}  // namespace
}  // namespace headroom::ptx
