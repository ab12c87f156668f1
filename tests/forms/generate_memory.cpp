// Candidates for loads, stores and atomics: every thread on its own 64 bytes, of input, scratch, shared, local, constant and parameter
// memory, all of which hold the thread's row of 64-bit integers at first.
#include <algorithm>

#include "forms/generate.h"
#include "forms/input.h"
#include "forms/spellings.h"
#include "ptx/forms_pattern.h"

namespace headroom::golden {
namespace {

std::string number(size_t n) { return std::to_string(n); }

int vector_length(const Spelling& s) {
  return s.has(".v8") ? 8 : s.has(".v4") ? 4 : s.has(".v2") ? 2 : 1;
}

int type_bytes(const std::string& type) {
  const int bits = std::atoi(type.c_str() + type.find_first_of("0123456789"));
  return type.ends_with("x2") ? bits / 4 : bits / 8;
}

// The register or symbol that holds the address in a spelling's space.
std::string address(const Spelling& s, const std::string& otherwise) {
  auto any = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return s.has(name); });
  };
  if (any({".shared", ".shared::cta", ".shared::cluster"})) return "%tile";
  if (s.has(".local")) return "%mine";
  if (s.has(".const")) return "%fixed";
  if (any({".param", ".param::entry", ".param::func"})) return "more";
  return otherwise;
}

std::string space_of(const std::string& place) {
  return place == "%tile" ? ".shared" : place == "%mine" ? ".local" : ".global";
}

struct Vector {  // registers %x4_0 … of one width
  char letter;
  int bytes, count;
  std::string name(int i) const {
    return std::string("%") + letter + number(size_t(bytes)) + "_" + number(size_t(i));
  }
  std::string list() const {
    std::string out = count == 1 ? name(0) : "{" + name(0);
    for (int i = 1; i < count; ++i) out += ", " + name(i);
    return count == 1 ? out : out + "}";
  }
};

std::string load_one(const Vector& v, int i, const std::string& from, size_t at) {
  if (v.bytes == 16)
    return "ld.global.v2.b64 {%l, %h}, [" + from + "+" + number(at) + "]; mov.b128 " + v.name(i) +
           ", {%l, %h};";
  return "ld.global.b" + number(size_t(8 * v.bytes)) + " " + v.name(i) + ", [" + from + "+" +
         number(at) + "];";
}

// To byte `at` of the thread's 16 in the slot; $ stands for where the slot begins.
std::string store_one(const Vector& v, int i, size_t at) {
  if (v.bytes == 16)
    return "mov.b128 {%l, %h}, " + v.name(i) + "; xor.b64 %l, %l, %h; st.global.b64 [%out+$" +
           number(at) + "], %l;";
  return "st.global.b" + number(size_t(8 * v.bytes)) + " [%out+$" + number(at) + "], " + v.name(i) +
         ";";
}

Candidate load(const ptx::Form& form, const Spelling& s, Candidate c, const std::string& hint) {
  const Vector x{'x', std::max(2, type_bytes(s.types().at(0))), vector_length(s)};
  c.form = &form;
  c.instruction = c.spelling + " " + x.list() + ", [" +
                  address(s, s.opcode == "ldu" || s.has(".global") ? "%in" : "%scratch") + "+32]" +
                  hint + ";";
  for (int i = 0; i < x.count; ++i) c.after.push_back(store_one(x, i, size_t(i * x.bytes) % 16));
  return c;
}

Candidate store(const ptx::Form& form, const Spelling& s, Candidate c, const std::string& hint) {
  const Vector x{'x', std::max(2, type_bytes(s.types().at(0))), vector_length(s)};
  const std::string place = address(s, "%scratch");
  c.form = &form;
  for (int i = 0; i < x.count; ++i)
    c.before.push_back(load_one(x, i, "%in", size_t(i % 4) * operand_bytes));
  c.instruction = c.spelling + " [" + place + "], " + x.list() + hint + ";";
  c.after.push_back("ld" + space_of(place) + ".v2.b64 {%l, %h}, [" + place +
                    "]; st.global.v2.b64 [%out+$0], {%l, %h};");
  return c;
}

Candidate atomic(const ptx::Form& form, const Spelling& s, Candidate c, const std::string& hint) {
  const std::string type = s.types().at(0), place = address(s, "%scratch"), space = space_of(place);
  const Vector x{'x', type_bytes(type), vector_length(s)}, y{'y', x.bytes, 1},
      z{'z', x.bytes, x.count};
  const size_t values = size_t(class_of(type)) * class_bytes;
  const bool swap = s.has(".cas"), result = s.opcode == "atom";
  c.form = &form;
  for (int i = 0; i < x.count; ++i)
    c.before.push_back(load_one(x, i, "%row", values + size_t(i % 4) * operand_bytes));
  c.before.push_back("ld.global.v2.b64 {%l, %h}, [%row+" + number(values + operand_bytes) +
                     "]; st" + space + ".v2.b64 [" + place + "], {%l, %h};");
  if (swap) {  // in some rows the place holds what is expected
    c.before.push_back(load_one(y, 0, "%row", values + 2 * operand_bytes));
    c.before.push_back("ld.global.v2.b64 {%l, %h}, [%row+" + number(values) + "]; @%r st" + space +
                       ".v2.b64 [" + place + "], {%l, %h};");
  }
  c.instruction = c.spelling + " " + (result ? z.list() + ", " : "") + "[" + place + "], " +
                  x.list() + (swap ? ", " + y.list() : "") + hint + ";";
  c.after.push_back("ld" + space + ".v2.b64 {%l, %h}, [" + place +
                    "]; xor.b64 %l, %l, %h; st.global.b64 [%out+$0], %l;");
  for (int i = 0; result && i < z.count; ++i)
    c.after.push_back(store_one(z, i, 8 + size_t(i * z.bytes) % 8));
  return c;
}

}  // namespace

bool is_memory(const ptx::Form& form) {
  const std::string_view opcode = ptx::Pattern(form.text).opcode;
  return (opcode == "ld" || opcode == "ldu" || opcode == "st" || opcode == "atom" ||
          opcode == "red") &&
         form.text.find(".async") == std::string_view::npos &&
         form.text.find(".bulk") == std::string_view::npos;
}

std::vector<Candidate> memory_candidates(const ptx::Form& form) {
  std::vector<Candidate> found;
  for (const std::string& spelling : spellings(form, 60)) {
    const Spelling s = split(spelling);
    Candidate c{&form, spelling, {}, {}, {}, {}, {}};
    const std::string hint = s.has(".L2::cache_hint") ? ", %policy" : "";
    found.push_back(s.opcode.starts_with("ld") ? load(form, s, c, hint)
                    : s.opcode == "st"         ? store(form, s, c, hint)
                                               : atomic(form, s, c, hint));
  }
  return found;
}

std::string memory_prologue(bool policy) {
  const std::string copies[] = {"0", "16", "32", "48"};
  std::string text =
      "  .reg .pred %r; .reg .b32 %i, %j, %t, %tile; .reg .b64 %in, %out, %row, %l, %h, %mine, "
      "%fixed, %scratch, %policy;\n"
      "  .reg .b16 %x2_<8>, %y2_<8>, %z2_<8>; .reg .b32 %x4_<8>, %y4_<8>, %z4_<8>; .reg .b64 "
      "%x8_<8>, %y8_<8>, %z8_<8>; .reg .b128 %x16_<8>, %y16_<8>, %z16_<8>;\n"
      "  .shared .align 16 .b8 tile[3072]; .local .align 16 .b8 mine[64];\n"
      "  ld.param.u64 %row, [in]; ld.param.u64 %out, [out]; mov.u32 %i, %ctaid.x; mov.u32 %j, "
      "%ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %i, %i, %j, %t;\n"
      "  mul.wide.u32 %l, %i, 64; add.u64 %row, %row, %l; add.u64 %in, %row, " +
      number(size_t(class_of("u64")) * class_bytes) +
      "; mad.wide.u32 %out, %i, 16, %out;\n"
      "  mov.u64 %scratch, scratch; add.u64 %scratch, %scratch, %l; mov.u64 %mine, mine; mov.u64 "
      "%fixed, fixed; mov.u32 %tile, tile; mad.lo.u32 %tile, %t, 64, %tile;\n"
      "  and.b32 %t, %i, 5; setp.eq.u32 %r, %t, 4;\n";
  if (policy) text += "  createpolicy.fractional.L2::evict_last.b64 %policy;\n";
  for (const std::string& at : copies)
    text += "  ld.global.v2.b64 {%l, %h}, [%in+" + at + "]; st.shared.v2.b64 [%tile+" + at +
            "], {%l, %h}; st.local.v2.b64 [%mine+" + at +
            "], {%l, %h}; st.global.v2.b64 [%scratch+" + at + "], {%l, %h};\n";
  return text;
}

}  // namespace headroom::golden
