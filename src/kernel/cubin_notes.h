// What the compiler notes in a cubin, in the sections .nv.info and .nv.info.KERNEL: a row of
//
//   {u8 format, u8 attribute, u16 value}                     format 1, 2, 3
//   {u8 4, u8 attribute, u16 bytes, `bytes` of them}
//
//   each_note(elf, ".nv.info._Z1kPi", [](const Note& note) { … note.attribute == 0x17 … });
//
// Not documented by NVIDIA.
#pragma once
#include "kernel/elf.h"

namespace headroom {

struct Note {
  uint8_t attribute;
  Bytes body;  // empty but of format 4
};

// Throws Error where the section ends within a note.
template <class F>
void each_note(const ElfSection* info, F&& f) {
  for (uint64_t at = 0; info && at + 4 <= info->content.size();) {
    const uint64_t bytes =
        info->content.read<uint8_t>(at) == 4 ? info->content.read<uint16_t>(at + 2) : 0;
    f(Note{info->content.read<uint8_t>(at + 1), info->content.slice(at + 4, bytes)});
    at += 4 + bytes;
  }
}

template <class F>
void each_note(const Elf& elf, std::string_view section, F&& f) {
  each_note(elf.section(section), std::forward<F>(f));
}

// 90 of sm_90 and sm_90a.
inline int architecture_of(const Elf& elf) {
  return int((elf.abi_version >= 8 ? elf.flags >> 8 : elf.flags) & 0xff);
}

}  // namespace headroom
