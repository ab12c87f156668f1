// Where symbols of machine code lie, and the values that the driver writes into code and constants.
//
//   c[0x4][0x40], R_CUDA_64 malloc            an address in the window of functions, of System::malloc
//   MOV R4, 0x0, R_CUDA_ABS32_LO table        the lower half of the variable's address
//
//   function_window + 0x100 · n     a function of the system (system_calls.h)
//   function_window + 0x10000 …     functions as PTX knows them: what a variable's initialiser holds
//   function_window + 2^24 · (f+1)  the code of a module's function number f
//
// Where a program is one module, ptxas gives each kernel its own copy of what it calls through a
// pointer, and a pointer is the place of the copy's address in c[0x2]. There memory holds PTX's
// address, whose lower half is beyond any such place: place_function_pointers() makes it one too.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "sim/program.h"

namespace headroom::sim {

uint64_t code_address(const sass::Module&, const std::string& function);  // 0: it has no code
uint64_t system_address(System);
std::optional<uint64_t> symbol_address(const LoadedModule&, const sass::Module&,
                                       const std::string& symbol, int64_t addend = 0);

// The system's functions that machine code calls: those of PTX, and what the toolkit's device runtime calls in turn.
std::optional<System> system_of_code(std::string_view symbol);

// A bank with its relocations. What names an unknown symbol stays as it is: see unknown_symbol().
ConstantBank bank_of(const sass::Bank&, const LoadedModule&, const sass::Module&);
void place_function_pointers(ConstantBank&, const LoadedModule&, const sass::Function& kernel);

// The kernel's section, and those that it calls.
std::vector<const sass::Function*> reached_sections(const sass::Module&,
                                                    const sass::Function& kernel);

// The function with its relocations; throws Error for one that is not known.
sass::Function with_addresses(const sass::Function&, const LoadedModule&, const sass::Module&);

// Functions and variables that the code has the addresses of: by relocations of its own, or, where
// it calls through registers, by constants that it may read.
std::set<std::string> named_symbols(const sass::Function&, const sass::Module&);

}  // namespace headroom::sim
