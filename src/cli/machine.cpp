// headroom machine: which machines are known, and every fact of one with its source.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "report/machine_text.h"

namespace headroom {

void add_machine(CLI::App& app, CommandLine& line) {
  app.require_subcommand(1);
  app.add_subcommand("list", "Every machine known, by name")->callback([] {
    fmt::print("{}", machine_list_text());
  });

  auto name = std::make_shared<std::string>();
  CLI::App* show = app.add_subcommand("show", "The facts of one machine: value, unit, source");
  show->add_option("NAME", *name, "a name of 'headroom machine list' or a file")
      ->type_name("")
      ->required();
  auto json = std::make_shared<bool>(false);
  show->add_flag("--json", *json, "its file, as a beginning for one of your own");
  show->callback([name, json] {
    const Machine machine = load_machine(*name);
    fmt::print("{}", *json ? machine_file(*name) : machine_text(machine));
  });

  add_measure(*app.add_subcommand("measure", "Measure the machine of a GPU with the probes"), line);
}

}  // namespace headroom
