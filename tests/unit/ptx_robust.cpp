// Texts that are cut, changed, deep or long: parsing ends in a module or in an Error, never in a
// crash, and soon.
#include <gtest/gtest.h>

#include <ctime>
#include <random>

#include "base/error.h"
#include "ptx_samples.h"

namespace headroom::ptx {
namespace {

// True if it is PTX. What is read must also print, and read again as the same.
bool survives(const std::string& text) {
  Module module;
  try {
    module = parse(text, "text");
  } catch (const Error& error) {
    EXPECT_FALSE(error.problem.empty());
    return false;
  }
  std::string printed = print(module);
  try {
    EXPECT_TRUE(without_spans(parse(printed, "text")) == without_spans(module))
        << text << "\n----\n"
        << printed;
  } catch (const Error& error) {
    ADD_FAILURE() << error.what() << "\n" << text << "\n----\n" << printed;
  }
  return true;
}

std::vector<std::string> golden_texts() {
  std::vector<std::string> texts;
  for (const auto& path : golden_files()) texts.push_back(load_file(path));
  return texts;
}

TEST(PtxRobust, text_cut_anywhere_gives_an_error_or_a_module) {
  for (const std::string& text : golden_texts())
    for (size_t end = 0; end < text.size(); end += 1 + text.size() / 150)
      survives(text.substr(0, end));
}

TEST(PtxRobust, text_with_random_changes_gives_an_error_or_a_module) {
  std::mt19937 random(20261121);
  auto below = [&](size_t limit) { return size_t(random() % limit); };
  auto texts = golden_texts();
  const std::string marks = "{}[]()<>,;:@!|+-*/%.\"'\\0123456789abfx_$ \n";
  for (int round = 0; round < 4000; ++round) {
    std::string text = texts[below(texts.size())];
    for (size_t change = below(4) + 1; change > 0 && !text.empty(); --change) {
      size_t at = below(text.size());
      switch (below(5)) {
        case 0: text[at] = marks[below(marks.size())]; break;
        case 1: text[at] = char(below(256)); break;
        case 2: text.erase(at, below(20)); break;
        case 3: text.insert(at, 1, marks[below(marks.size())]); break;
        default: text.insert(at, text.substr(below(text.size()), below(40)));
      }
    }
    survives(text);
  }
}

TEST(PtxRobust, deep_nesting_is_an_error) {
  const std::string head = ".version 8.8\n.target sm_80\n",
                    kernel = head + ".entry k()\n{\n.reg .b32 %r<4>;\n";
  auto many = [](std::string_view part) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += part;
    return text;
  };
  EXPECT_FALSE(survives(kernel + many("{")));
  EXPECT_FALSE(survives(kernel + "mov.u32 %r1, " + many("(")));
  EXPECT_FALSE(survives(kernel + "mov.u32 %r1, " + many("-")));
  EXPECT_FALSE(survives(kernel + "mov.u32 %r1, " + many("1 ? ")));
  EXPECT_FALSE(survives(kernel + "mov.u32 " + many("{")));
  EXPECT_FALSE(survives(kernel + "ld.u32 " + many("[%r1,")));
  EXPECT_FALSE(survives(head + ".global .u32 x = " + many("(")));
  EXPECT_FALSE(survives(head + ".global .u32 x" + many("[2]")));
  EXPECT_FALSE(survives(head + ".global .u64 x = " + many("0xFF(")));
}

TEST(PtxRobust, two_megabytes_are_read_within_a_second) {
  std::string text = ".version 8.8\n.target sm_80\n.entry k()\n{\n.reg .f32 %f<100000>;\n";
  for (int i = 0; i < 40'000; ++i)
    text += "\tfma.rn.f32 \t%f" + std::to_string(i) + ", %f" + std::to_string(i + 1) + ", %f" +
            std::to_string(i + 2) + ", 0f3F800000;\n";
  text += "\tret;\n}\n";
  const std::clock_t start = std::clock();  // of this process: a busy host is no slower reader
  Module module = parse(text, "long");
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(module.functions.at(0).body.size(), 40'001u);
  RecordProperty("bytes", int(text.size()));
  RecordProperty("seconds", std::to_string(seconds));
#ifdef NDEBUG
  EXPECT_LT(seconds, 1.0) << text.size() << " bytes";
#endif
}

}  // namespace
}  // namespace headroom::ptx
