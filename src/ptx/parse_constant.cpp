// Constant expressions, evaluated as they are read: 64-bit integers as in C, and floats.
// Source: PTX ISA 9.0, section 4.5.
#include <bit>
#include <cmath>

#include "ptx/parser.h"

namespace headroom::ptx {
namespace {

bool is_real(Constant value) { return value.type == Type::f32 || value.type == Type::f64; }
Constant integer(uint64_t bits, bool is_unsigned) {
  return {is_unsigned ? Type::u64 : Type::s64, bits};
}
Constant real(double value) { return {Type::f64, std::bit_cast<uint64_t>(value)}; }
bool is_true(Constant value) { return is_real(value) ? to_double(value) != 0 : value.bits != 0; }

constexpr std::array<std::array<std::string_view, 4>, 10> levels = {{
    {"||"},
    {"&&"},
    {"|"},
    {"^"},
    {"&"},
    {"==", "!="},
    {"<", "<=", ">", ">="},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"},
}};

std::optional<Constant> apply(std::string_view op, Constant a, Constant b) {
  if (op == "||") return integer(is_true(a) || is_true(b), false);
  if (op == "&&") return integer(is_true(a) && is_true(b), false);
  if (is_real(a) || is_real(b)) {
    double x = to_double(a), y = to_double(b);
    if (op == "+") return real(x + y);
    if (op == "-") return real(x - y);
    if (op == "*") return real(x * y);
    if (op == "/") return real(x / y);
    if (op == "==") return integer(x == y, false);
    if (op == "!=") return integer(x != y, false);
    if (op == "<") return integer(x < y, false);
    if (op == "<=") return integer(x <= y, false);
    if (op == ">") return integer(x > y, false);
    if (op == ">=") return integer(x >= y, false);
    return std::nullopt;
  }
  bool is_unsigned = a.type == Type::u64 || b.type == Type::u64;
  uint64_t x = a.bits, y = b.bits;
  auto less = [&](uint64_t p, uint64_t q) { return is_unsigned ? p < q : int64_t(p) < int64_t(q); };
  if (op == "+") return integer(x + y, is_unsigned);
  if (op == "-") return integer(x - y, is_unsigned);
  if (op == "*") return integer(x * y, is_unsigned);
  if (op == "&") return integer(x & y, is_unsigned);
  if (op == "|") return integer(x | y, is_unsigned);
  if (op == "^") return integer(x ^ y, is_unsigned);
  if (op == "==") return integer(x == y, false);
  if (op == "!=") return integer(x != y, false);
  if (op == "<") return integer(less(x, y), false);
  if (op == "<=") return integer(!less(y, x), false);
  if (op == ">") return integer(less(y, x), false);
  if (op == ">=") return integer(!less(x, y), false);
  bool a_unsigned = a.type == Type::u64;
  if (op == "<<") return integer(y < 64 ? x << y : 0, a_unsigned);
  if (op == ">>") {
    if (a_unsigned) return integer(y < 64 ? x >> y : 0, true);
    return integer(uint64_t(int64_t(x) >> (y < 64 ? y : 63)), false);
  }
  if (y == 0) return std::nullopt;
  if (is_unsigned) return integer(op == "/" ? x / y : x % y, true);
  if (y == ~0ull)
    return integer(op == "/" ? 0 - x : 0, false);  // −1: the one quotient that can overflow
  return integer(uint64_t(op == "/" ? int64_t(x) / int64_t(y) : int64_t(x) % int64_t(y)), false);
}

}  // namespace

double to_double(Constant value) {
  switch (value.type) {
    case Type::f32: return std::bit_cast<float>(uint32_t(value.bits));
    case Type::f64: return std::bit_cast<double>(value.bits);
    case Type::u64: return double(value.bits);
    default: return double(int64_t(value.bits));
  }
}

uint64_t to_integer(Constant value) {
  if (!is_real(value)) return value.bits;
  double real = to_double(value);
  if (!(std::fabs(real) < 0x1p63)) return 0;
  return uint64_t(int64_t(real));
}

bool Parser::at_constant() const {
  switch (token_.kind) {
    case Token::Kind::integer:
    case Token::Kind::f32:
    case Token::Kind::f64: return true;
    case Token::Kind::name: return token_.text == "WARP_SZ";
    default:
      return token_.is("-") || token_.is("+") || token_.is("~") || token_.is("(") || token_.is("!");
  }
}

// constant = binary ("?" constant ":" constant)?
Constant Parser::constant() {
  if (++nesting_ > deepest_nesting) fail(token_.span, "this expression nests too deeply");
  Constant value = binary(0);
  if (accept("?")) {
    Constant yes = constant();
    expect(":", "in a conditional expression");
    Constant no = constant();
    value = is_true(value) ? yes : no;
  }
  --nesting_;
  return value;
}

// binary(level) = binary(level + 1) (operator of the level, binary(level + 1))*
Constant Parser::binary(int level) {
  if (size_t(level) == levels.size()) return unary();
  Constant left = binary(level + 1);
  while (true) {
    std::string_view op;
    for (std::string_view candidate : levels[size_t(level)])
      if (!candidate.empty() && token_.is(candidate)) op = candidate;
    if (op.empty()) return left;
    Span span = token_.span;
    advance();
    auto value = apply(op, left, binary(level + 1));
    if (!value) fail(span, "this operation has no value", "division by zero, or bits of a float");
    left = *value;
  }
}

// unary = ("-" | "+" | "~" | "!") unary | "(" (".s64" | ".u64") ")" unary | "(" constant ")"
//       | integer | float | "WARP_SZ"
Constant Parser::unary() {
  if (++nesting_ > deepest_nesting) fail(token_.span, "this expression nests too deeply");
  Span span = token_.span;
  Constant value;
  if (accept("-")) {
    value = unary();
    if (value.type == Type::f32)
      value.bits ^= 0x80000000u;
    else if (value.type == Type::f64)
      value.bits ^= 1ull << 63;
    else
      value.bits = 0 - value.bits;
    if (value.type == Type::u64 && value.bits == 1ull << 63) value.type = Type::s64;
  } else if (accept("+")) {
    value = unary();
  } else if (accept("!")) {
    value = integer(!is_true(unary()), false);
  } else if (accept("~")) {
    value = unary();
    if (is_real(value)) fail(span, "~ is for integers");
    value.bits = ~value.bits;
  } else if (accept("(")) {
    if (token_.is(".s64") || token_.is(".u64")) {
      bool is_unsigned = token_.is(".u64");
      advance();
      expect(")", "after a type");
      value = integer(to_integer(unary()), is_unsigned);
    } else {
      value = constant();
      expect(")", "at the end of an expression");
    }
  } else if (token_.is("WARP_SZ")) {
    value = integer(32, false);
    advance();
  } else if (token_.kind == Token::Kind::integer) {
    value = integer(token_.bits, token_.is_unsigned);
    advance();
  } else if (token_.kind == Token::Kind::f32 || token_.kind == Token::Kind::f64) {
    value = {token_.kind == Token::Kind::f32 ? Type::f32 : Type::f64, token_.bits};
    advance();
  } else {
    fail(span, "expected a number");
  }
  --nesting_;
  return value;
}

}  // namespace headroom::ptx
