// How the images that nvcc embeds begin: fatbinary_section.h of the toolkit, and elf.h.
#pragma once
#include <cstdint>

namespace headroom::device {

inline constexpr uint32_t wrapper_magic = 0x466243B1, fat_magic = 0xBA55ED50,
                          elf_magic = 0x464C457F;

}  // namespace headroom::device
