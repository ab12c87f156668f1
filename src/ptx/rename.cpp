#include "ptx/rename.h"

#include "ptx/lex.h"

namespace headroom::ptx {

std::string renamed(std::string_view text, const TextMap<std::string>& names) {
  Lexer lexer(text, "PTX");
  std::string result;
  size_t copied = 0;
  for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) {
    if (token.kind != Token::Kind::name) continue;
    const auto found = names.find(token.text);
    if (found == names.end()) continue;
    const auto at = size_t(token.text.data() - text.data());
    result.append(text.substr(copied, at - copied)).append(found->second);
    copied = at + token.text.size();
  }
  return result.append(text.substr(copied));
}

}  // namespace headroom::ptx
