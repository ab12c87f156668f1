// The instructions of PTX as rows in the manual's own notation, with the manual's section:
//
//   {"add{.rnd}{.ftz}{.sat}.f32 d, a, b", "9.7.3.3"}
//
// .rnd and the like name sets of alternatives (forms_sets.h). Lexer, parser, printer, help, docs
// and tests come from the rows; docs/ptx.md is generated from them. What no row matches is an error
// that names the nearest row.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ptx {

struct Form {
  std::string_view text;     // opcode, modifiers, operands as the manual writes them
  std::string_view section;  // of the PTX ISA manual, version 9.0
};

std::span<const Form> forms();

// The row that accepts this opcode with these modifiers and this many operands; null if none does.
const Form* find_form(std::string_view opcode, std::span<const std::string> modifiers,
                      int operands);

// For messages: "the nearest form is add{.rnd}…", or that there is nothing like it.
std::string advice_for(std::string_view opcode, std::span<const std::string> modifiers);

// The row closest to what was written.
const Form& nearest_form(std::string_view opcode, std::span<const std::string> modifiers);

// The table as a page: docs/ptx.md.
std::string describe_forms();

}  // namespace headroom::ptx
