#include "model/profiled_name.h"

#include <regex>

namespace headroom {

namespace {

void erase_all(std::string& text, const std::regex& pattern, const char* with = "") {
  text = std::regex_replace(text, pattern, with);
}

// The parameters begin at the first parenthesis that is of no template's argument.
void cut_parameters(std::string& name) {
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    depth += (name[i] == '<') - (name[i] == '>');
    if (name[i] == '(' && depth == 0) return name.resize(i);
  }
}

}  // namespace

std::string profiled_name(std::string name) {
  static const std::regex unnamed(R"(\(anonymous namespace\)::|<unnamed>::|unnamed>::)"),
      cast(R"(\([A-Za-z_][\w: ]*\)(?=-?\d))"), space_of_names(R"(\w+::)"),
      suffix(R"(\b(\d+)[uUlL]+\b)"), yes(R"(\btrue\b)"), no(R"(\bfalse\b)"), result("^void ");
  erase_all(name, unnamed);
  erase_all(name, cast);
  cut_parameters(name);
  erase_all(name, space_of_names);
  erase_all(name, suffix, "$1");
  erase_all(name, yes, "1");
  erase_all(name, no, "0");
  erase_all(name, result);
  std::erase(name, ' ');
  return name;
}

}  // namespace headroom
