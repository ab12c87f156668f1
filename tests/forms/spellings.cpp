#include "forms/spellings.h"

#include <algorithm>
#include <array>
#include <random>

#include "ptx/forms_pattern.h"

namespace headroom::golden {
namespace {

std::string concrete(std::string member) {  // m64n*k16: any number will do
  for (char& c : member) c = c == '*' ? '8' : c;
  return member;
}

void in_order(const ptx::Pattern& pattern, int item, const std::string& so_far, size_t most,
              std::vector<std::string>& found) {
  if (found.size() >= most) return;
  if (item == pattern.size) {
    found.push_back(so_far);
    return;
  }
  const ptx::Item& here = pattern.items[size_t(item)];
  if (here.skip_to) in_order(pattern, here.skip_to, so_far, most, found);
  for (std::string_view rest = here.members; !rest.empty();) {
    const std::string member(ptx::take_member(rest));
    in_order(pattern, item + 1, so_far + concrete(member), most, found);
  }
}

// One spelling with a given member at a given place, everything else by chance.
std::string with_member(const ptx::Pattern& pattern, int place, const std::string& member,
                        std::mt19937& random) {
  std::string text(pattern.opcode);
  for (int i = 0; i < pattern.size;) {
    const ptx::Item& item = pattern.items[size_t(i)];
    const bool holds_place = i <= place && place < item.skip_to;
    if (item.skip_to && !holds_place && random() % 2) {
      i = item.skip_to;
      continue;
    }
    std::vector<std::string> members;
    for (std::string_view rest = item.members; !rest.empty();)
      members.emplace_back(ptx::take_member(rest));
    text += concrete(i == place ? member : members[random() % members.size()]);
    ++i;
  }
  return text;
}

}  // namespace

std::vector<std::string> first_spellings(const ptx::Form& form, size_t most) {
  const ptx::Pattern pattern(form.text);
  std::vector<std::string> found;
  in_order(pattern, 0, std::string(pattern.opcode), most, found);
  return found;
}

std::vector<std::string> spellings(const ptx::Form& form, size_t most) {
  std::vector<std::string> all = first_spellings(form, most + 1);
  if (all.size() <= most) return all;
  const ptx::Pattern pattern(form.text);
  std::mt19937 random(20261121);
  std::vector<std::string> some;
  for (int place = 0; place < pattern.size; ++place) {
    for (std::string_view rest = pattern.items[size_t(place)].members; !rest.empty();) {
      const std::string member(ptx::take_member(rest));
      for (int round = 0; round < 3; ++round)
        some.push_back(with_member(pattern, place, member, random));
    }
  }
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

std::vector<std::string> Spelling::types() const {
  static constexpr std::array<std::string_view, 40> known = {
      ".pred",   ".b8",     ".b16",     ".b32",    ".b64",    ".b128",   ".u8",     ".u16",
      ".u32",    ".u64",    ".s8",      ".s16",    ".s32",    ".s64",    ".u16x2",  ".s16x2",
      ".f16",    ".f16x2",  ".bf16",    ".bf16x2", ".f32",    ".f32x2",  ".f64",    ".tf32",
      ".e4m3x2", ".e5m2x2", ".e2m3x2",  ".e3m2x2", ".e2m1x2", ".e4m3x4", ".e5m2x4", ".e2m3x4",
      ".e3m2x4", ".e2m1x4", ".ue8m0x2", ".u2",     ".s2",     ".u4",     ".s4",     ".b1"};
  std::vector<std::string> found;
  for (const std::string& modifier : modifiers) {
    if (std::find(known.begin(), known.end(), modifier) != known.end())
      found.push_back(modifier.substr(1));
  }
  return found;
}

bool Spelling::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

Spelling split(std::string_view spelling) {
  Spelling out;
  size_t at = spelling.find('.');
  out.opcode = spelling.substr(0, at);
  while (at < spelling.size()) {
    const size_t end = std::min(spelling.find('.', at + 1), spelling.size());
    out.modifiers.emplace_back(spelling.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace headroom::golden
