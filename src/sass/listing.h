// A function's machine code as text, with what the assembler says of each instruction's time.
//
//   saxpy(int, float, float *, float *): sm_90, 24 instructions, 3 basic blocks
//
//   block 0, then 1 or 2
//     0x0000  ......:.:.:.: 1  LDC R1, c[0x0][0x28]                            saxpy.cu:4
#pragma once
#include <functional>
#include <string>

#include "sass/module.h"

namespace headroom::sass {

// `name_of`: how a symbol is written, as demangled.
std::string list(const Module&, const Function&,
                 const std::function<std::string(const std::string&)>& name_of);

}  // namespace headroom::sass
