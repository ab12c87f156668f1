// The subcommands: each file of this room named after one declares its flags here and is its
// recipe.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "record/program_end.h"

namespace headroom {

struct CommandLine {
  std::vector<std::string> program;  // what stands after "--"
  ProgramEnd end;                    // of the program, or the subcommand's own exit code
};

void add_run(CLI::App&, CommandLine&);
void add_check(CLI::App&, CommandLine&);
void add_explain(CLI::App&, CommandLine&);
void add_compare(CLI::App&, CommandLine&);
void add_occupancy(CLI::App&, CommandLine&);
void add_disassemble(CLI::App&, CommandLine&);
void add_machine(CLI::App&, CommandLine&);
void add_doctor(CLI::App&, CommandLine&);
void add_generate(CLI::App&, CommandLine&);
void add_measure(CLI::App&, CommandLine&);  // of machine

}  // namespace headroom
