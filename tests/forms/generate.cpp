#include "forms/generate.h"

#include <algorithm>
#include <array>

#include "forms/golden.h"
#include "forms/input.h"
#include "forms/spellings.h"
#include "ptx/forms_pattern.h"

namespace headroom::golden {
namespace {

constexpr std::array<std::string_view, 13> computing_sections = {
    "9.7.1.", "9.7.2.",  "9.7.3.",  "9.7.4.",   "9.7.5.",   "9.7.6.", "9.7.7.",
    "9.7.8.", "9.7.9.3", "9.7.9.7", "9.7.9.21", "9.7.9.22", "9.7.18."};

int bytes_of(std::string_view type) {  // of the register that holds it
  if (type == "f32x2" || type.ends_with("64")) return 8;
  if (type == "b128") return 16;
  if (type == "f16x2" || type == "bf16x2" || type == "u16x2" || type == "s16x2" ||
      type.ends_with("32") || type.ends_with("x4"))
    return 4;
  return 2;
}

std::string wide(const std::string& type) {
  return type.substr(0, 1) + (type.ends_with("16") ? "32" : "64");
}

// What a spelling takes and gives: names of types, "pred", or "#" and an immediate.
struct Signature {
  std::vector<std::string> out, in;
};

Signature signature_of(const Spelling& s, int operands, bool pair) {
  const std::vector<std::string> types = s.types();
  const std::string t = types.empty() ? "u32" : types[0], u = types.size() > 1 ? types[1] : t;
  const std::string& op = s.opcode;
  auto same = [&](const std::string& in) {
    return std::vector<std::string>(size_t(operands - 1), in);
  };
  if (s.has(".wide"))
    return operands == 3 ? Signature{{wide(t)}, {t, t}} : Signature{{wide(t)}, {t, t, wide(t)}};
  if (op == "popc" || op == "clz" || op == "bfind") return {{"u32"}, {t}};
  if (op == "bfe") return {{t}, {t, "u32", "u32"}};
  if (op == "bfi") return {{t}, {t, t, "u32", "u32"}};
  if (op == "dp4a" || op == "dp2a") return {{"u32"}, {"u32", "u32", "u32"}};
  if (op == "testp") return {{"pred"}, {t}};
  if (op == "shl" || op == "shr") return {{t}, {t, "u32"}};
  if (op == "slct") return {{t}, {t, t, u}};
  if (op == "selp") return {{t}, {t, t, "pred"}};
  if (op == "lop3" && pair) return {{"u32", "pred"}, {"u32", "u32", "u32", "#0x6a", "pred"}};
  if (op == "lop3") return {{"u32"}, {"u32", "u32", "u32", "#0x6a"}};
  if (op == "prmt" || op == "shf" || op == "fns") return {{"u32"}, {"u32", "u32", "u32"}};
  if (op == "setp")
    return operands == 4 ? Signature{{"pred", "pred"}, {t, t, "pred"}}
                         : Signature{{"pred", "pred"}, {t, t}};
  if (op == "set") return operands == 4 ? Signature{{t}, {u, u, "pred"}} : Signature{{t}, {u, u}};
  if (op == "cvt" && s.has(".pack"))
    return operands == 4 ? Signature{{"u32"}, {"u32", "u32", "u32"}}
                         : Signature{{"u32"}, {"u32", "u32"}};
  if (op == "cvt") return {{t}, same(u)};
  if (s.types().size() == 2) return {{"f32"}, same("f32")};  // add.f32.f16 and the like
  if (op[0] == 'v') return {{"u32"}, same("u32")};
  return {{t}, same(t)};
}

// Instructions around one whose carry comes in or goes out.
void carry(Candidate& c, const Spelling& s) {
  const std::string e = "%e4";
  if (s.opcode == "addc" || s.opcode == "madc") c.before = {"add.cc.u32 %e4, %c_i32, %c_i32;"};
  if (s.opcode == "subc") c.before = {"sub.cc.u32 %e4, 16, %c_i32;"};
  if (!c.before.empty()) c.operands.insert("%c_i32");
  if (!s.has(".cc")) return;
  c.after.push_back(s.opcode.starts_with("sub") ? "subc.u32 %e4, 0, 0;" : "addc.u32 %e4, 0, 0;");
  c.stores.push_back("b32 %e4");
}

Candidate candidate(const ptx::Form& form, const std::string& spelling, int operands, bool negate,
                    const std::string& immediate = "") {
  const Spelling s = split(spelling);
  const bool pair = ptx::Pattern(form.text).operands.starts_with("d|p");
  const Signature signature = signature_of(s, operands, pair);
  Candidate c{&form, spelling, {}, {}, {}, {}, {}};
  std::string text = spelling + " ";
  for (size_t o = 0; o < signature.out.size(); ++o) {
    const std::string& type = signature.out[o];
    const bool predicate = type == "pred";
    const std::string bytes = std::to_string(predicate ? 4 : bytes_of(type)),
                      held = (o == 0 ? "%d" : "%e") + bytes;
    const std::string name = predicate ? o == 0 ? "%p" : "%q" : held;
    text += (o ? "|" : "") + name;
    if (predicate) c.after.push_back("selp.b32 " + held + ", 1, 0, " + name + ";");
    c.stores.push_back((type == "b128" ? "v2.b64" : "b" + std::to_string(8 * std::stoi(bytes))) +
                       std::string(" ") + held);
  }
  static constexpr std::string_view letters = "abcd";
  for (size_t i = 0; i < signature.in.size(); ++i) {
    const std::string& type = signature.in[i];
    if (type[0] == '#') {
      text += ", " + (immediate.empty() ? type.substr(1) : immediate);
    } else if (type == "pred") {
      text += negate ? ", !%r" : ", %r";
    } else {
      const int in = class_of(type);
      const std::string name =
          "%" + std::string(1, letters[i]) + "_" + std::string(classes[in < 0 ? 1 : in].name);
      c.operands.insert(name);
      text += ", " + name;
    }
  }
  carry(c, s);
  if (s.opcode == "fns") {  // the manual leaves a base beyond the word open
    c.before = {"and.b32 %e4, %b_i32, 31;"};
    text.replace(text.find("%b_i32"), 6, "%e4");
  }
  c.instruction = text + ";";
  return c;
}

}  // namespace

bool is_generated(const ptx::Form& form) {
  return is_memory(form) || std::any_of(computing_sections.begin(), computing_sections.end(),
                                        [&](std::string_view section) {
                                          return section.back() == '.'
                                                     ? form.section.starts_with(section)
                                                     : form.section == section;
                                        });
}

std::vector<Candidate> candidates(const ptx::Form& form) {
  if (is_memory(form)) return memory_candidates(form);
  const ptx::Pattern pattern(form.text);
  const size_t most = pattern.opcode == "cvt" ? 6000 : 130;
  std::vector<Candidate> found;
  size_t n = 0;
  for (const std::string& spelling : spellings(form, most)) {
    for (int operands = pattern.min_operands; operands <= pattern.max_operands; ++operands) {
      if (pattern.opcode == "lop3") {
        for (const char* table :
             {"0x6a", "0x96", "0xe8", "0xca", "0x01", "0xfe", "0x00", "0xff", "0x35", "0xd4"})
          found.push_back(candidate(form, spelling, operands, n % 2, table));
      } else {
        found.push_back(candidate(form, spelling, operands, n % 2));
      }
    }
    ++n;
  }
  return found;
}

std::vector<std::string> generated_opcodes() {
  std::set<std::string> opcodes;
  for (const ptx::Form& form : ptx::forms())
    if (is_generated(form)) opcodes.emplace(ptx::Pattern(form.text).opcode);
  return {opcodes.begin(), opcodes.end()};
}

namespace {

std::string load(const std::string& name) {  // "%a_i32"
  const std::string type = name.substr(3);
  size_t c = 0;
  while (classes[c].name != type) ++c;
  const std::string at =
      "[%in+" + std::to_string(c * class_bytes + size_t(name[1] - 'a') * operand_bytes) + "]";
  if (classes[c].bytes == 16)
    return "  ld.global.v2.b64 {%l, %h}, " + at + "; mov.b128 " + name + ", {%l, %h};\n";
  return "  ld.global.b" + std::to_string(8 * classes[c].bytes) + " " + name + ", " + at + ";\n";
}

std::string prologue(std::span<const Candidate> tried) {
  std::set<std::string> operands;
  for (const Candidate& c : tried) operands.insert(c.operands.begin(), c.operands.end());
  std::string out =
      "  .reg .pred %p, %q, %r; .reg .b16 %d2; .reg .b32 %d4, %e4, %i, %j, %t; .reg .b64 %d8, %in, "
      "%out, %l, %h; .reg .b128 %d16;\n";
  for (const auto& known : classes) {
    std::string names;
    for (const std::string& operand : operands)
      if (operand.substr(3) == known.name) names += (names.empty() ? "" : ", ") + operand;
    if (!names.empty()) out += "  .reg .b" + std::to_string(8 * known.bytes) + " " + names + ";\n";
  }
  out +=
      "  ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %i, %ctaid.x; mov.u32 %j, "
      "%ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %i, %i, %j, %t;\n"
      "  mad.wide.u32 %in, %i, " +
      std::to_string(row_bytes) +
      ", %in; mad.wide.u32 %out, %i, 16, %out; and.b32 %t, %i, 5; setp.eq.u32 %r, %t, 4;\n";
  for (const std::string& operand : operands) out += load(operand);
  return out;
}

// $8 becomes byte 8 of the thread's 16 in the slot.
std::string placed(std::string text, size_t slot) {
  for (size_t at; (at = text.find('$')) != std::string::npos;) {
    size_t end = at + 1;
    while (std::isdigit(text[end])) ++end;
    text.replace(
        at, end - at,
        std::to_string(slot * slot_bytes + std::stoull(text.substr(at + 1, end - at - 1))));
  }
  return text;
}

std::string kernel(const std::string& name, std::span<const Candidate> tried) {
  const bool memory = is_memory(*tried[0].form);
  bool more = false, policy = false;
  for (const Candidate& c : tried) {
    more |= c.instruction.find("[more") != std::string::npos;
    policy |= c.instruction.find("%policy") != std::string::npos;
  }
  std::string out = "// " + std::string(tried[0].form->text) + "\n.visible .entry " + name +
                    "(.param .u64 in, .param .u64 out" +
                    (more ? ", .param .align 16 .b8 more[64]" : "") + ")\n{\n" +
                    (memory ? memory_prologue(policy) : prologue(tried));
  for (size_t n = 0; n < tried.size(); ++n) {
    const Candidate& c = tried[n];
    for (const std::string& line : c.before) out += "  " + line + "\n";
    out += "  " + c.instruction;
    for (const std::string& line : c.after) out += " " + placed(line, n);
    for (size_t s = 0; s < c.stores.size(); ++s) {
      const size_t space = c.stores[s].find(' ');
      const std::string type = c.stores[s].substr(0, space), held = c.stores[s].substr(space + 1);
      const std::string at = "[%out+" + std::to_string(n * slot_bytes + 8 * s) + "]";
      if (type == "v2.b64")
        out += " mov.b128 {%l, %h}, " + held + "; st.global.v2.b64 " + at + ", {%l, %h};";
      else
        out += " st.global." + type + " " + at + ", " + held + ";";
    }
    out += "\n";
  }
  return out + "  ret;\n}\n";
}

}  // namespace

std::string text_of(const std::vector<Candidate>& tried) {
  std::string out =
      "// Made from the table of forms by tests/unit/sim_golden.cpp; HEADROOM_REBASE=ptx writes it "
      "anew.\n.version 9.0\n.target sm_90\n.address_size 64\n";
  if (is_memory(*tried[0].form)) {
    out += ".global .align 16 .b8 scratch[33792];\n.const .align 16 .b8 fixed[64] = {";
    for (int i = 0; i < 64; ++i) out += (i ? ", " : "") + std::to_string((i * 37 + 11) % 256);
    out += "};\n";
  }
  size_t form = 0;
  for (size_t first = 0; first < tried.size(); ++form) {
    size_t last = first;
    while (last < tried.size() && tried[last].form == tried[first].form) ++last;
    out += "\n" + kernel(std::string(ptx::Pattern(tried[first].form->text).opcode) + "_" +
                             std::to_string(form),
                         {&tried[first], last - first});
    first = last;
  }
  return out;
}

}  // namespace headroom::golden
