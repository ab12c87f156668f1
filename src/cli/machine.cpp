// headroom machine: which machines are known, and every fact of one with its source.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/machine_document.h"
#include "report/text.h"

namespace headroom {

void add_machine(CLI::App& app, CommandLine& line) {
  app.require_subcommand(1);
  app.add_subcommand("list", "Every machine known, by name")->callback([] {
    fmt::print("{}", draw_text(machine_list(), terminal_style(STDOUT_FILENO)));
  });

  auto name = std::make_shared<std::string>();
  CLI::App* show = app.add_subcommand("show", "The facts of one machine: value, unit, source");
  show->add_option("NAME", *name, "a name of 'headroom machine list' or a file")
      ->type_name("")
      ->required();
  auto json = std::make_shared<bool>(false), all = std::make_shared<bool>(false);
  show->add_flag("--measured", *all, "everything that probes measured on such a machine");
  show->add_flag("--json", *json, "its file, as a beginning for one of your own");
  show->callback([name, json, all] {
    const Machine machine = load_machine(*name);
    const std::optional<Measured> measured = load_measured(machine.name);
    if (*all && !measured)
      throw Error{"--measured", fmt::format("nothing was measured on {}", machine.title),
                  "'headroom machine measure' measures a GPU"};
    if (*json)
      fmt::print("{}", *all ? measured_json(*measured) : machine_file(*name));
    else
      fmt::print(
          "{}", draw_text(*all ? measured_document(*measured) : machine_document(machine, measured),
                          terminal_style(STDOUT_FILENO)));
  });

  add_measure(*app.add_subcommand("measure", "Measure the machine of a GPU with the probes"), line);
}

}  // namespace headroom
