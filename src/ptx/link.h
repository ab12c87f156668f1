// Several modules become one, as nvlink makes one program of relocatable device code (-rdc=true):
//
//   a.ptx  .extern .func f; .global .u32 seen;  .visible .entry k { call f; … [seen] … }
//   b.ptx  .global .u32 seen;  .visible .func f { … [seen] … }
//
//     --link({a, b}, "app")-->  .global .u32 seen; .global .u32 seen_1;
//                               .visible .func f { … [seen_1] … }  .visible .entry k { call f; … }
//
// A name with linkage is the same thing in all modules: of its definitions the strong one
// (.visible) stands, else the first .weak one, else the largest .common one; two strong ones are an
// Error that names both modules. A name without linkage is its module's own, and is renamed where
// another module has it too. Kernels keep their names, as the host launches them by name. What
// stays declared and undefined is no error here: the executor provides some functions itself, and
// says of the others who uses them.
//
// Source: PTX ISA 9.0, sections 11.6 (linking directives) and 11.7.4 (.alias).
#pragma once
#include <string>
#include <vector>

#include "ptx/module.h"
#include "ptx/names.h"

namespace headroom::ptx {

// By module, the names that it had for itself and lost: {"seen", "seen_1"}.
using Renames = std::vector<TextMap<std::string>>;

Module link(std::vector<Module> modules, std::string name, Renames* renames = nullptr);

}  // namespace headroom::ptx
