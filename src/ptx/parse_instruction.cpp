// Instructions and their operands.  Source: PTX ISA 9.0, section 4.3.2 and chapter 6.
#include <fmt/format.h>

#include <algorithm>

#include "ptx/parser.h"
#include "ptx/special.h"

namespace headroom::ptx {

// instruction = guard? opcode ("." modifier)* (call | (operand ("," operand)*)?) ";"
void Parser::instruction() {
  Instruction instruction;
  instruction.source = source_;
  if (token_.is("@")) instruction.guard = guard();
  instruction.span = token_.span;
  if (!at_name()) fail(token_.span, "expected an instruction");
  Spelling& spelled = spelling();
  instruction.opcode = spelled.opcode;
  instruction.modifiers = spelled.modifiers;
  int index = int(function_->body.size());
  if (instruction.opcode == "call") {
    call(instruction);
  } else if (!token_.is(";")) {
    do {
      int place = int(instruction.operands.size());
      bool is_label = (instruction.opcode == "bra" && place == 0) ||
                      (instruction.opcode == "brx" && place == 1);
      if (is_label && at_name()) {
        references_.push_back({index, place, names_->scope(), token_.span});
        instruction.operands.push_back(label_reference());
      } else {
        instruction.operands.push_back(operand());
      }
    } while (accept(","));
  }
  if (!token_.is(";"))
    fail(token_.span,
         fmt::format("expected ',' or ';' after an operand of '{}'", instruction.spelled()));
  advance();
  instruction.form = form(spelled, int(instruction.operands.size()));
  if (!instruction.form) unknown_form(instruction);
  function_->body.push_back(std::move(instruction));
}

// guard = "@" "!"? register
Guard Parser::guard() {
  advance();
  Guard guard;
  guard.negated = accept("!");
  const Meaning* meaning = at_name() ? names_->find(token_.text) : nullptr;
  if (!meaning || meaning->kind != Meaning::Kind::reg ||
      function_->registers[size_t(meaning->index)].type != Type::pred)
    fail(token_.span, fmt::format("'{}' is no predicate register", token_.text.substr(0, 40)),
         "declare it: .reg .pred %p<2>;");
  guard.reg = meaning->index;
  advance();
  return guard;
}

// The opcode and its modifiers, which may be set apart by spaces: `ld .global .u32`.
Parser::Spelling& Parser::spelling() {
  std::string text(token_.text);
  advance();
  while (token_.kind == Token::Kind::directive) {
    text += token_.text;
    advance();
  }
  auto [found, fresh] = spellings_.try_emplace(text);
  Spelling& spelled = found->second;
  if (fresh) {
    size_t at = text.find('.');
    spelled.opcode = text.substr(0, at);
    while (at < text.size()) {
      size_t end = std::min(text.find('.', at + 1), text.size());
      spelled.modifiers.push_back(text.substr(at, end - at));
      at = end;
    }
  }
  return spelled;
}

const Form* Parser::form(Spelling& spelled, int operands) {
  if (size_t(operands) >= spelled.forms.size())
    return find_form(spelled.opcode, spelled.modifiers, operands);
  auto& known = spelled.forms[size_t(operands)];
  if (!known) known = find_form(spelled.opcode, spelled.modifiers, operands);
  return *known;
}

void Parser::unknown_form(const Instruction& instruction) {
  int operands = int(instruction.operands.size());
  bool known = false;
  for (int count = 0; count < 10; ++count)
    known = known || find_form(instruction.opcode, instruction.modifiers, count);
  std::string spelled = instruction.spelled().substr(0, 100);
  problem(instruction.span,
          known ? fmt::format("'{}' does not take {} operand{}", spelled, operands,
                              operands == 1 ? "" : "s")
                : fmt::format("no instruction '{}'", spelled),
          advice_for(instruction.opcode, instruction.modifiers));
}

// call      = (list ",")? callee ("," list)? ("," name)?
// callee    = function | register
void Parser::call(Instruction& instruction) {
  Operand none;
  none.kind = Operand::Kind::list;
  auto& operands = instruction.operands;
  operands.push_back(none);
  if (token_.is("(")) {
    operands[0] = list("(", ")");
    expect(",", "after the results of a call");
  }
  operands.push_back(named());
  operands.push_back(none);
  if (!accept(",")) return;
  if (token_.is("(")) {
    operands[2] = list("(", ")");
    if (!accept(",")) return;
  }
  references_.push_back({int(function_->body.size()), 3, names_->scope(), token_.span});
  operands.push_back(label_reference());
}

Operand Parser::label_reference() {
  Operand label;
  label.kind = Operand::Kind::label;
  label.name = name("a label");
  return label;
}

// operand = simple_operand ("|" simple_operand)?
Operand Parser::operand() {
  Operand first = simple_operand();
  if (!accept("|")) return first;
  Operand both;
  both.kind = Operand::Kind::list;
  both.pair = true;
  both.items.push_back(std::move(first));
  both.items.push_back(simple_operand());
  return both;
}

// simple_operand = ("!" | "-") register | "{" … "}" | "[" … "]" | "_" | constant | named
Operand Parser::simple_operand() {
  Operand operand;
  if (token_.is("{")) return list("{", "}");
  if (token_.is("[")) return address();
  if ((token_.is("!") || token_.is("-")) && ahead_.kind == Token::Kind::name &&
      !ahead_.is("WARP_SZ")) {
    advance();
    operand = named();
    operand.negated = true;
    return operand;
  }
  if (token_.is("_")) {
    operand.kind = Operand::Kind::sink;
    advance();
    return operand;
  }
  if (at_constant()) {
    Constant value = constant();
    operand.kind = Operand::Kind::immediate;
    operand.immediate_type = value.type;
    operand.bits = value.bits;
    return operand;
  }
  if (at_name()) return named();
  fail(token_.span, fmt::format("expected an operand, not '{}'", token_.text.substr(0, 40)));
}

namespace {

// selector = ("b" digit{1,4} | "h" digit{1,2})      behind a register of a video instruction:
// %r1.b0
bool is_selector(std::string_view text) {
  return text.size() >= 2 && text.size() <= (text[0] == 'b' ? 5u : 3u) &&
         (text[0] == 'b' || text[0] == 'h') &&
         text.find_first_not_of("01234567", 1) == std::string_view::npos;
}

}  // namespace

// named = register ("." selector)? | special register | symbol (("+" | "-") constant)?
Operand Parser::named() {
  Operand operand;
  Span span = token_.span;
  std::string_view text = token_.text;
  if (!at_name()) fail(span, "expected a name");
  advance();
  if (const Meaning* meaning = names_->find(text)) {
    if (meaning->kind == Meaning::Kind::reg) {
      operand.kind = Operand::Kind::reg;
      operand.reg = meaning->index;
      return operand;
    }
    if (meaning->kind == Meaning::Kind::vector) {
      operand.kind = Operand::Kind::list;
      for (int i = 0; i < meaning->count; ++i) {
        Operand part;
        part.kind = Operand::Kind::reg;
        part.reg = meaning->index + i;
        operand.items.push_back(std::move(part));
      }
      return operand;
    }
    operand.name = meaning->name;
  } else if (const Meaning* whole = names_->find(text.substr(0, text.find('.')));
             whole && whole->kind == Meaning::Kind::reg &&
             is_selector(text.substr(std::min(text.size(), text.find('.') + 1)))) {
    operand.kind = Operand::Kind::reg;
    operand.reg = whole->index;
    operand.selector = text.substr(text.find('.') + 1);
    return operand;
  } else if (is_special(text)) {
    operand.kind = Operand::Kind::special;
    operand.name = text;
    return operand;
  } else {
    operand.name = text;
    if (module_names_.find(text) == module_names_.end())
      problem(span, fmt::format("nothing is called '{}' here", text.substr(0, 100)),
              "declare the register, variable or function before its use");
  }
  operand.kind = Operand::Kind::symbol;
  if (token_.is("+") || token_.is("-")) operand.offset = int64_t(to_integer(constant()));
  return operand;
}

// address = "[" (named | constant) (("+" | "-") constant)? ("," operand)* "]"
Operand Parser::address() {
  if (++nesting_ > deepest_nesting) fail(token_.span, "operands nest too deeply");
  Span span = token_.span;
  expect("[", "before an address");
  Operand place;
  if (at_name() && !token_.is("WARP_SZ")) {
    place = named();
    if (place.kind != Operand::Kind::reg && place.kind != Operand::Kind::symbol)
      fail(span, "an address is a register or a symbol, and a number of bytes");
    if (place.kind == Operand::Kind::reg && (token_.is("+") || token_.is("-")))
      place.offset = int64_t(to_integer(constant()));
  } else {
    place.offset = int64_t(to_integer(constant()));
  }
  place.kind = Operand::Kind::address;
  while (accept(",")) place.items.push_back(operand());
  expect("]", "after an address");
  --nesting_;
  return place;
}

// list = open (operand ("," operand)*)? close
Operand Parser::list(std::string_view open, std::string_view close) {
  if (++nesting_ > deepest_nesting) fail(token_.span, "operands nest too deeply");
  Operand found;
  found.kind = Operand::Kind::list;
  expect(open, "before a list");
  if (!token_.is(close)) {
    do found.items.push_back(operand());
    while (accept(","));
  }
  expect(close, "after a list of operands");
  --nesting_;
  return found;
}

}  // namespace headroom::ptx
