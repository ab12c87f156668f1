// headroom explain: the report of a run again, from what `headroom run --json FILE` wrote of it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/draw_report.h"
#include "cli/kernel_pattern.h"
#include "cli/output_file.h"
#include "cli/values.h"
#include "machine/names.h"
#include "model/explanation.h"
#include "report/page.h"
#include "report/read_run.h"
#include "report/run_document.h"

namespace headroom {

namespace {

struct ExplainOptions {
  std::string record, kernel, machine, report, html;
  bool equations = false;
};

// The figures are of the machine that was imitated: another one's floors would not belong to them.
Machine machine_of(const SavedRun& run, const ExplainOptions& options) {
  if (options.machine.empty() && !machine_asked(run.machine))
    throw Error{options.record,
                fmt::format("the run imitated '{}', a machine from a file", run.machine),
                "name that file: --machine FILE"};
  Machine machine = load_machine(options.machine.empty() ? run.machine : options.machine);
  if (machine.name != run.machine)
    throw Error{"--machine " + options.machine,
                fmt::format("the run imitated {}, not {}", run.machine, machine.name),
                fmt::format("run the program again: headroom run --machine {}", options.machine)};
  return machine;
}

Explanation explain(SavedRun run, const Machine& machine) {
  Explanation report = explain(run.command, run.end, machine, std::move(run.records));
  for (Caveat& caveat : run.caveats)
    if (std::ranges::none_of(report.caveats, [&](auto& each) { return each.what == caveat.what; }))
      report.caveats.push_back(RunCaveat{std::move(caveat), {}});
  return report;
}

void explain(const ExplainOptions& options) {
  const KernelPattern pattern(options.kernel);
  const std::vector<Destination> written{{"--report", options.report}, {"--html", options.html}};
  for (const auto& [option, path] : written) {
    std::error_code absent;
    if (std::filesystem::equivalent(options.record, path, absent))
      throw Error{option + " " + path, "is the record that is read", "name another file"};
  }
  refuse_one_place(written);
  OutputFile file(options.report, "--report", stdout), html_file(options.html, "--html");
  SavedRun run = read_run(options.record, options.record);
  const Machine machine = machine_of(run, options);
  const Explanation report = explain(std::move(run), machine);
  const Document document = pattern.given() ? kernels_document(report, pattern.matches(report),
                                                               options.kernel, options.equations)
                                            : run_document(report);
  write_all({{html_file, options.html.empty() ? "" : run_page(report)},
             {file, draw_report(document, options.report, STDOUT_FILENO)}},
            {});
}

}  // namespace

void add_explain(CLI::App& app, CommandLine&) {
  auto options = std::make_shared<ExplainOptions>();
  app.add_option("RECORD", options->record, "what 'headroom run --json FILE' wrote")
      ->required()
      ->check(not_empty())
      ->type_name("");
  auto* const kernel =
      app.add_option("--kernel", options->kernel,
                     "tell all about the kernels in whose name or signature it is found")
          ->check(not_empty())
          ->type_name("REGEX")
          ->join('|');
  app.add_flag("--equations", options->equations,
               "of these, how floors, hiding, predicted time and gains come about: as formulas and "
               "with their numbers, and where each constant is from")
      ->needs(kernel);
  app.add_option("--machine", options->machine,
                 "the machine that the run imitated, where that was a file of your own")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option(
         "--report", options->report,
         "write the report there, not to standard output: as Markdown to .md, as a page to .html")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--html", options->html,
                 "write a page to look at: all kernels, their source and drawings in one file")
      ->check(not_empty())
      ->type_name("FILE");
  app.callback([options] { explain(*options); });
}

}  // namespace headroom
