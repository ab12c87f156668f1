// The subcommand `reproduce`: declares its flags and is its recipe.
#pragma once
#include "cli/command.h"

namespace headroom {

void add_reproduce(CLI::App&, CommandLine&);

}  // namespace headroom
