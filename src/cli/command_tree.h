// The command line as data, read from its declarations: of what the man page and the completions
// of shells are made.
//
//   command_tree(app).children[0]
//     ->  {path {"run"}, usage "headroom run [OPTIONS] -- PROGRAM [ARGUMENTS]",
//          about "Run a CUDA program …", options {{{"--machine"}, "NAME", "machine to imitate: …"}}}
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace headroom {

struct OptionWords {
  std::vector<std::string> names;  // "-h", "--help"
  std::string value;               // "FILE"; "" of a flag
  std::string about;
};

struct CommandTree {
  std::vector<std::string> path;  // {"machine", "show"}; empty: headroom itself
  std::string usage, about;
  std::vector<OptionWords> positionals, options;
  std::vector<CommandTree> children;
};

CommandTree command_tree(const CLI::App& app);

// draw_*: the tree as a file that others read.
std::string draw_man_page(const CommandTree&);
std::string draw_bash_completion(const CommandTree&);
std::string draw_zsh_completion(const CommandTree&);
std::string draw_fish_completion(const CommandTree&);

}  // namespace headroom
