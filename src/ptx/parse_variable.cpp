// Variables, parameters and their initialisers:
//
//   .visible .global .align 8 .u64 table[2] = {generic(first), second+16};
//
// gives Variable{"table", 16 bytes, init 16 zero bytes,
//                relocations {{0, "first", generic}, {8, "second", +16}}}.
// Source: PTX ISA 9.0, section 5.4.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "ptx/parser.h"

namespace headroom::ptx {
namespace {

constexpr uint64_t largest_variable = 1ull << 40, largest_initialised = 1ull << 28;

std::optional<Space> space_named(std::string_view word) {
  if (word == ".global") return Space::global;
  if (word == ".const") return Space::constant;
  if (word == ".shared" || word == ".shared::cta") return Space::shared;
  if (word == ".local") return Space::local;
  if (word == ".param") return Space::param;
  if (word == ".reg") return Space::none;
  return std::nullopt;
}

// Eight bytes of one address, low byte first, written as masks, are the address.
void join_bytes(std::vector<Relocation>& relocations) {
  std::vector<Relocation> joined;
  for (size_t i = 0; i < relocations.size(); ++i) {
    auto follows = [&](size_t k) {
      Relocation expected = relocations[i];
      expected.offset += k;
      expected.shift = int(8 * k);
      return i + k < relocations.size() && relocations[i + k] == expected;
    };
    bool whole = relocations[i].bytes == 1 && relocations[i].shift == 0;
    for (size_t k = 1; k < 8 && whole; ++k) whole = follows(k);
    joined.push_back(relocations[i]);
    if (!whole) continue;
    joined.back().bytes = 8;
    i += 7;
  }
  relocations = std::move(joined);
}

}  // namespace

// attribute = ".attribute" "(" ("." word ("(" … ")")?) ("," …)* ")"
void Parser::attribute(bool& managed) {
  advance();
  expect("(", "after .attribute");
  for (int depth = 1; depth > 0; advance()) {
    if (token_.kind == Token::Kind::end) fail(token_.span, "expected ')' after .attribute");
    if (token_.is(".managed")) managed = true;
    depth += token_.is("(") ? 1 : token_.is(")") ? -1 : 0;
  }
}

// kind = space ("." "align" number | vector | type | attribute | ".ptr" space? )*
Parser::Kind Parser::kind() {
  Kind kind;
  auto space = space_named(token_.text);
  if (token_.kind != Token::Kind::directive || !space)
    fail(token_.span, fmt::format("expected a declaration, not '{}'", token_.text.substr(0, 40)),
         "a directive of the module, a variable, or a function");
  kind.space = *space;
  advance();
  while (token_.kind == Token::Kind::directive) {
    Span span = token_.span;
    if (accept(".align")) {
      kind.align = whole_number("an alignment");
      if (!std::has_single_bit(unsigned(kind.align)) || kind.align > 1 << 20)
        fail(span, "an alignment is a power of two");
    } else if (token_.is(".v2") || token_.is(".v4") || token_.is(".v8")) {
      kind.vector = token_.text[2] - '0';
      advance();
    } else if (token_.is(".attribute")) {
      attribute(kind.managed);
    } else if (accept(".ptr")) {
      // What a pointer parameter points to: a promise that changes nothing.
      if (space_named(token_.text)) advance();
      if (accept(".align")) whole_number("an alignment");
    } else if (token_.is(".texref") || token_.is(".samplerref") || token_.is(".surfref")) {
      kind.opaque = token_.text;
      kind.type = Type::b64;
      advance();
    } else if (auto type = type_named(token_.text)) {
      kind.type = *type;
      advance();
    } else {
      fail(span, fmt::format("'{}' has no place in a declaration", token_.text));
    }
  }
  if (kind.type == Type::none)
    fail(token_.span, "expected a type such as .u32 in this declaration");
  if (kind.space != Space::none && kind.type == Type::pred)
    fail(token_.span, "predicates live in registers only");
  return kind;
}

// variables = linkage kind declarator ("," declarator)* ";"
std::vector<Variable> Parser::variables(const Linkage& how) {
  Kind what = kind();
  if (what.space == Space::none) fail(token_.span, "registers are declared in functions");
  std::vector<Variable> found;
  do {
    Variable variable = declarator(what);
    variable.external = how.external;
    variable.visible = how.visible;
    variable.weak = how.weak;
    variable.common = how.common;
    variable.managed = what.managed;
    found.push_back(std::move(variable));
  } while (accept(","));
  expect(";", "after a variable");
  return found;
}

// declarator = name ("[" number? "]")* ("=" initialiser)?
Variable Parser::declarator(const Kind& what) {
  Variable variable;
  variable.span = token_.span;
  variable.name = name("the name of a variable");
  variable.space = what.space;
  variable.type = what.type;
  variable.opaque = what.opaque;
  variable.align = what.align ? what.align : std::max(1, width_of(variable) * what.vector);
  bool open = false;
  std::vector<uint64_t> sizes = dimensions(open);
  if (what.vector > 1) sizes.push_back(uint64_t(what.vector));
  uint64_t bytes = uint64_t(std::max(1, width_of(variable)));
  for (uint64_t size : sizes) {
    if (size != 0 && bytes > largest_variable / size)
      fail(variable.span, "this variable is too large");
    bytes *= size;
  }
  variable.bytes = bytes;
  if (accept("=")) initialiser(variable, sizes, open);
  return variable;
}

// dimensions = ("[" number? "]")*       only the first may be open
std::vector<uint64_t> Parser::dimensions(bool& open) {
  std::vector<uint64_t> sizes;
  while (token_.is("[")) {
    Span span = token_.span;
    advance();
    if (token_.is("]")) {
      if (!sizes.empty()) fail(span, "only the first dimension may be left open");
      open = true;
      sizes.push_back(0);
    } else {
      Constant size = constant();
      if (size.type != Type::s64 && size.type != Type::u64)
        fail(span, "the size of an array is a whole number");
      if (size.bits > largest_variable) fail(span, "this array is too large");
      sizes.push_back(size.bits);
    }
    expect("]", "after the size of an array");
    if (sizes.size() > 16) fail(span, "this array has too many dimensions");
  }
  return sizes;
}

// initialiser = value | "{" … "}"
void Parser::initialiser(Variable& variable, const std::vector<uint64_t>& sizes, bool open) {
  Span span = token_.span;
  if (variable.bytes > largest_initialised)
    fail(span, "this variable is too large for an initialiser");
  variable.init.assign(variable.bytes, 0);
  values(variable, sizes, 0, 0, open);
  if (open) variable.bytes = variable.init.size();
  join_bytes(variable.relocations);
  bool zero = std::all_of(variable.init.begin(), variable.init.end(),
                          [](uint8_t byte) { return byte == 0; });
  if (zero && variable.relocations.empty()) variable.init.clear();
}

// values(no dimension) = value | "{" value "}"
// values(dimensions)   = "{" (values(dimensions but the first) ("," …)*)? "}"
void Parser::values(Variable& variable, const std::vector<uint64_t>& sizes, size_t level,
                    uint64_t at, bool open) {
  if (level == sizes.size()) {
    bool braces = accept("{");
    value(variable, at);
    if (braces) expect("}", "after a value");
    return;
  }
  uint64_t step = uint64_t(width_of(variable));
  for (size_t i = level + 1; i < sizes.size(); ++i) step *= sizes[i];
  expect("{", "before the values of an array");
  for (uint64_t i = 0; !token_.is("}"); ++i) {
    if (open && level == 0) {
      if (variable.init.size() + step > largest_initialised)
        fail(token_.span, "this array is too large");
      variable.init.resize(variable.init.size() + step);
    } else if (i >= sizes[level]) {
      fail(token_.span, fmt::format("more than {} values for this array", sizes[level]));
    }
    values(variable, sizes, level + 1, at + i * step, false);
    if (!accept(",")) break;
  }
  expect("}", "after the values of an array");
}

// value = constant | relocation
void Parser::value(Variable& variable, uint64_t at) {
  Span span = token_.span;
  int width = width_of(variable);
  bool masked = token_.kind == Token::Kind::integer && ahead_.is("(");
  if (masked || (at_name() && !token_.is("WARP_SZ"))) {
    Relocation found = relocation();
    found.offset = at;
    found.bytes = width;
    if (!masked && width != 8 && width != 4)
      fail(span, "an address needs 32 or 64 bits", "0xFF(symbol) takes one byte of it");
    if (masked && width != 1) fail(span, "a byte of an address goes into an array of bytes");
    variable.relocations.push_back(std::move(found));
    return;
  }
  Constant number = constant();
  uint64_t bits;
  switch (variable.type) {
    case Type::f32: {
      float single = number.type == Type::f32 ? std::bit_cast<float>(uint32_t(number.bits))
                                              : float(to_double(number));
      bits = number.type == Type::f32 ? number.bits : std::bit_cast<uint32_t>(single);
      break;
    }
    case Type::f64:
      bits = number.type == Type::f64 ? number.bits : std::bit_cast<uint64_t>(to_double(number));
      break;
    default:
      bits = number.bits;
      if (number.type == Type::f64 || (number.type == Type::f32 && width != 4))
        fail(span, fmt::format("a float cannot initialise .{}", name_of(variable.type)));
  }
  for (int i = 0; i < width && i < 8; ++i) variable.init[at + uint64_t(i)] = uint8_t(bits >> 8 * i);
}

// relocation = mask "(" relocation ")"
//            | ("generic" "(" symbol ")" | symbol) (("+" | "-") constant)?
Relocation Parser::relocation() {
  Relocation found;
  if (token_.kind == Token::Kind::integer) {
    uint64_t mask = token_.bits;
    int shift = mask ? std::countr_zero(mask) : 1;
    if (shift % 8 != 0 || mask >> shift != 0xFF)
      fail(token_.span, "a mask chooses one byte of an address",
           "0xFF, 0xFF00, … 0xFF00000000000000");
    advance();
    expect("(", "after a mask");
    if (token_.kind == Token::Kind::integer) fail(token_.span, "expected a symbol");
    found = relocation();
    expect(")", "after a masked address");
    found.shift = shift;
    return found;
  }
  if (token_.is("generic") && ahead_.is("(")) {
    advance();
    advance();
    found.generic = true;
    found.symbol = name("a symbol");
    expect(")", "after a symbol");
  } else {
    found.symbol = name("a symbol");
  }
  if (token_.is("+") || token_.is("-")) found.addend = int64_t(to_integer(constant()));
  return found;
}

// parameters = "(" (parameter ("," parameter)*)? ")"
std::vector<Variable> Parser::parameters() {
  std::vector<Variable> found;
  expect("(", "before parameters");
  if (!token_.is(")")) {
    do found.push_back(parameter());
    while (accept(","));
  }
  expect(")", "after parameters");
  return found;
}

// parameter = kind name ("[" number? "]")*
Variable Parser::parameter() {
  Kind what = kind();
  if (what.space != Space::none && what.space != Space::param)
    fail(token_.span, "parameters are .param or .reg");
  Variable variable = declarator(what);
  if (!variable.init.empty()) fail(variable.span, "a parameter has no initial value");
  return variable;
}

}  // namespace headroom::ptx
