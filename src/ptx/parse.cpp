// parse(): PTX text to a Module; here the module and its directives.  Source: PTX ISA 9.0, chapters
// 4, 5 and 11.
#include <fmt/format.h>

#include <algorithm>

#include "ptx/parser.h"

namespace headroom::ptx {

Module parse(std::string_view text, std::string name) {
  return Parser(text, std::move(name)).module();
}

Parser::Parser(std::string_view text, std::string name)
    : name_(std::move(name)), lexer_(text, name_) {
  token_ = lexer_.next();
  ahead_ = token_.kind == Token::Kind::end ? token_ : lexer_.next();
}

void Parser::advance() {
  token_ = ahead_;
  if (token_.kind != Token::Kind::end) ahead_ = lexer_.next();
}

bool Parser::accept(std::string_view spelling) {
  if (!token_.is(spelling)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view spelling, std::string_view where) {
  if (!accept(spelling)) fail(token_.span, fmt::format("expected '{}' {}", spelling, where));
}

void Parser::fail(Span span, const std::string& problem, const std::string& hint) const {
  if (hint.empty() && token_.kind == Token::Kind::end)
    throw lexer_.error(span, problem + ", but the text ends here", "the file may be cut off");
  throw lexer_.error(span, problem, hint);
}

std::string Parser::name(std::string_view what) {
  if (!at_name()) fail(token_.span, fmt::format("expected {}", what));
  std::string text(token_.text);
  advance();
  return text;
}

std::string Parser::string() {
  if (token_.kind != Token::Kind::string) fail(token_.span, "expected a string");
  std::string text(token_.text);
  advance();
  return text;
}

int Parser::whole_number(std::string_view what) {
  Span span = token_.span;
  Constant value = unary();  // of %r<10> the > is no comparison
  if (value.type == Type::f32 || value.type == Type::f64 || value.bits > 1u << 30)
    fail(span, fmt::format("expected {}, a whole number", what));
  return int(value.bits);
}

// module    = directive*
// directive = ".version" number | target | ".address_size" number | file | section
//           | pragma | alias | linkage (function | variables) | ";"
Module Parser::module() {
  module_.name = name_;
  module_.files.emplace_back();
  if (!token_.is(".version"))
    fail(
        token_.span,
        token_.kind == Token::Kind::end ? "the text is empty" : "a PTX module begins with .version",
        "PTX text starts with lines such as .version 8.8 and .target sm_80");
  while (token_.kind != Token::Kind::end) {
    if (accept(".version")) {
      std::string text(token_.text);
      size_t point = text.find('.');
      if (token_.kind != Token::Kind::f64 || point == std::string::npos || text.size() > 8)
        fail(token_.span, "expected a version such as 8.8");
      module_.version_major = std::atoi(text.c_str());
      module_.version_minor = std::atoi(text.c_str() + point + 1);
      advance();
    } else if (token_.is(".target")) {
      target();
    } else if (accept(".address_size")) {
      module_.address_size = whole_number("the bits of an address");
      if (module_.address_size != 32 && module_.address_size != 64)
        fail(token_.span, "addresses have 32 or 64 bits");
    } else if (token_.is(".file")) {
      file();
    } else if (token_.is(".section")) {
      section();
    } else if (token_.is(".pragma")) {
      pragma();
    } else if (token_.is(".alias")) {
      alias();
    } else if (!accept(";")) {
      Linkage how = linkage();
      if (token_.is(".entry") || token_.is(".func")) {
        function(how);
      } else {
        for (Variable& variable : variables(how)) {
          module_names_.insert(variable.name);
          module_.variables.push_back(std::move(variable));
        }
      }
    }
  }
  if (module_.target.empty()) fail(token_.span, "this module names no .target");
  std::stable_partition(module_.functions.begin(), module_.functions.end(),
                        [](const Function& function) { return !function.defined; });
  return std::move(module_);
}

// target = ".target" name ("," name)*
void Parser::target() {
  advance();
  module_.target = name("an architecture such as sm_80");
  while (accept(",")) module_.target_options.push_back(name("an option of the target"));
}

// file = ".file" number string ("," number "," number)?
void Parser::file() {
  advance();
  Span span = token_.span;
  size_t index = size_t(whole_number("the number of a file"));
  if (index > 100'000) fail(span, "this file number is too large");
  if (module_.files.size() <= index) module_.files.resize(index + 1);
  module_.files[index] = string();
  if (accept(",")) {
    constant();
    expect(",", "between time stamp and size of a file");
    constant();
  }
}

// section = ".section" ("." word)+ "{" … "}"       debug information, which has no meaning here
void Parser::section() {
  Span start = token_.span;
  advance();
  while (token_.kind == Token::Kind::directive || at_name()) advance();
  expect("{", "after the name of a section");
  for (int depth = 1; depth > 0; advance()) {
    if (token_.kind == Token::Kind::end) fail(start, "this section is not closed");
    depth += token_.is("{") ? 1 : token_.is("}") ? -1 : 0;
  }
}

// pragma = ".pragma" string ("," string)* ";"
std::vector<std::string> Parser::pragma() {
  advance();
  std::vector<std::string> texts;
  do texts.push_back(string());
  while (accept(","));
  expect(";", "after a pragma");
  return texts;
}

// alias = ".alias" name "," name ";"
void Parser::alias() {
  advance();
  std::string from = name("the name of a function");
  expect(",", "between the names of an alias");
  std::string to = name("the name of a function");
  expect(";", "after an alias");
  module_.aliases.emplace_back(std::move(from), std::move(to));
}

// linkage = (".extern" | ".visible" | ".weak" | ".common")*
Linkage Parser::linkage() {
  Linkage how;
  while (true) {
    if (accept(".extern"))
      how.external = true;
    else if (accept(".visible"))
      how.visible = true;
    else if (accept(".weak"))
      how.weak = true;
    else if (accept(".common"))
      how.common = true;
    else
      return how;
  }
}

}  // namespace headroom::ptx
