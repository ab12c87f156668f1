#include "twin/random_ptx.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <sstream>

#include "base/read_file.h"
#include "forms/golden.h"
#include "forms/input.h"
#include "forms/spellings.h"

namespace headroom::fuzz {
namespace {

constexpr int registers = 8;  // of each width
constexpr int predicates = 4;
constexpr int own_bytes =
    128;  // of scratch, of local memory and of a thread's part of shared memory
constexpr int out_bytes = 512;  // of a thread: scratch, then the registers
constexpr int threads = 64, blocks = 4;

struct Random {  // splitmix64
  uint64_t state;
  uint64_t operator()() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  int below(int n) { return int((*this)() % uint64_t(n)); }
  bool one_in(int n) { return below(n) == 0; }
};

std::string number(int64_t n) { return std::to_string(n); }

bool gives_float(const golden::Spelling& s) {
  const auto types = s.types();
  return !types.empty() && (types[0][0] == 'f' || types[0].starts_with("bf"));
}

// Rounded as the program says, not as the compiler likes; and not approximately.
bool may_be_drawn(const golden::Spelling& s) {
  static const std::set<std::string> out = {"fns", "addc", "subc", "madc", "div", "rem"};
  if (out.count(s.opcode) || s.has(".approx") || s.has(".full") || s.has(".cc") || s.has(".b128"))
    return false;
  if (s.opcode == "setp" && s.has(".ftz"))
    return false;  // ptxas 13.0 loses it where the predicate becomes a guard
  const bool contracted = s.opcode == "add" || s.opcode == "sub" || s.opcode == "mul";
  if (!contracted || !gives_float(s)) return true;
  return s.has(".rn") || s.has(".rz") || s.has(".rm") || s.has(".rp");
}

// Whose guard ptxas 13.0 forgets, wholly or for the conversion behind a comparison (seen in the machine code for sm_90).
bool keeps_its_guard(const golden::Spelling& s) {
  if (s.opcode == "vadd4" || s.opcode == "vsub4") return !s.has(".add");
  return s.opcode != "testp" &&
         (s.opcode != "set" || (!gives_float(s) && !s.types().at(1).ends_with("16")));
}

// Which NaN they give PTX does not say: of two f64 either, because ptxas exchanges operands; of f32 the canonical one or, where ptxas
// makes a selection of it, the operand's.
bool chooses_nan(const golden::Spelling& s) {
  static const std::set<std::string> sums = {"add", "sub", "mul", "mad", "fma"},
                                     choices = {"abs", "neg", "min", "max"};
  const std::string type = s.types().empty() ? "" : s.types()[0];
  return (sums.count(s.opcode) && type == "f64") ||
         (choices.count(s.opcode) && (type == "f64" || type == "f32"));
}

class Writer {
 public:
  Writer(Random& r, const std::vector<std::string>& known) : random(r), templates(known) {}

  std::vector<Statement> statements(int count, int depth, bool all_here) {
    std::vector<Statement> out;
    for (int i = 0; i < count; ++i) out.push_back(statement(depth, all_here));
    return out;
  }

 private:
  Random& random;
  const std::vector<std::string>& templates;

  std::string reg(int bytes) {
    return "%x" + number(bytes) + "_" + number(random.below(registers));
  }
  std::string predicate() { return "%p" + number(random.below(predicates)); }
  std::string guard() {
    return random.one_in(4) ? (random.one_in(2) ? "@" : "@!") + predicate() + " " : "";
  }
  std::string any(const std::string& template_text) {
    const bool minimum =
        template_text.starts_with("min") ||
        template_text.starts_with(
            "max");  // of one register ptxas makes a move, which keeps a NaN as it is
    std::string text;
    for (size_t i = 0; i < template_text.size(); ++i) {
      const char c = template_text[i];
      if (c != '{') {
        text += c;
        continue;
      }
      const size_t end = template_text.find('}', i);
      const std::string hole = template_text.substr(i + 1, end - i - 1);
      if (hole == "p") {
        std::string p = predicate();
        while (text.ends_with(p + "|")) p = predicate();  // a pair is of two
        text += p;
      } else {
        std::string r = reg(std::stoi(hole));
        while (minimum && text.ends_with(r + ", ")) r = reg(std::stoi(hole));
        text += r;
      }
      i = end;
    }
    return text;
  }
  // Through memory: ptxas takes two instructions together as one, and what a float was made of as if it still were that.
  static std::string washed(const std::string& r) {
    const std::string type = ".b" + number(8 * (r[2] - '0'));
    return " st.volatile.shared" + type + " [%wash], " + r + "; ld.volatile.shared" + type + " " +
           r + ", [%wash];";
  }
  std::string drawn() {
    const std::string& form = templates[size_t(random.below(int(templates.size())))];
    const size_t space = form.find(' ');
    const golden::Spelling s = golden::split(form.substr(0, space));
    std::string text = any(form);
    const std::string to = text.substr(space + 1, text.find_first_of(",|") - space - 1);
    if (chooses_nan(s)) {
      const bool wide = s.types()[0] == "f64";
      text += std::string(" setp.nan.") + (wide ? "f64 %held, " : "f32 %held, ") + to + ", " + to +
              "; @%held mov.b" +
              (wide ? "64 " + to + ", 0x7ff8000000000000;" : "32 " + to + ", 0x7fffffff;");
    }
    return (keeps_its_guard(s) ? guard() : "") + text + (to.starts_with("%x") ? washed(to) : "");
  }
  static Statement line(std::string text) { return {Statement::line, std::move(text), {}, {}}; }

  Statement fresh() {  // a register from the input
    const int c = random.below(int(std::size(golden::classes)) - 1),
              bytes = golden::classes[c].bytes;
    return line("ld.global.b" + number(8 * bytes) + " " + reg(bytes) + ", [%in+" +
                number(c * golden::class_bytes + random.below(4) * golden::operand_bytes) + "];");
  }
  // A place of the thread's own: at a number, or at one that is computed.
  std::string place(const std::string& base, int bytes, std::string& before) {
    if (!random.one_in(3))
      return "[" + base + "+" + number(random.below(own_bytes / bytes) * bytes) + "]";
    const bool narrow = base == "%tile";
    const std::string t = narrow ? "%t4" : "%t8";
    before += "and.b32 %t4, " + reg(4) + ", " + number(own_bytes - bytes) + "; " +
              (narrow ? "" : "cvt.u64.u32 %t8, %t4; ") + "add.u" + (narrow ? "32 " : "64 ") + t +
              ", " + t + ", " + base + "; ";
    return "[" + t + "]";
  }
  Statement memory() {
    struct {
      const char *space, *base;
    } const spaces[] = {
        {".global", "%own"}, {".shared", "%tile"}, {".local", "%mine"}, {"", "%own"}};
    const auto& where = spaces[random.below(4)];
    static constexpr std::array<std::string_view, 12> types = {
        "b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64"};
    const std::string type(types[size_t(random.below(12))]);
    const int bytes = std::stoi(type.substr(1)) / 8, held = std::max(bytes, 2);
    const int count = bytes == 8 ? 1 + random.below(2) : 1 << random.below(3);
    std::string list, before;
    const bool load = random.one_in(2);
    const int first = random.below(registers);
    for (int i = 0; i < count; ++i) {
      const std::string r = "%x" + number(held) + "_" + number((first + i) % registers),
                        byte = "%byte" + number(i);
      if (bytes == 1 && !load)
        before += "cvt.u32.u8 " + byte + ", " + r +
                  "; ";  // ptxas 13.0 converts what was a float last to a byte
      list += (i ? ", " : "") + (bytes == 1 && !load ? byte : r);
    }
    if (count > 1) list = "{" + list + "}";
    const std::string at = place(where.base, bytes * count, before),
                      op = std::string(where.space) + (count > 1 ? ".v" + number(count) : "") +
                           "." + type + " ";
    return line(before + guard() +
                (load ? "ld" + op + list + ", " + at : "st" + op + at + ", " + list) + ";");
  }
  Statement carries() {
    const bool narrow = random.one_in(2);
    const std::string t = narrow ? ".u32 " : ".u64 ";
    const int b = narrow ? 4 : 8;
    auto three = [&] { return reg(b) + ", " + reg(b) + ", " + reg(b); };
    switch (random.below(3)) {
      case 0:
        return line("add.cc" + t + three() + "; addc.cc" + t + three() + "; addc" + t + three() +
                    ";");
      case 1:
        return line("sub.cc" + t + three() + "; subc.cc" + t + three() + "; subc" + t + three() +
                    ";");
      default:
        return line("mad.lo.cc" + t + three() + ", " + reg(b) + "; madc.hi" + t + three() + ", " +
                    reg(b) + ";");
    }
  }
  // Where every thread of the block comes.
  Statement together() {
    switch (random.below(8)) {
      case 0: {
        static constexpr std::array<std::string_view, 4> modes = {"up", "down", "bfly", "idx"};
        const std::string mode(modes[size_t(random.below(4))]);
        return line("shfl.sync." + mode + ".b32 " + reg(4) + "|" + predicate() + ", " + reg(4) +
                    ", " + reg(4) + ", " + (mode == "up" ? "0" : "31") + ", -1;");
      }
      case 1: return line("vote.sync.ballot.b32 " + reg(4) + ", " + predicate() + ", -1;");
      case 2:
        return line("vote.sync." + std::string(random.one_in(2) ? "any" : "all") + ".pred " +
                    predicate() + ", " + predicate() + ", -1;");
      case 3:
        return line("redux.sync." +
                    std::string(std::array{"add.u32", "min.s32", "max.u32", "xor.b32", "and.b32",
                                           "or.b32"}[size_t(random.below(6))]) +
                    " " + reg(4) + ", " + reg(4) + ", -1;");
      case 4: return line("match.any.sync.b32 " + reg(4) + ", " + reg(4) + ", -1;");
      case 5:
        return line("bar.red." + std::string(random.one_in(2) ? "and" : "or") + ".pred " +
                    predicate() + ", 0, " + predicate() + ";");
      case 6: {  // neighbours exchange words
        const std::string value = reg(4);
        return line("bar.sync 0; st.shared.b32 [%tile], " + value + "; bar.sync 0; ld.shared.b32 " +
                    reg(4) + ", [%other]; bar.sync 0;");
      }
      default: {
        static constexpr std::array<std::string_view, 6> reductions = {
            "add.u32", "min.s32", "max.u32", "xor.b32", "and.b32", "or.b32"};
        const int word = random.below(6);
        return line("red.shared." + std::string(reductions[size_t(word)]) + " [sums+" +
                    number(4 * word) + "], " + reg(4) + "; bar.sync 0; ld.shared.b32 " + reg(4) +
                    ", [sums+" + number(4 * word) + "]; bar.sync 0;");
      }
    }
  }
  Statement statement(int depth, bool all_here) {
    const int what = random.below(20);
    if (what == 0 && depth > 0) {
      Statement s{
          Statement::branch, predicate(), statements(1 + random.below(5), depth - 1, false), {}};
      if (random.one_in(2)) s.otherwise = statements(1 + random.below(4), depth - 1, false);
      return s;
    }
    if (what == 1 && depth > 0) {
      const bool uniform = random.one_in(2);
      return {Statement::loop,
              uniform ? number(1 + random.below(4)) : reg(4),
              statements(1 + random.below(5), depth - 1, all_here && uniform),
              {}};
    }
    if (what == 2) return fresh();
    if (what <= 5) return memory();
    if (what == 6) return carries();
    if (what <= 8 && all_here) return together();
    return line(drawn());
  }
};

void print(const std::vector<Statement>& body, int& labels, const std::string& indent,
           std::string& out) {
  for (const Statement& s : body) {
    if (s.kind == Statement::line) {
      out += indent + s.text + "\n";
      continue;
    }
    const std::string n = number(labels++);
    if (s.kind == Statement::branch) {
      // Where it has branched on a predicate, ptxas 13.0 takes it for that value, also once it was written.
      out += indent + "selp.b32 %t4, 1, 0, " + s.text +
             "; st.volatile.shared.b32 [%wash], %t4; ld.volatile.shared.b32 %t4, [%wash]; "
             "setp.eq.u32 %held, %t4, 0; @%held bra ELSE" +
             n + ";\n";
      print(s.body, labels, indent + "  ", out);
      if (!s.otherwise.empty()) out += indent + "bra END" + n + ";\n";
      out += "ELSE" + n + ":\n";
      print(s.otherwise, labels, indent + "  ", out);
      if (!s.otherwise.empty()) out += "END" + n + ":\n";
    } else {
      out += indent + ".reg .b32 %turns" + n + "; .reg .pred %again" + n + "; and.b32 %turns" + n +
             ", " + s.text + ", 7;\nTURN" + n + ":\n";
      print(s.body, labels, indent + "  ", out);
      out += indent + "sub.u32 %turns" + n + ", %turns" + n + ", 1; setp.gt.s32 %again" + n +
             ", %turns" + n + ", 0; @%again" + n + " bra TURN" + n + ";\n";
    }
  }
}

constexpr std::string_view header = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string entry(const Kernel& kernel, const std::string& name) {
  std::string out =
      "//: grid " + number(blocks) + " block " + number(threads) + " out " +
      number(blocks * threads * out_bytes) + "\n.visible .entry " + name +
      "(.param .u64 in, .param .u64 out)\n{\n  .reg .pred %p<" + number(predicates) +
      ">, %held; .reg .b32 %byte<4>, %i, %j, %t, %t4, %tile, %wash, %other; .reg .b64 %in, %out, "
      "%own, %mine, %t8;\n";
  for (int bytes : {2, 4, 8})
    out +=
        "  .reg .b" + number(8 * bytes) + " %x" + number(bytes) + "_<" + number(registers) + ">;\n";
  out += "  .shared .align 16 .b8 parts[" + number(threads * own_bytes) +
         "]; .shared .align 16 .b8 sums[32]; .shared .align 8 .b8 wash[" + number(8 * threads) +
         "]; .local .align 16 .b8 mine[" + number(own_bytes) +
         "];\n"
         "  ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %i, %ctaid.x; mov.u32 %j, "
         "%ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %i, %i, %j, %t;\n"
         "  mad.wide.u32 %in, %i, " +
         number(golden::row_bytes) + ", %in; mad.wide.u32 %out, %i, " + number(out_bytes) +
         ", %out; mov.u64 %own, %out; mov.u64 %mine, mine;\n"
         "  mov.u32 %wash, wash; mad.lo.u32 %wash, %t, 8, %wash; mov.u32 %tile, parts; xor.b32 "
         "%other, %t, 33; mad.lo.u32 %other, %other, " +
         number(own_bytes) + ", %tile; mad.lo.u32 %tile, %t, " + number(own_bytes) +
         ", %tile;\n"
         "  setp.lt.u32 %p0, %t, 8; @%p0 st.shared.v4.b32 [sums], {0, 0, 0, 0}; @%p0 "
         "st.shared.v4.b32 [sums+16], {0, 0, 0, 0};\n";
  for (int at = 0; at < own_bytes; at += 16)
    out += "  ld.global.v2.b64 {%x8_0, %x8_1}, [%in+" +
           number(at % 64 + at / 64 * golden::class_bytes) + "]; st.shared.v2.b64 [%tile+" +
           number(at) + "], {%x8_0, %x8_1}; st.local.v2.b64 [%mine+" + number(at) +
           "], {%x8_1, %x8_0};\n";
  static constexpr std::string_view kinds[] = {"u16", "f16",   "bf16", "u32",
                                               "f32", "f16x2", "u64",  "f64"};
  for (int n = 0; n < registers; ++n) {
    for (int bytes : {2, 4, 8}) {
      const std::string_view kind = bytes == 2   ? kinds[n % 3]
                                    : bytes == 4 ? kinds[3 + n % 3]
                                                 : kinds[6 + n % 2];
      out +=
          "  ld.global.b" + number(8 * bytes) + " %x" + number(bytes) + "_" + number(n) +
          ", [%in+" +
          number(golden::class_of(kind) * golden::class_bytes + n / 2 % 4 * golden::operand_bytes) +
          "];\n";
    }
  }
  for (int n = 0; n < predicates; ++n)
    out += "  setp.lt.s32 %p" + number(n) + ", %x4_" + number(n) + ", " + number(n * 7) + ";\n";
  out += "  bar.sync 0;\n";
  int labels = 0;
  print(kernel.body, labels, "  ", out);
  int at = own_bytes;
  for (int bytes : {8, 4, 2}) {
    for (int n = 0; n < registers; ++n, at += bytes)
      out += "  st.global.b" + number(8 * bytes) + " [%out+" + number(at) + "], %x" +
             number(bytes) + "_" + number(n) + ";\n";
  }
  for (int n = 0; n < predicates; ++n, at += 4)
    out += "  selp.b32 %t4, 1, 0, %p" + number(n) + "; st.global.b32 [%out+" + number(at) +
           "], %t4;\n";
  out += "  ld.local.v2.b64 {%x8_0, %x8_1}, [%mine+16]; st.global.v2.b64 [%out+" +
         number((at + 15) / 16 * 16) + "], {%x8_0, %x8_1};\n";
  return out + "  ret;\n}\n";
}

}  // namespace

std::vector<std::string> templates(const std::filesystem::path& folder) {
  std::set<std::string> found;
  for (const auto& path : golden::golden_paths(folder)) {
    const std::string all = load_file(path);
    if (!all.starts_with("// Made from")) continue;
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("[%out+") == std::string::npos) continue;
      const size_t begin = line.find_first_not_of(' ');
      std::string text = line.substr(begin, line.find(';') + 1 - begin);
      const golden::Spelling s = golden::split(text.substr(0, text.find(' ')));
      if (!may_be_drawn(s) || text.find('[') != std::string::npos) continue;
      std::string out;
      for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
          out += text[i];
          continue;
        }
        size_t end = i + 1;
        while (end < text.size() && (std::isalnum(text[end]) || text[end] == '_')) ++end;
        const std::string name = text.substr(i + 1, end - i - 1);
        if (name == "p" || name == "q" || name == "r")
          out += "{p}";
        else if ((name[0] == 'd' || name[0] == 'e') && std::isdigit(name[1]))
          out += "{" + name.substr(1) + "}";
        else
          out += "{" +
                 number(std::find_if(std::begin(golden::classes), std::end(golden::classes),
                                     [&](const auto& c) { return c.name == name.substr(2); })
                            ->bytes) +
                 "}";
        i = end - 1;
      }
      found.insert(out);
    }
  }
  return {found.begin(), found.end()};
}

Kernel random_kernel(uint64_t seed, const std::vector<std::string>& templates) {
  Random random{seed * 0x2545f4914f6cdd1d + 99};
  Kernel kernel{seed, Writer(random, templates).statements(25 + random.below(50), 3, true)};
  return kernel;
}

std::string text(const Kernel& kernel) {
  return "// Random PTX of seed " + std::to_string(kernel.seed) + ".\n" + std::string(header) +
         entry(kernel, "random");
}

std::string text(const std::vector<Kernel>& kernels) {
  std::string out(header);
  for (const Kernel& kernel : kernels) out += entry(kernel, name_in_file(kernel.seed));
  return out;
}

std::string name_in_file(uint64_t seed) { return "random_" + std::to_string(seed); }

std::string place_name(size_t byte) {
  const std::string thread = "thread " + std::to_string(byte / out_bytes) + " ";
  int at = int(byte % out_bytes);
  if (at < own_bytes) return thread + "scratch+" + number(at);
  at -= own_bytes;
  for (int bytes : {8, 4, 2}) {
    if (at < bytes * registers) return thread + "%x" + number(bytes) + "_" + number(at / bytes);
    at -= bytes * registers;
  }
  return thread + (at < 4 * predicates ? "%p" + number(at / 4) : "local memory");
}

}  // namespace headroom::fuzz
