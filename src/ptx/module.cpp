// The small functions of module.h.
#include "ptx/module.h"

#include <algorithm>

namespace headroom::ptx {
namespace {

struct TypeFacts {
  std::string_view name;
  int bytes;
};
constexpr TypeFacts type_facts[] = {
    // in the order of Type
    {"none", 0}, {"pred", 0}, {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16},
    {"u8", 1},   {"u16", 2},  {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},
    {"s64", 8},  {"f16", 2},  {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},
};
static_assert(std::size(type_facts) == size_t(Type::f64) + 1);

constexpr std::string_view space_names[] = {"none", "global", "const", "shared", "local", "param"};
static_assert(std::size(space_names) == size_t(Space::param) + 1);

}  // namespace

int size_of(Type type) { return type_facts[size_t(type)].bytes; }
int width_of(const Variable& variable) {
  return variable.opaque.empty() ? size_of(variable.type) : 8;
}
std::string_view name_of(Type type) { return type_facts[size_t(type)].name; }
std::string_view name_of(Space space) { return space_names[size_t(space)]; }

std::optional<Type> type_named(std::string_view name) {
  if (name.starts_with('.')) name.remove_prefix(1);
  for (size_t i = 1; i < std::size(type_facts); ++i)
    if (type_facts[i].name == name) return Type(i);
  return std::nullopt;
}

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

Type Instruction::type(int nth) const {
  for (const std::string& modifier : modifiers)
    if (auto type = type_named(modifier); type && nth-- == 0) return *type;
  return Type::none;
}

std::string Instruction::spelled() const {
  std::string text = opcode;
  for (const std::string& modifier : modifiers) text += modifier;
  return text;
}

const Function* Module::function(std::string_view name) const {
  const Function* declared = nullptr;
  for (const Function& function : functions) {
    if (function.name != name) continue;
    if (function.defined) return &function;
    declared = &function;
  }
  if (!declared || !declared->defined)
    for (const auto& [alias, target] : aliases)
      if (alias == name && target != name)
        for (const Function& function : functions)
          if (function.name == target && function.defined) return &function;
  return declared;
}

}  // namespace headroom::ptx
