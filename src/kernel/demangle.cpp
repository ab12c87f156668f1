// Names as people write them.
//
//   _Z5saxpyIfEviT_PKS0_PS0_ --demangle--> void saxpy<float>(int, float, float const*, float*)
//   --short_name--> saxpy
//   _ZN8__main__3addB2v1B3xyzE5ArrayIf…E --demangle--> __main__::add(Array<float, …>), as Numba mangles them: its tags,
//   which tell versions and options of the compiler, are left out
#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "kernel/kernel.h"

namespace headroom {

namespace {

std::string without_tags(std::string name) {
  constexpr std::string_view tag = "[abi:";
  for (size_t from = 0; (from = name.find(tag, from)) != name.npos;) {
    const size_t to = name.find(']', from);
    if (to == name.npos) break;
    name.erase(from, to + 1 - from);
  }
  return name;
}

}  // namespace

std::string demangle(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain{
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free};
  return status == 0 && plain ? without_tags(plain.get()) : name;
}

// What stands before the parameters, without scopes, return type and template arguments.
std::string short_name(const std::string& demangled) {
  constexpr std::string_view anonymous = "(anonymous namespace)";
  std::string name;
  int depth = 0;
  for (size_t i = 0; i < demangled.size(); ++i) {
    const char c = demangled[i];
    if (depth == 0 && demangled.compare(i, anonymous.size(), anonymous) == 0) {
      i += anonymous.size() - 1;
    } else if (c == '<' || c == '[') {
      ++depth;
    } else if ((c == '>' || c == ']') && depth > 0) {
      --depth;
    } else if (depth == 0) {
      if (c == '(') break;
      if (c == ' ' || c == ':')
        name.clear();
      else
        name += c;
    }
  }
  return name.empty() ? demangled : name;
}

}  // namespace headroom
