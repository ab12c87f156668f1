// PTX texts read, printed and read again.
//
// tests/golden/ptx/NAME.ptx is the input; NAME.expected what comes out: the canonical text with the
// problems of its functions as comments, or for bad-* the error. HEADROOM_REBASE=1 in the
// environment rewrites the expectations; HEADROOM_PTX_CORPUS=FOLDER reads all .ptx files of a
// folder too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "ptx_samples.h"

namespace headroom::ptx {
namespace {

std::string outcome(const std::string& text, const std::string& name) {
  try {
    Module module = parse(text, name);
    std::string result;
    for (const Function& function : module.functions)
      for (const Problem& problem : function.problems)
        result += "// " + function.name + ": " + name + ":" + std::to_string(problem.span.line) +
                  ":" + std::to_string(problem.span.column) + ": " + problem.what +
                  "\n//   hint: " + problem.hint + "\n";
    return result + print(module);
  } catch (const Error& error) {
    return std::string(error.what()) + "\n";
  }
}

void expect_round_trip(const std::string& text, const std::string& name) {
  Module first = parse(text, name);
  std::string printed = print(first);
  Module second = parse(printed, name);
  EXPECT_EQ(print(second), printed) << name;
  EXPECT_TRUE(without_spans(first) == without_spans(second)) << name;
}

TEST(PtxGolden, texts_give_what_their_expectation_says) {
  bool rebase = std::getenv("HEADROOM_REBASE");
  auto files = golden_files();
  ASSERT_GT(files.size(), 10u);
  for (const auto& path : files) {
    auto expected = std::filesystem::path(path).replace_extension(".expected");
    std::string found = outcome(load_file(path), path.filename());
    if (rebase) std::ofstream(expected, std::ios::binary) << found;
    EXPECT_EQ(found, load_file(expected)) << path;
  }
}

TEST(PtxGolden, printing_and_reading_again_changes_nothing) {
  for (const auto& path : golden_files())
    if (!path.filename().string().starts_with("bad-"))
      expect_round_trip(load_file(path), path.filename());
}

TEST(PtxGolden, only_texts_made_for_it_have_problems) {
  for (const auto& path : golden_files()) {
    std::string name = path.filename();
    if (name.starts_with("bad-") || name.starts_with("unknown-")) continue;
    for (const Function& function : parse(load_file(path), name).functions)
      for (const Problem& problem : function.problems)
        ADD_FAILURE() << name << ":" << problem.span.line << ": " << problem.what;
  }
}

TEST(PtxGolden, a_corpus_reads_and_prints_without_problems) {
  const char* folder = std::getenv("HEADROOM_PTX_CORPUS");
  if (!folder) GTEST_SKIP() << "HEADROOM_PTX_CORPUS names no folder";
  auto files = files_in(folder);
  EXPECT_FALSE(files.empty());
  for (const auto& path : files) {
    std::string text = load_file(path);
    ASSERT_NO_THROW(expect_round_trip(text, path.filename()))
        << path << "\n"
        << outcome(text, path.filename()).substr(0, 500);
    for (const Function& function : parse(text, path.filename()).functions)
      for (const Problem& problem : function.problems)
        ADD_FAILURE() << path << ":" << problem.span.line << ": " << problem.what << "; "
                      << problem.hint;
  }
}

}  // namespace
}  // namespace headroom::ptx
