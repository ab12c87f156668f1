// The banks of constants that machine code reads, one after the other, as a launch has them.
//
//   bank 0   what the driver says of the launch (block, grid, stack), then the kernel's arguments
//   bank 2, 4 …   constants of the compiler, addresses of variables      bank 3   __constant__
//
// Where what lies in bank 0 is documented nowhere: read off what ptxas makes of special registers.
#pragma once
#include <cstddef>
#include <vector>

#include "record/launch.h"
#include "sim/program.h"

namespace headroom::sim {

// Of bank 0: where the kernel's arguments begin.
uint64_t arguments_at(const sass::Module&, const std::string& kernel);
std::vector<std::byte> banks_of(const Program&, const Launch&, const Limits&,
                                uint64_t grid_workspace);  // of a cooperative grid; else 0
// What operands name of them, into the constants of a warp.
void place_launch_constants(const Program&, const std::vector<std::byte>& banks,
                            std::byte* constants);

}  // namespace headroom::sim
