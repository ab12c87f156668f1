// See lex.h.
#include "ptx/lex.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>

namespace headroom::ptx {
namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool starts_name(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool in_name(char c) { return is_letter(c) || is_decimal(c) || c == '_' || c == '$'; }
int digit_of(char c) {
  if (is_decimal(c)) return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

}  // namespace

// problem = message, the line, a caret:
//   expected ';' after the instruction
//     12 | add.f32 %f1, %f2 %f3
//        |                  ^
Error Lexer::error(Span span, const std::string& problem, const std::string& hint) const {
  size_t start = 0;
  for (int line = 1; line < span.line; ++line) start = text_.find('\n', start) + 1;
  std::string line(text_.substr(start, text_.find('\n', start) - start));
  constexpr size_t margin = 60, widest = 100;
  size_t caret = size_t(span.column) - 1;
  size_t cut = caret > margin ? caret - margin : 0;
  line = cut < line.size() ? line.substr(cut, widest) : "";
  caret -= cut;
  for (char& c : line)
    if (c < ' ' || c > '~') c = c == '\t' || c == '\r' ? ' ' : '?';
  std::string number = std::to_string(span.line);
  return Error{fmt::format("{}:{}:{}", name_, span.line, span.column),
               fmt::format("{}\n  {} | {}\n  {:{}} | {:>{}}", problem, number, line, "",
                           number.size(), "^", caret + 1),
               hint};
}

// space = (blank | "//" … newline | "/*" … "*/")*
void Lexer::skip_space() {
  while (position_ < text_.size()) {
    char c = text_[position_];
    if (c == '\n') {
      ++line_;
      line_start_ = ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && at(position_ + 1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && at(position_ + 1) == '*') {
      Span start = here();
      size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos)
        throw error(start, "this comment has no end", "close it with */");
      for (; position_ < end + 2; ++position_) {
        if (text_[position_] != '\n') continue;
        ++line_;
        line_start_ = position_ + 1;
      }
    } else {
      return;
    }
  }
}

// token = name | directive | number | string | punctuation
Token Lexer::next() {
  skip_space();
  Token token;
  token.span = here();
  if (position_ >= text_.size()) return token;
  char c = text_[position_];
  if (starts_name(c)) return name();
  if (is_decimal(c)) return number();
  if (c == '"') return string();
  size_t start = position_++;
  token.kind = Token::Kind::punctuation;
  if (c == '.' && in_name(at(position_))) {
    token.kind = Token::Kind::directive;
    while (in_name(at(position_)) ||
           (at(position_) == ':' && at(position_ + 1) == ':' && in_name(at(position_ + 2))))
      position_ += at(position_) == ':' ? 2 : 1;
  } else if (std::string_view two = text_.substr(start, 2);
             two == "<<" || two == ">>" || two == "<=" || two == ">=" || two == "==" ||
             two == "!=" || two == "&&" || two == "||") {
    ++position_;
  } else if (std::string_view("{}[]()<>,;:@!|+-*/%&^~=?").find(c) == std::string_view::npos) {
    throw error(token.span, fmt::format("no PTX begins with the byte 0x{:02x}", (unsigned char)c),
                "is this PTX text, and not a compressed or binary image?");
  }
  token.text = text_.substr(start, position_ - start);
  return token;
}

// name = (letter | "_" | "$" | "%") (letter | digit | "_" | "$")* modifiers
// modifiers = ("." word ("::" word)*)*
Token Lexer::name() {
  Token token;
  token.span = here();
  size_t start = position_++;
  if (text_[start] == '%' &&
      !in_name(at(position_))) {  // the remainder operator of constant expressions
    token.kind = Token::Kind::punctuation;
    token.text = text_.substr(start, 1);
    return token;
  }
  token.kind = Token::Kind::name;
  while (true) {
    while (in_name(at(position_))) ++position_;
    if (at(position_) == '.' && in_name(at(position_ + 1)))
      ++position_;
    else if (at(position_) == ':' && at(position_ + 1) == ':' && in_name(at(position_ + 2)))
      position_ += 2;
    else
      break;
  }
  token.text = text_.substr(start, position_ - start);
  return token;
}

// number  = integer | "0f" 8 hex digits | "0d" 16 hex digits | decimal float
// integer = ("0x" hex | "0b" binary | "0" octal | decimal) "U"?
Token Lexer::number() {
  Token token;
  token.span = here();
  token.kind = Token::Kind::integer;
  size_t start = position_;
  char mark = at(start + 1);
  int base = 10;
  if (at(start) == '0') {
    if (mark == 'f' || mark == 'F' || mark == 'd' || mark == 'D') {
      bool single = mark == 'f' || mark == 'F';
      token.kind = single ? Token::Kind::f32 : Token::Kind::f64;
      for (position_ += 2; digit_of(at(position_)) < 16; ++position_)
        token.bits = token.bits << 4 | unsigned(digit_of(at(position_)));
      token.text = text_.substr(start, position_ - start);
      if (token.text.size() != (single ? 10u : 18u))
        throw error(token.span,
                    fmt::format("a float as bits has {} hexadecimal digits", single ? 8 : 16),
                    single ? "1.0 is 0f3F800000" : "1.0 is 0d3FF0000000000000");
      return token;
    }
    if (mark == 'x' || mark == 'X') base = 16;
    if (mark == 'b' || mark == 'B') base = 2;
  }
  if (base == 10) {
    size_t end = start;
    while (is_decimal(at(end))) ++end;
    bool real = at(end) == '.' && is_decimal(at(end + 1));
    if (real)
      for (++end; is_decimal(at(end));) ++end;
    if (at(end) == 'e' || at(end) == 'E') {
      size_t exponent = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-');
      if (is_decimal(at(exponent))) {
        real = true;
        for (end = exponent; is_decimal(at(end));) ++end;
      }
    }
    if (real) {
      double value = 0;
      auto result = std::from_chars(text_.data() + start, text_.data() + end, value);
      if (result.ec == std::errc::result_out_of_range)
        throw error(token.span, "this number is out of the range of .f64");
      token.kind = Token::Kind::f64;
      token.bits = std::bit_cast<uint64_t>(value);
      position_ = end;
      token.text = text_.substr(start, end - start);
      return token;
    }
    if (at(start) == '0' && is_decimal(mark)) base = 8;
  } else {
    position_ += 2;
  }
  size_t digits = position_;
  for (; digit_of(at(position_)) < base; ++position_) {
    if (token.bits >
        (std::numeric_limits<uint64_t>::max() - unsigned(digit_of(at(position_)))) / unsigned(base))
      throw error(token.span, "this integer does not fit 64 bits");
    token.bits = token.bits * unsigned(base) + unsigned(digit_of(at(position_)));
  }
  if (position_ == digits || is_decimal(at(position_)))
    throw error(here(), fmt::format("not a digit of a number of base {}", base));
  token.is_unsigned = token.bits > uint64_t(std::numeric_limits<int64_t>::max());
  if (at(position_) == 'U') {
    token.is_unsigned = true;
    ++position_;
  }
  token.text = text_.substr(start, position_ - start);
  if (in_name(at(position_)))
    throw error(here(), "letters after a number", "put a space or an operator between them");
  return token;
}

// string = '"' (character | '\' character)* '"'
Token Lexer::string() {
  Token token;
  token.span = here();
  token.kind = Token::Kind::string;
  size_t start = ++position_;
  while (at(position_) != '"') {
    if (at(position_) == '\\') ++position_;
    if (position_ >= text_.size() || text_[position_] == '\n')
      throw error(token.span, "this string has no end", "close it with \"");
    ++position_;
  }
  token.text = text_.substr(start, position_++ - start);
  return token;
}

}  // namespace headroom::ptx
