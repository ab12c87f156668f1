// The nouns of PTX: a Module of Variables and Functions, a Function of Instructions over typed
// registers.
//
//   @!%p1 ld.global.v2.f32 {%f1, _}, [%rd3+8];
//
// is Instruction{form "ld…", opcode "ld", modifiers {".global", ".v2", ".f32"},
//                guard {%p1, negated},
//                operands {list{reg %f1, sink}, address{reg %rd3, offset 8}}}.
//
// The IR knows no hardware and no meaning. Registers are indices into Function::registers, whatever
// scope declared them; names are unique within a function (a shadowing name gets a suffix when
// parsed). Comparison with == is that of the text: two modules are equal if all their parts are,
// spans included.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/forms.h"

namespace headroom::ptx {

enum class Type : uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
};
int size_of(Type);                                      // bytes; 0 for none and pred
std::string_view name_of(Type);                         // "u32"
std::optional<Type> type_named(std::string_view name);  // "u32" or ".u32"

enum class Space : uint8_t { none, global, constant, shared, local, param };
std::string_view name_of(Space);  // "global", "const", …

struct Span {  // position in the PTX text, 1-based
  int line = 0, column = 0;
  friend bool operator==(const Span&, const Span&) = default;
};
struct SourceLine {  // from .loc: index into Module::files, line in that file; 0 = unknown
  int file = 0, line = 0;
  int inlined_at = -1;  // index into Function::call_sites; -1: not inlined
  friend bool operator==(const SourceLine& a, const SourceLine& b) {
    return a.file == b.file && a.line == b.line;
  }
};
// Where inlined code was called. No part of what a function computes: all are equal.
struct CallSites {
  std::vector<SourceLine> list;
  friend bool operator==(const CallSites&, const CallSites&) { return true; }
};

struct Register {
  std::string name;  // with its %: "%r12"
  Type type = Type::none;
  friend bool operator==(const Register&, const Register&) = default;
};

// Bytes of an initialiser that are the address of a symbol, known only when the module is loaded.
struct Relocation {
  uint64_t offset = 0;  // in Variable::init
  std::string symbol;
  int64_t addend = 0;
  int bytes = 8;  // width of the field
  int shift =
      0;  // bits of the address below the field: 8 for the second byte, written 0xFF00(symbol)
  bool generic = false;  // the generic address, not the one in the symbol's own space
  friend bool operator==(const Relocation&, const Relocation&) = default;
};

struct Variable {
  std::string name;
  Space space = Space::none;  // none: a parameter passed in a register, .reg
  Type type = Type::none;
  std::string opaque;  // ".texref", ".samplerref", ".surfref": 8 bytes that only textures know
  int align = 0;
  uint64_t bytes = 0;  // 0 for `extern .shared x[]`
  bool external = false, visible = false, weak = false, common = false;
  bool managed = false;
  std::vector<uint8_t> init;  // empty: zero; else exactly `bytes` long
  std::vector<Relocation> relocations;
  Span span;
  friend bool operator==(const Variable&, const Variable&) = default;
};
int width_of(const Variable&);  // bytes of one element

struct Operand {
  enum class Kind : uint8_t { none, reg, immediate, special, symbol, address, list, label, sink };
  Kind kind = Kind::none;
  bool negated = false;  // !%p1, or -%r1 of what is no predicate
  int reg = -1;          // reg; base register of an address, or -1
  Type immediate_type =
      Type::none;      // s64/u64 for integers as written, f32 for 0f…, f64 for 0d… and 1.0
  uint64_t bits = 0;   // immediate: two's complement, or the float's own bits
  int64_t offset = 0;  // address [base+offset]; symbol+offset
  std::string name;    // special ("%tid.x"), symbol, label, or base symbol of an address
  std::vector<Operand> items;  // list: {a, b, c, d}; a pair d|p is a list with `pair` set;
                               // address: what follows the comma in [map, {x, y}]
  bool pair = false;
  std::string selector;  // of a video instruction's register: the part meant, "b0", "h1", "b7654"
  friend bool operator==(const Operand&, const Operand&) = default;
};

struct Guard {
  int reg = -1;  // -1: none
  bool negated = false;
  friend bool operator==(const Guard&, const Guard&) = default;
};

struct Instruction {
  const Form* form =
      nullptr;         // the row of forms.h; null if unknown (then Function::problems says so)
  std::string opcode;  // "ld"
  // As written, with the dot, in order: ".global", ".v2", ".f32".
  std::vector<std::string> modifiers;
  // In order; call: {returns-list, callee symbol, arguments-list[, prototype]}.
  std::vector<Operand> operands;
  Guard guard;
  Span span;
  SourceLine source;
  bool has(std::string_view modifier) const;  // has(".ftz")
  Type type(int nth = 0) const;  // the nth modifier that is a type; none if there is none
  std::string spelled() const;   // "ld.global.v2.f32"
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct Pragma {  // .pragma "nounroll"; before an instruction: a wish to ptxas, without meaning here
  int before = 0;  // index in Function::body; -1: of the whole function
  std::string text;
  friend bool operator==(const Pragma&, const Pragma&) = default;
};

struct Problem {  // why a function cannot be launched: an instruction no form knows, a name nothing
                  // declares
  Span span;
  std::string what, hint;
  friend bool operator==(const Problem&, const Problem&) = default;
};

struct Prototype {  // .callprototype: what a call through a register passes and returns
  std::string name;
  std::vector<Variable> returns, parameters;
  bool noreturn = false;
  friend bool operator==(const Prototype&, const Prototype&) = default;
};

struct Function {
  std::string name;
  bool entry = false, visible = false, weak = false, external = false, noreturn = false;
  bool defined = false;  // false: a declaration
  std::vector<Variable> returns, parameters;
  std::vector<Register> registers;
  // .local, .shared, .param of any scope; names unique in the function.
  std::vector<Variable> variables;
  std::vector<Instruction> body;
  std::unordered_map<std::string, int> labels;  // name -> index in body (body.size(): the end)
  // .branchtargets of brx.idx.
  std::unordered_map<std::string, std::vector<std::string>> branch_targets;
  std::unordered_map<std::string, std::vector<std::string>> call_targets;  // .calltargets of call
  std::vector<Prototype> prototypes;
  std::vector<Pragma> pragmas;            // in order
  CallSites call_sites;                   // of code inlined into it
  int max_threads[3] = {0, 0, 0};         // .maxntid
  int required_threads[3] = {0, 0, 0};    // .reqntid
  int min_blocks = 0, max_registers = 0;  // .minnctapersm, .maxnreg
  int cluster[3] = {0, 0, 0};             // .reqnctapercluster
  int max_cluster = 0;                    // .maxclusterrank
  bool explicit_cluster = false, blocks_are_clusters = false;
  std::vector<Problem> problems;
  Span span;
  friend bool operator==(const Function&, const Function&) = default;
};

struct Module {
  std::string name;  // what messages call it
  int version_major = 0, version_minor = 0;
  std::string target;                       // "sm_80"
  std::vector<std::string> target_options;  // "debug", "texmode_independent"
  int address_size = 64;
  std::vector<std::string> files;   // .file, by index (0 empty)
  std::vector<Variable> variables;  // module scope: .global, .const, .shared
  std::vector<Function> functions;  // declarations first
  std::vector<std::pair<std::string, std::string>>
      aliases;                                            // .alias name, the function it stands for
  const Function* function(std::string_view name) const;  // defined one first; null if absent
  friend bool operator==(const Module&, const Module&) = default;
};

// Parses a whole module. Throws Error (where = name:line:column, caret line in `problem`) where the
// text is not PTX; an instruction no form knows only marks its function (Function::problems).
Module parse(std::string_view text, std::string name);

// PTX text again: parse(print(m)) equals m but for spans.
std::string print(const Module&);
std::string print(const Instruction&, const Function&);

}  // namespace headroom::ptx
