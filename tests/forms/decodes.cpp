#include "forms/decodes.h"

#include <algorithm>

#include "base/error.h"
#include "forms/spellings.h"
#include "ptx/forms_pattern.h"
#include "sim/simulate.h"

namespace headroom::golden {
namespace {

// The operands as the form writes them, each letter a register: bit n of `predicates` says what the nth is.
std::string operands_of(std::string_view text, uint32_t predicates, const std::string& value) {
  std::string out;
  int braces = 0, n = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::isalpha(c)) {
      size_t end = i;
      while (end < text.size() && (std::isalnum(text[end]) || text[end] == '-' || text[end] == '_'))
        ++end;
      const bool address = !out.empty() && out.back() == '[';
      const size_t open = out.rfind('[');
      const bool coordinates =
          !address && open != std::string::npos && out.find(']', open) == std::string::npos;
      if (braces == 0 || out.back() != '|')
        out += address                 ? "%rd"
               : coordinates           ? "{%r, %r, %r, %r}"
               : predicates >> n++ & 1 ? "%p"
                                       : value;
      i = end - 1;
    } else if (c == '{' && i + 1 < text.size() &&
               (text[i + 1] == '|' || text[i + 1] == '!' || text[i + 1] == ',')) {
      size_t end = text.find('}', i);  // what may be left out is
      i = end;
    } else {
      out += c;
    }
  }
  return out;
}

bool one_decodes(const std::string& instruction, sim::Memory& memory) {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n.func f() { ret; }\n.visible .entry k() { "
      ".reg .pred %p; .reg .b16 %h; .reg .b32 %r; .reg .b64 %rd; .reg .b128 %q;\n"
      "ts: .branchtargets L;\nL: " +
      instruction + ";\nret; }\n";
  try {
    const sim::LoadedModule module =
        sim::load_module(std::make_shared<ptx::Module>(ptx::parse(text, "t.ptx")), memory);
    sim::decode(module, "k");
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

bool decodes(const std::string& spelling, std::string_view operands) {
  static sim::Memory memory(1 << 20);
  if (spelling.starts_with("bra")) return one_decodes(spelling + " L", memory);
  if (spelling.starts_with("call")) return one_decodes(spelling + " f", memory);
  if (spelling.starts_with("brx")) return one_decodes(spelling + " %r, ts", memory);
  for (const char* value : {"%rd", "%r", "%h", "%q", "{%r, %r}", "{%rd, %rd}", "{%r, %r, %r, %r}",
                            "{%r, %r, %r, %r, %r, %r, %r, %r}"}) {
    const uint32_t kinds =
        2u << std::min<long>(3, std::count(operands.begin(), operands.end(), ','));
    for (uint32_t predicates = 0; predicates < kinds; ++predicates) {
      if (one_decodes(spelling + " " + operands_of(operands, predicates, value), memory))
        return true;
    }
    if (operands.empty()) break;
  }
  return false;
}

bool decodes(const ptx::Form& form) {
  const ptx::Pattern pattern(form.text);
  for (const std::string& spelling : first_spellings(form, 24))
    if (decodes(spelling, pattern.operands)) return true;
  return false;
}

}  // namespace headroom::golden
