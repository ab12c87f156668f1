// The subcommand `measure` of headroom-lab: declares its flags and is its recipe.
#pragma once
#include "cli/command.h"

namespace headroom {

void add_measure_steps(CLI::App&, CommandLine&);

}  // namespace headroom
