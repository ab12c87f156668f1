// headroom: a table of subcommands.
#include "cli/start.h"

namespace headroom {

namespace {

constexpr Command commands[] = {
    {"run", "[OPTIONS] -- PROGRAM [ARGUMENTS]",
     "Run a CUDA program without a GPU, or on one, and explain every kernel", add_run},
    {"check", "[OPTIONS] -- PROGRAM [ARGUMENTS]",
     "Find faults of a CUDA program without a GPU: races, accesses out of bounds, deadlocks",
     add_check},
    {"explain", "RECORD [OPTIONS]", "The report of a run again, from what 'run --json' wrote of it",
     add_explain},
    {"compare", "OLD NEW [OPTIONS]",
     "What changed between two runs, by how much and why, from what 'run --json' wrote",
     add_compare},
    {"occupancy", "[IMAGE] [OPTIONS]", "How many blocks fit on an SM, and what stops the next one",
     add_occupancy},
    {"disassemble", "IMAGE [OPTIONS]",
     "The machine code of a program's kernels, with its control words", add_disassemble},
    {"machine",
     "list\n       headroom machine show NAME\n       headroom machine measure [OPTIONS]",
     "The machines known, the facts of one with their sources, and what probes measure",
     add_machine},
    {"reproduce", "", "The sources' tables: published, predicted and measured", nullptr,
     "headroom-lab"},
    {"doctor", "[OPTIONS]",
     "What is here of what headroom works with, what is missing, and how to mend it", add_doctor},
    {"generate", "man | bash | zsh | fish", "The man page, or the completions of a shell",
     add_generate},
};

}  // namespace

}  // namespace headroom

int main(int count, char** arguments) {
  return headroom::start(headroom::commands, count, arguments);
}
