#include "ptx/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "ptx/names.h"

namespace headroom::ptx {
namespace {

// Which definition of a name stands, the higher the better.
enum class Strength { none, common, weak, strong };

struct Symbol {  // a name that all modules share
  Strength strength = Strength::none;
  int module = -1;  // of the definition that stands
  bool is_function = false;
  Space space = Space::none;
  uint64_t bytes = 0;  // of a .common definition
  int align = 0;       // the strictest of all declarations
};

Strength strength_of(const Variable& variable) {
  if (variable.external) return Strength::none;
  if (variable.weak) return Strength::weak;
  return variable.common ? Strength::common : Strength::strong;
}

Strength strength_of(const Function& function) {
  if (!function.defined) return Strength::none;
  return function.weak ? Strength::weak : Strength::strong;
}

bool is_own(const Variable& v) { return !v.external && !v.visible && !v.weak && !v.common; }
bool is_own(const Function& f) { return !f.entry && !f.external && !f.visible && !f.weak; }

template <class Visit>
void each_name(Operand& operand, Visit visit) {
  if (operand.kind == Operand::Kind::symbol || operand.kind == Operand::Kind::address)
    visit(operand.name);
  for (Operand& item : operand.items) each_name(item, visit);
}

class Linker {
 public:
  Linker(std::vector<Module> modules, std::string name) : modules_(std::move(modules)) {
    linked_.name = std::move(name);
    linked_.files.emplace_back();
  }

  Renames renames;

  Module link() {
    for (Module& module : modules_) take_head(module);
    for (Module& module : modules_) note_names(module);
    for (Module& module : modules_) renames.push_back(rename_own(module));
    // From here on a name means one thing.
    for (size_t m = 0; m < modules_.size(); ++m) resolve(int(m));
    for (size_t m = 0; m < modules_.size(); ++m) take_variables(int(m));
    for (size_t m = 0; m < modules_.size(); ++m) take_functions(int(m));
    std::stable_partition(linked_.functions.begin(), linked_.functions.end(),
                          [](const Function& function) { return !function.defined; });
    return std::move(linked_);
  }

 private:
  // Version and target of the newest; files in one table, so that source lines stay right.
  void take_head(Module& module) {
    const auto version = [](const Module& m) {
      return std::pair(m.version_major, m.version_minor);
    };
    const auto number = [](const Module& m) {
      return m.target.size() > 3 ? std::atoi(m.target.c_str() + 3) : 0;
    };
    if (version(module) > version(linked_)) {
      linked_.version_major = module.version_major;
      linked_.version_minor = module.version_minor;
    }
    if (linked_.target.empty()) linked_.address_size = module.address_size;
    if (linked_.address_size != module.address_size)
      throw Error{module.name,
                  fmt::format("addresses have {} bits here and {} in {}", module.address_size,
                              linked_.address_size, modules_.front().name),
                  "compile all files alike"};
    if (linked_.target.empty() || number(module) > number(linked_)) linked_.target = module.target;
    for (const std::string& option : module.target_options)
      if (std::find(linked_.target_options.begin(), linked_.target_options.end(), option) ==
          linked_.target_options.end())
        linked_.target_options.push_back(option);
    take_files(module);
  }

  void take_files(Module& module) {
    std::vector<int> place;
    for (const std::string& file : module.files) {
      auto found = std::find(linked_.files.begin(), linked_.files.end(), file);
      place.push_back(int(found - linked_.files.begin()));
      if (found == linked_.files.end()) linked_.files.push_back(file);
    }
    for (Function& function : module.functions) {
      const auto move = [&](SourceLine& source) {
        if (source.file >= 0 && size_t(source.file) < place.size())
          source.file = place[size_t(source.file)];
      };
      for (Instruction& instruction : function.body) move(instruction.source);
      for (SourceLine& call : function.call_sites.list) move(call);
    }
  }

  void note_names(const Module& module) {
    std::map<std::string, bool> names;  // of the module, and whether each is its own
    for (const Variable& variable : module.variables) names[variable.name] = is_own(variable);
    for (const Function& function : module.functions) {
      names[function.name] = is_own(function);
      for (auto* list : {&function.returns, &function.parameters, &function.variables})
        for (const Variable& inner : *list) taken_.insert(inner.name);
    }
    for (const auto& [name, own] : names) {
      ++uses_[name];
      taken_.insert(name);
      if (!own) shared_names_.insert(name);
    }
  }

  std::string unused(const std::string& name) {
    std::string free;
    for (int suffix = 1; free.empty() || taken_.count(free); ++suffix)
      free = fmt::format("{}_{}", name, suffix);
    taken_.insert(free);
    return free;
  }

  TextMap<std::string> rename_own(Module& module) {
    TextMap<std::string> names;
    auto consider = [&](const std::string& name, bool own) {
      if (!own || names.count(name)) return;
      // The first module that has it may keep it, unless it is a name of all.
      if (shared_names_.count(name) || (uses_[name] > 1 && !kept_.insert(name).second))
        names.emplace(name, unused(name));
    };
    for (const Variable& variable : module.variables) consider(variable.name, is_own(variable));
    for (const Function& function : module.functions) consider(function.name, is_own(function));
    if (!names.empty()) rename(module, names);
    return names;
  }

  static void rename(Module& module, const TextMap<std::string>& names) {
    auto change = [&](std::string& name) {
      if (auto found = names.find(name); found != names.end()) name = found->second;
    };
    for (Variable& variable : module.variables) {
      change(variable.name);
      for (Relocation& relocation : variable.relocations) change(relocation.symbol);
    }
    for (auto& [alias, target] : module.aliases) {
      change(alias);
      change(target);
    }
    for (Function& function : module.functions) {
      change(function.name);
      TextSet inner;
      for (auto* list : {&function.returns, &function.parameters, &function.variables})
        for (const Variable& variable : *list) inner.insert(variable.name);
      auto change_outer = [&](std::string& name) {
        if (!inner.count(name)) change(name);
      };
      for (Instruction& instruction : function.body)
        for (Operand& operand : instruction.operands) each_name(operand, change_outer);
      for (auto& [table, targets] : function.call_targets)
        for (std::string& target : targets) change_outer(target);
    }
  }

  void resolve(int m) {
    const Module& module = modules_[size_t(m)];
    for (const Variable& variable : module.variables) {
      Symbol& symbol = noted(variable.name, false, variable.space, module);
      symbol.align = std::max(symbol.align, variable.align);
      const bool larger = symbol.strength == Strength::common && variable.bytes > symbol.bytes;
      define(symbol, strength_of(variable), larger, variable.name, m);
      if (symbol.module == m) symbol.bytes = variable.bytes;
    }
    for (const Function& function : module.functions)
      define(noted(function.name, true, Space::none, module), strength_of(function), false,
             function.name, m);
    for (const auto& [alias, target] : module.aliases) {
      const Function* declared = module.function(alias);
      const bool weak = declared && declared->weak;
      define(noted(alias, true, Space::none, module), weak ? Strength::weak : Strength::strong,
             false, alias, m);
    }
  }

  Symbol& noted(const std::string& name, bool is_function, Space space, const Module& module) {
    const auto [entry, added] = symbols_.try_emplace(name);
    Symbol& symbol = entry->second;
    if (added) {
      symbol.is_function = is_function;
      symbol.space = space;
      first_[name] = module.name;
    }
    if (symbol.is_function != is_function || symbol.space != space) {
      auto kind = [](bool function, Space where) {
        return function ? std::string("a function") : fmt::format(".{}", name_of(where));
      };
      throw Error{
          linked_.name,
          fmt::format("'{}' is {} in {} and {} in {}", name, kind(symbol.is_function, symbol.space),
                      first_[name], kind(is_function, space), module.name),
          "declare it alike in all files"};
    }
    return symbol;
  }

  void define(Symbol& symbol, Strength strength, bool larger, const std::string& name, int m) {
    if (strength == Strength::none) return;
    if (strength == Strength::strong && symbol.strength == Strength::strong)
      throw Error{linked_.name,
                  fmt::format("'{}' is defined twice: in {} and in {}", name,
                              modules_[size_t(symbol.module)].name, modules_[size_t(m)].name),
                  "define it in one file, and declare it extern in the others"};
    if (strength > symbol.strength || (strength == symbol.strength && larger)) {
      symbol.strength = strength;
      symbol.module = m;
    }
  }

  void take_variables(int m) {
    for (Variable& variable : modules_[size_t(m)].variables) {
      Symbol& symbol = symbols_.at(variable.name);
      const bool stands = symbol.module == m && strength_of(variable) == symbol.strength;
      const bool first_declaration = symbol.module < 0;
      if (!stands && !first_declaration) continue;
      symbol.module = taken;
      variable.align = symbol.align;
      linked_.variables.push_back(std::move(variable));
    }
  }

  // A declaration stays beside its definition: text uses a name after it is declared.
  void take_functions(int m) {
    Module& module = modules_[size_t(m)];
    for (const auto& alias : module.aliases)
      if (symbols_.at(alias.first).module == m) linked_.aliases.push_back(alias);
    for (Function& function : module.functions) {
      const Symbol& symbol = symbols_.at(function.name);
      if (function.defined) {
        if (symbol.module == m) linked_.functions.push_back(std::move(function));
      } else if (declared_.insert(function.name).second) {
        if (symbol.module >= 0) {
          function.external = false;
          function.visible |= symbol.strength == Strength::strong;
          function.weak = symbol.strength == Strength::weak;
        }
        linked_.functions.push_back(std::move(function));
      }
    }
  }

  static constexpr int taken = 1 << 30;  // of a variable that is already in the result

  std::vector<Module> modules_;
  Module linked_;
  TextMap<int> uses_;  // in how many modules a name stands
  TextSet shared_names_, taken_, kept_, declared_;
  TextMap<Symbol> symbols_;
  TextMap<std::string> first_;  // the module that named it first
};

}  // namespace

Module link(std::vector<Module> modules, std::string name, Renames* renames) {
  Linker linker(std::move(modules), std::move(name));
  Module linked = linker.link();
  if (renames) *renames = std::move(linker.renames);
  return linked;
}

}  // namespace headroom::ptx
