// headroom compare: two records of runs beside each other, and gates on what may change.
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/draw_report.h"
#include "cli/kernel_pattern.h"
#include "cli/output_file.h"
#include "cli/values.h"
#include "model/gate.h"
#include "report/compare_document.h"
#include "report/read_figures.h"

namespace headroom {

namespace {

struct CompareOptions {
  std::string before, after, kernel, json, report;
  std::vector<std::string> gates;
};

constexpr int gate_broke = 1, not_comparable = 2;

void refuse_records(const CompareOptions& options) {
  for (const auto& [option, path] :
       {std::pair{"--json ", options.json}, {"--report ", options.report}})
    for (const std::string& record : {options.before, options.after}) {
      std::error_code absent;
      if (std::filesystem::equivalent(record, path, absent))
        throw Error{option + path, "is a record that is read", "name another file"};
    }
}

int compare(const CompareOptions& options) {
  const KernelPattern pattern(options.kernel);
  std::vector<Gate> gates;
  for (const std::string& text : options.gates) gates.push_back(gate_of(text));
  refuse_records(options);
  refuse_one_place({{"--json", options.json}, {"--report", options.report}});
  // The report goes elsewhere only where JSON takes its place.
  OutputFile json(options.json, "--json"),
      report(options.report, "--report", options.json == "-" ? stderr : stdout);
  const Comparison comparison =
      compare(read_figures(options.before), read_figures(options.after),
              [&](const std::string& kernel) { return pattern.matches(kernel); });
  const Judgement judgement = judge(gates, comparison);
  write_both(json, options.json.empty() ? "" : compare_json(comparison, judgement), report,
             draw_report(compare_document(comparison, judgement), options.report,
                         options.json == "-" ? STDERR_FILENO : STDOUT_FILENO),
             {});
  if (!judgement.violations.empty()) return gate_broke;
  return judgement.unknown.empty() ? 0 : not_comparable;
}

}  // namespace

void add_compare(CLI::App& app, CommandLine& line) {
  auto options = std::make_shared<CompareOptions>();
  app.add_option("OLD", options->before,
                 "what 'headroom run --json FILE' wrote, or Nsight Compute: ncu --csv --page raw")
      ->required()
      ->check(not_empty())
      ->type_name("");
  app.add_option("NEW", options->after, "the same of a later run")
      ->required()
      ->check(not_empty())
      ->type_name("");
  app.add_option("--fail-if", options->gates,
                 "exit code 1 where a figure changes so, as 'registers >= 8' or "
                 "'global_load_sectors > +0 %'; may be given several times")
      ->check(not_empty())
      ->type_name("GATE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--kernel", options->kernel, "only kernels in whose name or signature it is found")
      ->check(not_empty())
      ->type_name("REGEX")
      ->join('|');
  app.add_option("--json", options->json, "write the comparison as JSON ('-': standard output)")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option(
         "--report", options->report,
         "write the report there, not to standard output: as Markdown to .md, as a page to .html")
      ->check(not_empty())
      ->type_name("FILE");
  app.callback([options, &line] { line.end.exit_code = compare(*options); });
}

}  // namespace headroom
