// What the executor has rows for is PTX: every spelling belongs to a form of the manual.
#include <gtest/gtest.h>

#include "ptx/forms.h"
#include "sim/engine.h"

namespace headroom::sim {
namespace {

TEST(Rows, every_spelling_is_a_form_of_ptx) {
  RowTable table;
  engine().add_rows(table);
  size_t checked = 0;
  for (const std::string& spelling : table.spellings()) {
    if (spelling[0] == '!') continue;  // a operation decode makes by itself
    const size_t dot = spelling.find('.');
    const std::string opcode = spelling.substr(0, dot);
    std::vector<std::string> modifiers;
    for (size_t at = dot; at < spelling.size();) {
      const size_t next = std::min(spelling.find('.', at + 1), spelling.size());
      modifiers.push_back(spelling.substr(at, next - at));
      at = next;
    }
    bool known = false;  // a carry is no operand, a pair is one: any number will do
    for (int operands = 1; operands < 8; ++operands)
      known |= ptx::find_form(opcode, modifiers, operands) != nullptr;
    EXPECT_TRUE(known) << spelling << ": " << ptx::advice_for(opcode, modifiers);
    ++checked;
  }
  EXPECT_GT(checked, 1500u);
}

}  // namespace
}  // namespace headroom::sim
