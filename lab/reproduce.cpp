// headroom reproduce: every table and curve of the sources that has a study, as published,
// predicted and measured, on whatever is there.
#include "lab/reproduce.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/output_file.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "lab/choice.h"
#include "lab/executor_results.h"
#include "lab/gpu_runs.h"
#include "lab/text.h"
#include "run/signals.h"

namespace headroom {

namespace {

struct ReproduceOptions {
  std::vector<std::string> names, merged;
  std::string machine = "h200", gpu, results, json, html, markdown, save;
  bool list = false;
};

// Exit code 0: all that was measured did well.
ProgramEnd reproduce(const ReproduceOptions& options) {
  const auto studies = choose_tables(options.names);
  if (options.list) {
    fmt::print("{}", lab_list_text(studies, terminal_style(STDOUT_FILENO)));
    return {};
  }
  const Machine machine = load_machine(options.machine);
  const auto earlier = earlier_results(options.results), merged = read_results(options.merged);
  const auto gpu = choose_gpu(options.gpu);
  refuse_one_place(
      {{"--json", options.json}, {"--html", options.html}, {"--markdown", options.markdown}});
  OutputFile json(options.json, "--json"), html(options.html, "--html"),
      markdown(options.markdown, "--markdown");
  // From here on nothing that the user typed can be wrong.

  const SignalWatch watch(OnSignal::stop);
  std::vector<Caveat> failures, doubts = without_tables(studies, options.names);
  std::vector<Results> now;
  if (gpu) now = measure_studies(studies, *gpu, failures);
  save_results(now, options.save);
  const RowsOf rows = run_on_executor(studies, machine, options.machine, doubts);
  if (stop_signal()) return {.signal = stop_signal()};
  Lab lab = reproduce(studies, machine, all_results(earlier, now, merged), rows);
  if (!options.save.empty() && now.empty())
    doubts.push_back({"nothing was written to " + options.save,
                      gpu ? "no study could be measured" : "there is no GPU to measure on",
                      "run it where there is one"});
  for (const auto* more : {&failures, &doubts})
    lab.caveats.insert(lab.caveats.end(), more->begin(), more->end());

  json.write(lab_json(lab));
  html.write(lab_html(lab));
  markdown.write(lab_markdown(lab));
  const bool taken = options.json == "-" || options.html == "-" || options.markdown == "-";
  if (!taken) fmt::print("{}", lab_text(lab, terminal_style(STDOUT_FILENO)));
  return {.exit_code = failures.empty() ? 0 : 1};
}

}  // namespace

void add_reproduce(CLI::App& app, CommandLine& line) {
  auto options = std::make_shared<ReproduceOptions>();
  app.add_option("NAME", options->names, "studies or tables (default: all)")->type_name("");
  app.add_flag("--list", options->list, "the tables there are, with their sources");
  app.add_option("--machine", options->machine,
                 "machine to predict for: a name of 'headroom machine list' or a file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--gpu", options->gpu,
                 "GPU to measure on, or 'none' (default: the first one there is)")
      ->type_name("N");
  app.add_option("--results", options->results,
                 "measurements in place of those that headroom brings with it")
      ->check(not_empty())
      ->type_name("FOLDER");
  app.add_option("--merge", options->merged,
                 "measurements of others, to stand beside; may be repeated")
      ->allow_extra_args(false)
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--save", options->save, "write what is measured there, a file a study")
      ->check(not_empty())
      ->type_name("FOLDER");
  app.add_option("--json", options->json, "write everything as JSON ('-': standard output)")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--html", options->html, "write a page of HTML")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--markdown", options->markdown, "write a page of Markdown")
      ->check(not_empty())
      ->type_name("FILE");
  app.callback([options, &line] { line.end = reproduce(*options); });
}

}  // namespace headroom
