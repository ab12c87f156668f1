// Functions: their heads, scopes, registers, labels and tables.  Source: PTX ISA 9.0, chapters 4,
// 5, 7 and 11.
#include <fmt/format.h>

#include <algorithm>

#include "ptx/parser.h"

namespace headroom::ptx {
namespace {

constexpr size_t max_registers = 1 << 20;

}  // namespace

// function = linkage (".entry" | ".func") attribute? parameters? name parameters?
//            function_directive* (body | ";")
void Parser::function(const Linkage& how) {
  Function function;
  function.entry = token_.is(".entry");
  function.visible = how.visible;
  function.weak = how.weak;
  function.external = how.external;
  advance();
  bool managed = false;
  while (token_.is(".attribute")) attribute(managed);
  if (token_.is("(")) function.returns = parameters();
  function.span = token_.span;
  function.name = name("the name of a function");
  if (token_.is("(")) function.parameters = parameters();
  while (token_.kind == Token::Kind::directive) function_directive(function);
  module_names_.insert(function.name);
  if (!accept(";")) body(function);
  module_.functions.push_back(std::move(function));
}

// function_directive = ".maxntid" sizes | ".reqntid" sizes | ".reqnctapercluster" sizes
//                    | ".minnctapersm" n | ".maxnctapersm" n | ".maxnreg" n | ".maxclusterrank" n
//                    | ".abi_preserve" n | ".abi_preserve_control" n
//                    | ".noreturn" | ".explicitcluster" | ".blocksareclusters" | pragma
// sizes = number ("," number)*
void Parser::function_directive(Function& function) {
  auto sizes = [&](int(&into)[3], int least = 1) {
    for (int& size : into) size = 1;
    int count = 0;
    do {
      const Span at = token_.span;
      if (count == 3) fail(at, "a grid has three dimensions");
      into[count] = whole_number("a size");
      if (into[count++] < least) fail(at, "a size is 1 or more");
    } while (accept(","));
  };
  Span span = token_.span;
  if (token_.is(".pragma")) {
    for (std::string& text : pragma()) function.pragmas.push_back({-1, std::move(text)});
    return;
  }
  if (accept(".noreturn"))
    function.noreturn = true;
  else if (accept(".maxntid"))
    sizes(function.max_threads);
  else if (accept(".reqntid"))
    sizes(function.required_threads);
  else if (accept(".minnctapersm"))
    function.min_blocks = whole_number("a number of blocks");
  else if (accept(".maxnctapersm"))
    whole_number("a number of blocks");
  else if (accept(".maxnreg"))
    function.max_registers = whole_number("a number of registers");
  else if (accept(".explicitcluster"))
    function.explicit_cluster = true;
  else if (accept(".blocksareclusters"))
    function.blocks_are_clusters = true;
  else if (accept(".reqnctapercluster")) {
    sizes(function.cluster, 0);  // ptxas takes 0: no size is asked for
    if (std::ranges::count(function.cluster, 0)) std::ranges::fill(function.cluster, 0);
  } else if (accept(".maxclusterrank"))
    function.max_cluster = whole_number("a number of blocks");
  else if (accept(".abi_preserve") || accept(".abi_preserve_control"))
    whole_number("a number of registers");
  else
    fail(span, fmt::format("'{}' is no directive of a function", token_.text));
}

void Parser::declare_parameters() {
  for (auto* list : {&function_->returns, &function_->parameters}) {
    for (const Variable& variable : *list) {
      if (variable.name == "_") continue;
      names_->take(variable.name);
      Meaning meaning{Meaning::Kind::variable, 0, 1, variable.name};
      if (variable.space == Space::none)
        meaning = {Meaning::Kind::reg, add_register(variable.name, variable.type), 1, ""};
      if (!names_->declare(variable.name, meaning))
        fail(variable.span, fmt::format("'{}' is declared twice", variable.name));
    }
  }
}

int Parser::add_register(std::string name, Type type) {
  if (function_->registers.size() >= max_registers)
    fail(token_.span, "this function has too many registers");
  function_->registers.push_back({std::move(name), type});
  return int(function_->registers.size()) - 1;
}

void Parser::problem(Span span, std::string what, std::string hint) {
  function_->problems.push_back({span, std::move(what), std::move(hint)});
}

// body = "{" statement* "}"
void Parser::body(Function& function) {
  Span start = token_.span;
  expect("{", "before the body of a function");
  function.defined = true;
  function_ = &function;
  names_.emplace(module_names_);
  references_.clear();
  branch_tables_.clear();
  source_ = {};
  inlined_at_.clear();
  declare_parameters();
  while (names_->depth() > 0 || !token_.is("}")) {
    if (token_.kind == Token::Kind::end)
      fail(start, fmt::format("the body of '{}' is not closed", function.name));
    statement();
  }
  advance();
  resolve_labels();
  function_ = nullptr;
}

// statement = "{" statement* "}" | registers | local_variables | label | location | pragma
//           | section | file | instruction | ";"
void Parser::statement() {
  if (token_.kind == Token::Kind::name) {
    if (ahead_.is(":")) return label();
    return instruction();
  }
  if (token_.is("@")) return instruction();
  if (token_.is("{")) {
    if (names_->depth() >= deepest_nesting) fail(token_.span, "scopes nest too deeply");
    names_->open();
    advance();
  } else if (token_.is("}")) {
    names_->close();
    advance();
  } else if (token_.is(".reg")) {
    registers();
  } else if (token_.is(".loc")) {
    location();
  } else if (token_.is(".pragma")) {
    for (std::string& text : pragma())
      function_->pragmas.push_back({int(function_->body.size()), std::move(text)});
  } else if (token_.is(".section")) {
    section();
  } else if (token_.is(".file")) {
    file();
  } else if (token_.kind == Token::Kind::directive) {
    local_variables();
  } else if (!accept(";")) {
    fail(token_.span, fmt::format("no statement begins with '{}'", token_.text.substr(0, 40)));
  }
}

// registers = ".reg" kind register ("," register)* ";"
// register  = name ("<" number ">")?
void Parser::registers() {
  Kind what = kind();
  do {
    Span span = token_.span;
    std::string base = name("the name of a register");
    auto declare = [&](const std::string& written, Meaning meaning) {
      if (!names_->declare(written, std::move(meaning)))
        fail(span, fmt::format("'{}' is declared twice in this scope", written));
    };
    if (accept("<")) {
      int count = whole_number("a number of registers");
      if (function_->registers.size() + size_t(count) > max_registers)
        fail(span, "these are too many registers");
      expect(">", "after the number of registers");
      for (int i = 0; i < count; ++i) {
        std::string written = base + std::to_string(i);
        declare(written,
                {Meaning::Kind::reg, add_register(names_->unique(written), what.type), 1, ""});
      }
    } else if (what.vector > 1) {
      int first = int(function_->registers.size());
      for (int i = 0; i < what.vector; ++i) {
        char part = "xyzwstuv"[i];
        int index = add_register(names_->unique(fmt::format("{}_{}", base, part)), what.type);
        declare(fmt::format("{}.{}", base, part), {Meaning::Kind::reg, index, 1, ""});
      }
      declare(base, {Meaning::Kind::vector, first, what.vector, ""});
    } else {
      declare(base, {Meaning::Kind::reg, add_register(names_->unique(base), what.type), 1, ""});
    }
  } while (accept(","));
  expect(";", "after registers");
}

// local_variables = linkage variables
void Parser::local_variables() {
  Linkage how = linkage();
  for (Variable& variable : variables(how)) {
    std::string unique = names_->unique(variable.name);
    if (!names_->declare(variable.name, {Meaning::Kind::variable, 0, 1, unique}))
      fail(variable.span, fmt::format("'{}' is declared twice in this scope", variable.name));
    variable.name = std::move(unique);
    function_->variables.push_back(std::move(variable));
  }
}

// label = name ":" ((".branchtargets" | ".calltargets") name ("," name)* ";" | prototype)?
void Parser::label() {
  Span span = token_.span;
  std::string written = name("a label");
  advance();
  std::string unique = names_->unique(written);
  if (!names_->declare_label(written, unique))
    fail(span, fmt::format("the label '{}' is declared twice in this scope", written));
  auto list = [&] {
    std::vector<std::string> found;
    advance();
    do found.push_back(name("a name"));
    while (accept(","));
    expect(";", "after a list of targets");
    return found;
  };
  if (token_.is(".branchtargets")) {
    function_->branch_targets[unique] = list();
    branch_tables_.push_back({unique, names_->scope(), span});
  } else if (token_.is(".calltargets")) {
    function_->call_targets[unique] = list();
  } else if (token_.is(".callprototype")) {
    prototype(std::move(unique));
  } else {
    function_->labels[unique] = int(function_->body.size());
  }
}

// prototype = ".callprototype" parameters? "_" parameters? ".noreturn"? (".abi_preserve" n)* ";"
void Parser::prototype(std::string name) {
  advance();
  Prototype found;
  found.name = std::move(name);
  if (token_.is("(")) found.returns = parameters();
  this->name("'_' in place of the name of a function");
  if (token_.is("(")) found.parameters = parameters();
  while (token_.kind == Token::Kind::directive) {
    if (accept(".noreturn"))
      found.noreturn = true;
    else if (accept(".abi_preserve") || accept(".abi_preserve_control"))
      whole_number("a number of registers");
    else
      fail(token_.span, "no directive of a prototype");
  }
  expect(";", "after a prototype");
  function_->prototypes.push_back(std::move(found));
}

// location = ".loc" place ("," "function_name" label ("+" number)?)? ("," "inlined_at" place)?
// place    = number number number          file, line, column
// The place where code was inlined may itself be of inlined code: its own .loc came before.
void Parser::location() {
  const auto place = [&]() -> std::array<int, 3> {
    const int file = whole_number("the number of a file"), line = whole_number("a line");
    return {file, line, whole_number("a column")};
  };
  advance();
  const std::array<int, 3> here = place();
  int caller = -1;
  while (accept(",")) {
    if (accept("function_name")) {
      name("a label");
      if (accept("+")) constant();
    } else if (accept("inlined_at")) {
      const std::array<int, 3> at = place();
      const auto outer = inlined_at_.find(at);
      caller = int(function_->call_sites.list.size());
      function_->call_sites.list.push_back(
          {at[0], at[1], outer == inlined_at_.end() || at == here ? -1 : outer->second});
    } else {
      fail(token_.span, "expected function_name or inlined_at");
    }
  }
  source_ = {here[0], here[1], caller};
  inlined_at_[here] = caller;
}

void Parser::resolve_labels() {
  auto undeclared = [&](Span span, const std::string& label) {
    problem(span, fmt::format("no label '{}' in '{}'", label, function_->name),
            "declare it in a scope around its use");
  };
  for (const Reference& use : references_) {
    std::string& label =
        function_->body[size_t(use.instruction)].operands[size_t(use.operand)].name;
    if (auto* unique = names_->find_label(label, use.scope))
      label = *unique;
    else
      undeclared(use.span, label);
  }
  for (const TableReference& table : branch_tables_)
    for (std::string& label : function_->branch_targets[table.table])
      if (auto* unique = names_->find_label(label, table.scope))
        label = *unique;
      else
        undeclared(table.span, label);
}

}  // namespace headroom::ptx
