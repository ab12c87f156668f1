// The parser: one method a production of the grammar, each with its production as its comment where
// it is defined.
//
//   parse.cpp              module and its directives
//   parse_variable.cpp     variables and their initialisers
//   parse_constant.cpp     constant expressions
//   parse_function.cpp     functions, scopes, labels
//   parse_instruction.cpp  instructions and operands
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/lex.h"
#include "ptx/module.h"
#include "ptx/names.h"

namespace headroom::ptx {

inline constexpr int deepest_nesting = 100;

// A constant: type s64, u64, f32 or f64, and its bits.
struct Constant {
  Type type = Type::s64;
  uint64_t bits = 0;
};
double to_double(Constant);
uint64_t to_integer(Constant);

// Linkage words before a variable or function.
struct Linkage {
  bool external = false, visible = false, weak = false, common = false;
};

class Parser {
 public:
  Parser(std::string_view text, std::string name);
  Module module();

 private:
  // Tokens
  void advance();
  bool accept(std::string_view);
  void expect(std::string_view, std::string_view where);
  bool at_name() const { return token_.kind == Token::Kind::name; }
  std::string name(std::string_view what);
  std::string string();
  int whole_number(std::string_view what);
  [[noreturn]] void fail(Span, const std::string& problem, const std::string& hint = "") const;

  // parse.cpp
  void file();
  void section();
  std::vector<std::string> pragma();
  void target();
  void alias();
  Linkage linkage();

  // parse_variable.cpp
  struct Kind {  // what stands before the names of a declaration
    Space space = Space::none;
    Type type = Type::none;
    std::string opaque;
    int align = 0, vector = 1;
    bool managed = false;
  };
  Kind kind();
  std::vector<Variable> variables(const Linkage&);
  Variable declarator(const Kind&);
  std::vector<uint64_t> dimensions(bool& open);
  void initialiser(Variable&, const std::vector<uint64_t>& dimensions, bool open);
  void values(Variable&, const std::vector<uint64_t>& dimensions, size_t level, uint64_t at,
              bool open);
  void value(Variable&, uint64_t at);
  Relocation relocation();
  std::vector<Variable> parameters();
  Variable parameter();
  void attribute(bool& managed);

  // parse_constant.cpp
  Constant constant();
  Constant binary(int level);
  Constant unary();
  bool at_constant() const;

  // parse_function.cpp
  void function(const Linkage&);
  void function_directive(Function&);
  void body(Function&);
  void statement();
  void registers();
  void local_variables();
  void label();
  void location();
  void resolve_labels();
  void declare_parameters();
  int add_register(std::string name, Type);
  void prototype(std::string name);
  void problem(Span, std::string what, std::string hint);

  // parse_instruction.cpp
  struct Spelling {  // an opcode with its modifiers, looked up once
    std::string opcode;
    std::vector<std::string> modifiers;
    std::array<std::optional<const Form*>, 12> forms;  // by number of operands
  };
  void instruction();
  Guard guard();
  Spelling& spelling();
  const Form* form(Spelling&, int operands);
  void unknown_form(const Instruction&);
  void call(Instruction&);
  Operand operand();
  Operand simple_operand();
  Operand named();
  Operand address();
  Operand list(std::string_view open, std::string_view close);
  Operand label_reference();

  struct Reference {  // a use of a label, to be resolved at the end of the function
    int instruction, operand, scope;
    Span span;
  };

  std::string name_;
  Lexer lexer_;
  Token token_, ahead_;
  Module module_;
  TextSet module_names_;
  TextMap<Spelling> spellings_;
  int nesting_ = 0;

  // Of the function being parsed
  Function* function_ = nullptr;
  std::optional<Names> names_;
  std::vector<Reference> references_;
  struct TableReference {
    std::string table;
    int scope;
    Span span;
  };
  std::vector<TableReference> branch_tables_;
  SourceLine source_;
  std::map<std::array<int, 3>, int> inlined_at_;  // of a place: file, line, column
};

}  // namespace headroom::ptx
