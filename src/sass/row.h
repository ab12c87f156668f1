// A form made ready: its text taken apart once, so that an instruction is decoded by looking at bits.
//
//   "FMUL{?80:1=|.FTZ} {R16}, {|a}"  -->
//     Row{"FMUL", {Choice{80, 1, {{}, {".FTZ"}}}}, {Hole{reg, 16}, Hole{source a, negative, absolute}}}
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sass/forms.h"
#include "sass/instruction.h"

namespace headroom::sass {

struct Field {
  uint8_t bit = 0, width = 0;
};

uint64_t field(const Encoding&, Field);
int64_t signed_field(const Encoding&, Field);

struct Choice {  // modifiers by the value of a field, or of single bits, the first the lowest
  Field field;
  std::vector<uint8_t> bits;
  std::vector<std::vector<std::string>> texts;
  std::vector<bool> refused;
};

struct Condition {
  Field field;
  uint64_t value;
};

enum class HoleKind : uint8_t {
  word,  // text alone
  reg,
  uniform,
  predicate,
  uniform_predicate,
  barrier,
  source,  // a, b, c, w: which by `slot`
  uniform_source,
  immediate,
  number,           // behind a word: SB0
  global,           // {G32,90,76}
  shared,           // {A32}: bit of its uniform register; {O32}: without a factor
  uniform_address,  // {V24}
  copy,             // {D}: [shared][global] of LDGSTS
  constant,         // {k}, {K}, {KU}
  label,            // {L}
  short_label,      // {l}: without the low bits that sm_90 has
  byte_label,       // {e}: of LEPC
  displacement,     // {d}: of a jump through a register
  special,
  lut,               // {T72}: of PLOP3, in two pieces
  late_predicate,    // {p64}, {q87}: 7 − number
  mask,              // {x32:6}: the numbers of the bits that are set
  pointer,           // [{U32}]
  wide_pointer,      // [{W24}]: a pair of registers
  register_pointer,  // [{R24}]
  descriptor,        // desc[{U40}]
  matrix,            // gdesc[{U24}]
};

struct Hole {
  HoleKind kind = HoleKind::word;
  Field field;
  char slot = 0;  // of a source; of a constant its address register: R, U or 0
  bool may_negate = false, may_be_absolute = false, may_invert = false, optional = false;
  bool written = false;
  char immediate = 's';              // s signed, u unsigned, f, d, h
  char select = 0;                   // behind a source: h halves, B bytes
  std::string text;                  // of a word, before a number
  uint8_t pair = 0, descriptor = 0;  // bits of a global address
  std::vector<Choice> suffixes;
};

struct Row {
  const Form* form = nullptr;
  std::string opcode;
  std::vector<Choice> modifiers;  // fixed ones have no field
  std::vector<Condition> conditions;
  std::vector<Hole> holes;
};

// The rows that an instruction with these 12 bits may be, in the order of the tables.
const std::vector<const Row*>& rows_of(uint32_t bits);

}  // namespace headroom::sass
