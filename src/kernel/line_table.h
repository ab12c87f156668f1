// Which source line each machine instruction is from: section .debug_line of a cubin, which nvcc and
// ptxas write under -lineinfo or -G. Source: DWARF 2, section 6.2; the address that a sequence begins
// at is a relocation against the function. NVIDIA's own operation says of the rows after it which earlier
// row of the sequence called their code: what is inlined from a header of the toolkit has the line of the
// program that called it.
//
//   saxpy.cubin --> LineTable{{"/home/me/saxpy.cu"}, {"_Z5saxpyifPfS_": {{0x0, file 0, line 4}, …}}}
#pragma once
#include <map>
#include <string>
#include <vector>

#include "kernel/elf.h"
#include "sass/module.h"

namespace headroom {

struct LineTable {
  std::vector<std::string> files;
  std::map<std::string, std::vector<sass::SourceLine>, std::less<>> of_function;  // by offset
};

// Empty where there is none, or one of another version.
LineTable read_line_table(const Elf&);

}  // namespace headroom
