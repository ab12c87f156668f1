// headroom generate: the man page and the completions of shells, from the declarations of the
// command line.
//
//   $ source <(headroom generate bash)
#include <fmt/format.h>

#include <array>
#include <memory>

#include "base/error.h"
#include "cli/command.h"
#include "cli/command_tree.h"

namespace headroom {

namespace {

struct Kind {
  const char* name;
  std::string (*draw)(const CommandTree&);
};

constexpr std::array kinds{Kind{"man", draw_man_page}, Kind{"bash", draw_bash_completion},
                           Kind{"zsh", draw_zsh_completion}, Kind{"fish", draw_fish_completion}};

}  // namespace

void add_generate(CLI::App& app, CommandLine&) {
  auto wanted = std::make_shared<std::string>();
  app.add_option("WHAT", *wanted, "man, bash, zsh or fish")->type_name("")->required();
  app.callback([&app, wanted] {
    for (const Kind& kind : kinds)
      if (*wanted == kind.name) return fmt::print("{}", kind.draw(command_tree(*app.get_parent())));
    throw Error{"generate", fmt::format("no '{}' is made", *wanted),
                "one of: man, bash, zsh, fish"};
  });
}

}  // namespace headroom
