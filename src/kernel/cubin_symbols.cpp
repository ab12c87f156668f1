#include "kernel/cubin_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace headroom {
namespace {

constexpr uint32_t with_addends = 4, without_addends = 9;  // SHT_RELA, SHT_REL

}  // namespace

CubinSymbols::CubinSymbols(const Elf& elf) : elf_(elf) {
  std::unordered_set<std::string> taken;
  for (const ElfSymbol& symbol : elf.symbols(".symtab")) {
    all_.push_back({symbol, std::string(symbol.name)});
    if (!symbol.local) taken.insert(all_.back().own_name);
  }
  for (CubinSymbol& symbol : all_) {
    if (!symbol.local || symbol.section == 0 || symbol.size == 0) continue;
    const std::string name = symbol.own_name;
    for (int number = 1; !taken.insert(symbol.own_name).second; ++number)
      symbol.own_name = fmt::format("{}_{}", name, number);
  }
  for (const ElfSection& section : elf.sections)
    if (section.type == with_addends || section.type == without_addends)
      relocations_.emplace(section.info, &section);
}

std::vector<sass::Relocation> CubinSymbols::relocations(const ElfSection* section) const {
  std::vector<sass::Relocation> found;
  if (!section) return found;
  const auto [first, last] = relocations_.equal_range(uint32_t(section - elf_.sections.data()));
  for (auto each = first; each != last; ++each) {
    const Bytes& entries = each->second->content;
    const bool has_addend = each->second->type == with_addends;
    const uint64_t size = has_addend ? 24 : 16;
    for (uint64_t at = 0; at + size <= entries.size(); at += size) {
      const auto info = entries.read<uint64_t>(at + 8);
      const uint64_t symbol = info >> 32;
      found.push_back({entries.read<uint64_t>(at), uint32_t(info),
                       symbol < all_.size() ? all_[symbol].own_name : "",
                       has_addend ? std::optional(entries.read<int64_t>(at + 16)) : std::nullopt});
    }
  }
  std::ranges::stable_sort(found, {}, &sass::Relocation::offset);
  return found;
}

}  // namespace headroom
