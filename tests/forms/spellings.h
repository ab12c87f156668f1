// The spellings of a form: {"add{.sat}.s32 d, a, b"}  ->  add.s32, add.sat.s32.
#pragma once
#include <string>
#include <vector>

#include "ptx/forms.h"

namespace headroom::golden {

// All of them where they are few; else some in which every member of every set appears with various others.
std::vector<std::string> spellings(const ptx::Form&, size_t most);

// The first ones in order, the types varying fastest.
std::vector<std::string> first_spellings(const ptx::Form&, size_t most);

struct Spelling {
  std::string opcode;
  std::vector<std::string> modifiers;  // ".rn"
  std::vector<std::string> types()
      const;  // those that name a type of values, without the dot: "f16x2"
  bool has(std::string_view modifier) const;
};
Spelling split(std::string_view spelling);

}  // namespace headroom::golden
