// PTX text as tokens, one at a time:
//
//   @%p1 ld.global.v2.f32 {%f1, _}, [%rd3+8];
//
//   ->   @  %p1  ld.global.v2.f32  {  %f1  ,  _  }  ,  [  %rd3  +  8  ]  ;
//
// A name keeps the modifiers that follow it without a space: `ld.global.v2.f32` and `%tid.x` are
// one token. Tokens are views into the text, which must outlive them.  Source: PTX ISA 9.0,
// chapter 4.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ptx/module.h"

namespace headroom::ptx {

struct Token {
  enum class Kind : uint8_t { end, name, directive, integer, f32, f64, string, punctuation };
  Kind kind = Kind::end;
  std::string_view text;     // as written; a string without its quotes
  uint64_t bits = 0;         // integer, or the bits of a float
  bool is_unsigned = false;  // integer with suffix U, or above the range of .s64
  Span span;

  bool is(std::string_view spelling) const {
    return text == spelling && kind != Kind::string && kind != Kind::end;
  }
};

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view name) : text_(text), name_(name) {}
  Token next();

  // An error at a place of the text, with its line and a caret.
  Error error(Span, const std::string& problem, const std::string& hint = "") const;

 private:
  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  Span here() const { return {line_, int(position_ - line_start_) + 1}; }
  void skip_space();
  Token name();
  Token number();
  Token string();

  std::string_view text_, name_;
  size_t position_ = 0, line_start_ = 0;
  int line_ = 1;
};

}  // namespace headroom::ptx
