// The symbols of a cubin, and what refers to them. nvlink leaves local symbols of several modules under one
// name; here each has its own:
//
//   a.cubin: hidden   b.cubin: hidden   --nvlink-->  hidden, hidden   -->   hidden, hidden_1
#pragma once
#include <map>
#include <string>
#include <vector>

#include "kernel/elf.h"
#include "sass/module.h"

namespace headroom {

struct CubinSymbol : ElfSymbol {
  std::string own_name;
};

class CubinSymbols {
 public:
  explicit CubinSymbols(const Elf&);  // which must live longer

  const std::vector<CubinSymbol>& all() const { return all_; }
  // Of a section, by offset; none of a null one.
  std::vector<sass::Relocation> relocations(const ElfSection*) const;

 private:
  const Elf& elf_;
  std::vector<CubinSymbol> all_;  // in the file's order: a relocation names one by its place
  std::multimap<uint32_t, const ElfSection*> relocations_;  // by the section they are of
};

}  // namespace headroom
