// The table of forms tests itself: every spelling a row stands for belongs to that row alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "fewer.h"
#include "ptx/forms.h"
#include "ptx/forms_pattern.h"
#include "ptx_samples.h"

namespace headroom::ptx {
namespace {

constexpr size_t most_spellings = fewer(2000);  // of one row

// All spellings of a pattern from an item on, at most most_spellings; `*` becomes 8.
void spell(const Pattern& pattern, int item, std::vector<std::string>& modifiers,
           std::vector<std::vector<std::string>>& found) {
  if (found.size() >= most_spellings) return;
  if (item == pattern.size) {
    found.push_back(modifiers);
    return;
  }
  const Item& here = pattern.items[size_t(item)];
  for (std::string_view rest = here.members; !rest.empty();) {
    std::string member(take_member(rest));
    for (char& c : member) c = c == '*' ? '8' : c;
    modifiers.push_back(member);
    spell(pattern, item + 1, modifiers, found);
    modifiers.pop_back();
  }
  if (here.skip_to) spell(pattern, here.skip_to, modifiers, found);
}

TEST(PtxForms, every_spelling_of_a_row_belongs_to_that_row_alone) {
  size_t checked = 0;
  for (const Form& row : forms()) {
    Pattern pattern(row.text);
    std::vector<std::vector<std::string>> spellings;
    std::vector<std::string> modifiers;
    spell(pattern, 0, modifiers, spellings);
    for (const auto& spelling : spellings) {
      for (int count = pattern.min_operands; count <= pattern.max_operands; ++count) {
        int owners = 0;
        for (const Form& other : forms()) {
          if (!other.text.starts_with(pattern.opcode)) continue;
          Pattern theirs(other.text);
          owners +=
              theirs.opcode == pattern.opcode && theirs.takes(count) && theirs.matches(spelling);
        }
        std::string text(pattern.opcode);
        for (const std::string& modifier : spelling) text += modifier;
        ASSERT_EQ(owners, 1) << text << " with " << count << " operands, of " << row.text;
        ASSERT_EQ(find_form(pattern.opcode, spelling, count), &row) << text;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, size_t(fewer(10'000)));
}

// A misspelt set would be taken for a modifier of that name. The names of sets that could be
// mistaken have a '_'.
TEST(PtxForms, what_looks_like_a_set_is_one) {
  const std::set<std::string_view> modifiers = {
      ".arrive_drop",   ".b4x16_p64",     ".b6x16_p32", ".commit_group",    ".complete_tx",
      ".cp_fenceproxy", ".cp_mask",       ".expect_tx", ".get_first_ctaid", ".is_canceled",
      ".ld_reduce",     ".mbarrier_init", ".mma_async", ".pending_count",   ".query_cancel",
      ".test_wait",     ".try_cancel",    ".try_wait",  ".wait_all",        ".wait_group",
      ".bulk_group",
  };
  for (const Form& row : forms()) {
    EXPECT_TRUE(row.section.starts_with("9.7.")) << row.text;
    Pattern pattern(row.text);
    for (int i = 0; i < pattern.size; ++i) {
      const Item& item = pattern.items[size_t(i)];
      bool plain = item.name.find('_') == std::string_view::npos ||
                   item.name.find("::") != std::string_view::npos;
      EXPECT_TRUE(plain || item.members != item.name || modifiers.contains(item.name))
          << item.name << " of " << row.text;
    }
  }
}

TEST(PtxForms, members_of_sets_are_single_modifiers) {
  for (const Set& set : sets)
    for (std::string_view rest = set.members; !rest.empty();) {
      std::string_view member = take_member(rest);
      EXPECT_EQ(member.rfind('.'), 0u) << member << " of " << set.name;
    }
}

TEST(PtxForms, every_set_is_used_by_a_row) {
  for (const Set& set : sets) {
    bool used = false;
    for (const Form& row : forms()) {
      Pattern pattern(row.text);
      for (int i = 0; i < pattern.size; ++i)
        used = used || pattern.items[size_t(i)].name == set.name;
    }
    EXPECT_TRUE(used) << set.name;
  }
}

TEST(PtxForms, operands_count_towards_the_form) {
  std::vector<std::string> f32 = {".rn", ".f32"};
  EXPECT_TRUE(find_form("add", f32, 3));
  EXPECT_FALSE(find_form("add", f32, 2));
  EXPECT_FALSE(find_form("nonsense", f32, 3));
}

TEST(PtxForms, the_nearest_form_of_swapped_modifiers_is_the_right_one) {
  std::vector<std::string> swapped = {".ftz", ".rn", ".f32"};
  EXPECT_EQ(nearest_form("add", swapped).text, "add{.rnd}{.ftz}{.sat}.f32 d, a, b");
  std::vector<std::string> plain = {".s32"};
  EXPECT_EQ(nearest_form("ad", plain).text, "add{.sat}.s32 d, a, b");
  std::vector<std::string> load = {".v4", ".global", ".nc", ".f32"};
  EXPECT_TRUE(nearest_form("ld", load).text.starts_with("ld.global{.nccop}.nc"));
}

TEST(PtxForms, the_page_of_forms_is_up_to_date) {
  std::string path = std::string(HEADROOM_SOURCE) + "/docs/ptx.md";
  if (std::getenv("HEADROOM_REBASE")) std::ofstream(path, std::ios::binary) << describe_forms();
  EXPECT_EQ(describe_forms(), load_file(path)) << "HEADROOM_REBASE=1 writes docs/ptx.md anew";
}

}  // namespace
}  // namespace headroom::ptx
