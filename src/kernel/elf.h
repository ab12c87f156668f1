// ELF64, little-endian: what headroom reads of host programs, libraries and cubins.
//
//   /bin/app --> Elf{type 3, machine 62, sections {".text", ".nv_fatbin", …},
//                    needed {"libcudart.so.13", …}}
//
// Names and numbers as in the System V ABI, chapter 4; cubins are ELF with machine 190.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "kernel/bytes.h"

namespace headroom {

inline constexpr uint16_t elf_machine_x86_64 = 62, elf_machine_aarch64 = 183,
                          elf_machine_cuda = 190;
inline constexpr uint16_t elf_type_executable = 2, elf_type_shared = 3;

struct ElfSection {
  std::string_view name;
  uint32_t type = 0, link = 0, info = 0;
  uint64_t size = 0, address = 0;
  Bytes content;  // empty when the section takes no room in the file (.bss)
};

struct ElfSymbol {
  std::string_view name;
  uint16_t section = 0;  // 0: undefined, a reference
  uint64_t value = 0, size = 0;
  uint8_t other = 0;  // st_other
  bool local = false;
};

struct Elf {
  uint16_t type = 0, machine = 0;
  uint32_t flags = 0;
  uint8_t abi_version = 0;
  std::vector<ElfSection> sections;

  const ElfSection* section(std::string_view name) const;        // null if absent
  std::vector<ElfSymbol> symbols(std::string_view table) const;  // of ".symtab" or ".dynsym"
};

// What the dynamic loader is told.
struct ElfDynamic {
  std::vector<std::string> needed;
  std::vector<std::string> run_path;  // DT_RUNPATH, else DT_RPATH; $ORIGIN as written
  std::string soname;
};

bool looks_like_elf(std::span<const std::byte>);
// Views into `bytes`, which must live longer. Throws Error for what is truncated or not ELF64
// little-endian.
Elf read_elf(const Bytes& bytes);
ElfDynamic dynamic_of(const Elf&);

}  // namespace headroom
