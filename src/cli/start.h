// What headroom and headroom-lab begin with: a table of subcommands, and where every error ends, as one
// message with a hint and exit code 125.
//
//   constexpr Command commands[] = {{"run", "[OPTIONS] -- PROGRAM", "Run …", add_run},
//                                   {"reproduce", "", "The sources' tables …", nullptr, "headroom-lab"}};
//   int main(int count, char** arguments) { return headroom::start(commands, count, arguments); }
#pragma once
#include <span>

#include "cli/command.h"

namespace headroom {

struct Command {
  const char *name, *usage, *about;
  void (*declare)(CLI::App&, CommandLine&);
  const char* program =
      "";  // which has the command, where `declare` is null: beside this one in bin/
};

// The exit code.
int start(std::span<const Command>, int count, char** arguments);

}  // namespace headroom
