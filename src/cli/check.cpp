// headroom check: a CUDA program runs on the executor, which looks for faults instead of counting.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/read_file.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/draw_report.h"
#include "cli/executor_options.h"
#include "cli/host_lines.h"
#include "cli/output_file.h"
#include "cli/silence.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "kernel/program.h"
#include "report/check_document.h"
#include "report/sarif.h"
#include "report/suppressions.h"
#include "run/on_executor.h"

namespace headroom {

namespace {

// What is freed when a program ends is often left to the end: told where it is asked for.
constexpr const char* default_classes = "race,uninitialised,bounds,barrier,fault,api";

struct CheckOptions {
  ExecutorOptions executor;
  std::vector<std::string> only;
  bool only_given = false;
  std::string json, report, sarif, html, suppressions;
  int exit_code = 1;  // where there is a finding; 0: the program's own
};

std::vector<Suppression> rules_of(const std::string& path) {
  if (path.empty()) return {};
  return read_suppressions(load_file(path, "is the path right?", "--suppressions " + path), path);
}

// Of the launches themselves, and of the run: not what only matters for times.
void keep_caveats_of_checks(Explanation& run) {
  std::erase_if(run.caveats, [&](const RunCaveat& caveat) {
    return !caveat.kernels.empty() &&
           std::ranges::none_of(run.launches, [&](const ExplainedLaunch& launch) {
             return std::ranges::any_of(launch.record.caveats, [&](const Caveat& each) {
               return each.what == caveat.what;
             });
           });
  });
}

std::vector<CheckReport::NotChecked> not_checked(const Explanation& run,
                                                 const std::vector<std::string>& classes) {
  std::vector<CheckReport::NotChecked> all;
  for (const RunCaveat& caveat : run.caveats) {
    if (caveat.what != not_checked_for_races) continue;
    CheckReport::NotChecked one{{}, caveat.kernels, caveat.cause};
    for (const char* name : {"race", "uninitialised"})
      if (std::ranges::find(classes, name) != classes.end()) one.classes.push_back(name);
    if (!one.classes.empty()) all.push_back(std::move(one));
  }
  return all;
}

// Of a program that ended well. Who asked for classes by name wants to know that they were looked for.
int exit_code_of(const CheckReport& report, const CheckOptions& options) {
  constexpr int nothing_checked = 125;
  if (saw_nothing(report)) return nothing_checked;
  return options.only_given && !report.not_checked.empty() ? options.exit_code : 0;
}

CheckReport checked(Explanation run, const std::vector<std::string>& classes,
                    const std::vector<Suppression>& rules) {
  keep_caveats_of_checks(run);
  find_host_lines(run.findings);
  CheckReport report;
  std::vector<bool> used(rules.size());
  for (DistinctFinding& each : distinct(run.findings)) {
    if (std::ranges::find(classes, class_of(each.first)) == classes.end()) continue;
    const auto rule = std::ranges::find_if(
        rules, [&](const Suppression& one) { return matches(one, each.first); });
    if (rule == rules.end()) {
      report.findings.push_back(std::move(each));
    } else {
      used[size_t(rule - rules.begin())] = true;
      report.suppressed.push_back(std::move(each));
    }
  }
  for (size_t i = 0; i < rules.size(); ++i)
    if (!used[i]) report.unused_rules.push_back(rules[i].told);
  report.not_checked = not_checked(run, classes);
  report.run = std::move(run);
  return report;
}

ProgramEnd check(const CheckOptions& options, const std::vector<std::string>& command) {
  const Machine machine = load_machine(options.executor.machine);
  const std::vector<Suppression> rules = rules_of(options.suppressions);
  if (command.empty())
    throw Error{"check", "no program to check", "write it after '--': headroom check -- ./saxpy"};
  const std::vector<Destination> written{{"--json", options.json},
                                         {"--sarif", options.sarif},
                                         {"--html", options.html},
                                         {"--report", options.report}};
  refuse_one_place(written);
  const std::string program = find_program(command[0]);
  refuse_program(program, written);
  check_for_executor(program, options.executor, machine.cc());
  OutputFile report_file(options.report, "--report", stderr), json_file(options.json, "--json"),
      sarif_file(options.sarif, "--sarif"), html_file(options.html, "--html");
  const bool apart = options.json == "-" || options.sarif == "-";
  const std::string root = std::filesystem::current_path().string();

  Records records = on_executor(
      {program, command, apart ? Output::to_standard_error : Output::as_ours}, options.executor);
  leave_progress_line(records.end.signal);
  const bool is_silent = records.counted.empty();
  Explanation run = explain(command, records.end, machine, std::move(records.counted));
  if (is_silent) explain_silence(program, run);
  const CheckReport report = checked(std::move(run), options.only, rules);
  const Document document = check_document(report);
  write_all({{sarif_file, options.sarif.empty() ? "" : sarif(report, root, version())},
             {json_file, options.json.empty() ? "" : check_json(report)},
             {html_file, options.html.empty() ? "" : draw_report(document, ".html", -1)},
             {report_file, draw_report(document, options.report, STDERR_FILENO)}},
            records.end);
  ProgramEnd end = records.end;
  if (!report.findings.empty() && options.exit_code && !end.signal)
    end.exit_code = options.exit_code;
  if (end.exit_code == 0 && !end.signal) end.exit_code = exit_code_of(report, options);
  return end;
}

}  // namespace

void add_check(CLI::App& app, CommandLine& line) {
  auto options = std::make_shared<CheckOptions>();
  options->executor.model = false;
  app.add_option("--only", options->only,
                 fmt::format("classes of faults to look for, with commas: {}",
                             fmt::join(finding_classes(), ", ")))
      ->delimiter(',')
      ->check(one_of(finding_classes()))
      ->default_str(default_classes)
      ->type_name("LIST");
  app.add_option("--error-exitcode", options->exit_code,
                 "exit code where there is a finding (0: the program's own)")
      ->check(whole_number(0, 255))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--suppressions", options->suppressions,
                 "rules for findings that are known: kind, kernel and file:line, one a line")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option(
         "--report", options->report,
         "write the report there, not to standard error: as Markdown to .md, as a page to .html")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--json", options->json,
                 "write the findings as JSON ('-': standard output; the program's own then goes to "
                 "standard error)")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--sarif", options->sarif, "write the findings as SARIF 2.1.0, for code hosts")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--html", options->html, "write the report as a page to look at")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--machine", options->executor.machine,
                 "machine to imitate: a name of 'headroom machine list' or a file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--image", options->executor.image,
                 "PTX to run of several in the program, as sm_80")
      ->check(not_empty())
      ->type_name("NAME");
  app.add_option("--engine", options->executor.engine,
                 "what of a kernel runs: its ptx (default where there is some), or its machine "
                 "code")
      ->check(one_of({"machine", "ptx"}))
      ->type_name("NAME");
  add_device_options(app, options->executor);
  app.callback([options, &line] {
    options->only_given = !options->only.empty();
    if (!options->only_given) options->only = CLI::detail::split(default_classes, ',');
    options->executor.check = fmt::format("{}", fmt::join(options->only, ","));
    line.end = check(*options, line.program);
  });
}

}  // namespace headroom
