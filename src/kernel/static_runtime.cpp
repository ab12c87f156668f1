#include "kernel/static_runtime.h"

#include <algorithm>

#include "kernel/mapped_file.h"
#include "kernel/static_text.h"

namespace headroom {
namespace {

// What every release since CUDA 2 says, and no program without a runtime does.
constexpr std::string_view sentence =
    "CUDA driver version is insufficient for CUDA runtime version";
// CUDA 13 has taken these out. A program may have one of them itself.
constexpr std::string_view left_with_13[] = {"cudaThreadExit", "cudaThreadSynchronize"};
// Of the more than 400 that come together: a program's own function of such a name is no runtime.
constexpr size_t fewest = 300;

bool is_older(const std::vector<StaticFunction>& functions) {
  return std::ranges::all_of(left_with_13, [&](std::string_view name) {
    return std::ranges::find(functions, name, &StaticFunction::name) != functions.end();
  });
}

std::vector<StaticFunction> functions_by_symbols(const Elf& elf) {
  std::vector<StaticFunction> functions;
  for (const ElfSymbol& symbol : elf.symbols(".symtab"))
    if (symbol.section != 0 && symbol.section < elf.sections.size() &&
        elf.sections[symbol.section].name == ".text" && is_runtime_name(symbol.name))
      functions.push_back({std::string(symbol.name), symbol.value});
  if (functions.size() < fewest) return {};
  return functions;
}

StaticRuntime found(std::vector<StaticFunction> functions) {
  if (is_older(functions)) return {StaticRuntime::State::older, {}};
  return {StaticRuntime::State::found, std::move(functions)};
}

// libcudadevrt has the sentence too, in programs that launch kernels from kernels and share the runtime.
bool may_have_one(const Elf& elf) {
  const std::vector<std::string> needed = dynamic_of(elf).needed;
  if (std::ranges::find(needed, "libcudart.so.13") != needed.end()) return false;
  const ElfSection* constants = elf.section(".rodata");
  return constants && constants->content.text().find(sentence) != std::string_view::npos;
}

}  // namespace

bool is_runtime_name(std::string_view name) {
  return name.starts_with("cuda") || name.starts_with("__cuda");
}

StaticRuntime static_runtime_of(const Elf& elf, const std::string& path) {
  if (dynamic_of(elf).soname.starts_with("libcudart.so")) return {};  // the runtime that is shared
  if (auto functions = functions_by_symbols(elf); !functions.empty())
    return found(std::move(functions));
  if (!may_have_one(elf)) return {};
  for (const std::string& archive : static_runtime_archives(path)) {
    const MappedFile file(archive);
    auto functions = functions_by_text(elf, {file.bytes(), archive});
    if (!functions.empty()) return found(std::move(functions));
  }
  return {StaticRuntime::State::unknown, {}};
}

}  // namespace headroom
