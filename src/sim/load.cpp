// Gives a module's variables their place in device memory.
#include <sys/mman.h>

#include <cstring>

#include "sim/loaded.h"

namespace headroom::sim {

namespace {

// Whole pages are given back, so that a large array takes memory only once it is touched.
void clear(std::byte* bytes, uint64_t size) {
  constexpr uint64_t page = 4096;
  const uint64_t begin = reinterpret_cast<uint64_t>(bytes), end = begin + size;
  const uint64_t first = (begin + page - 1) / page * page, last = end / page * page;
  if (first >= last || madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED) != 0) {
    std::memset(bytes, 0, size);
    return;
  }
  std::memset(bytes, 0, first - begin);
  std::memset(reinterpret_cast<void*>(last), 0, end - last);
}

}  // namespace

LoadedModule load_module(std::shared_ptr<const ptx::Module> module, Memory& memory) {
  LoadedModule loaded{module, {}};
  for (const ptx::Variable& variable : module->variables) {
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    if (variable.external) continue;  // defined elsewhere, or nowhere: what uses it says so
    const auto address = memory.allocate_variable(std::max<uint64_t>(variable.bytes, 1));
    if (!address)
      throw Error{module->name,
                  "device memory is too small for the variable '" + variable.name + "'"};
    loaded.addresses[variable.name] = *address;
  }
  // Beyond any offset in a bank of constants: what machine code has as the address of a function.
  uint64_t next_function = function_window + (64 << 10);
  for (const ptx::Function& function : module->functions) {
    next_function += 16;
    loaded.addresses.emplace(function.name, next_function);
  }
  for (const auto& [alias, target] : module->aliases)
    if (const auto function = loaded.addresses.find(target); function != loaded.addresses.end())
      loaded.addresses[alias] = function->second;
  for (const ptx::Variable& variable : module->variables) {
    const auto address = loaded.addresses.find(variable.name);
    if (address == loaded.addresses.end() || variable.external) continue;
    std::byte* bytes = reinterpret_cast<std::byte*>(address->second);
    clear(bytes, variable.bytes);
    if (!variable.init.empty())
      std::memcpy(bytes, variable.init.data(),
                  std::min<size_t>(variable.init.size(), variable.bytes));
    for (const ptx::Relocation& relocation : variable.relocations) {
      const auto symbol = loaded.addresses.find(relocation.symbol);
      if (symbol == loaded.addresses.end())
        throw Error{module->name, "the initialiser of '" + variable.name + "' names '" +
                                      relocation.symbol + "', which has no address"};
      const uint64_t value = (symbol->second + uint64_t(relocation.addend)) >> relocation.shift;
      std::memcpy(bytes + relocation.offset, &value, size_t(relocation.bytes));
    }
  }
  return loaded;
}

void unload_module(const LoadedModule& loaded, Memory& memory) {
  for (const auto& [name, address] : loaded.addresses) {
    if (address >= memory.base()) memory.free(address);
  }
}

}  // namespace headroom::sim
