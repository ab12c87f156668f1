// headroom run: a CUDA program runs on the executor, and every kernel is explained.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "base/version.h"
#include "cli/command.h"
#include "cli/draw_report.h"
#include "cli/executor_options.h"
#include "cli/kernel_pattern.h"
#include "cli/output_file.h"
#include "cli/run_gpu.h"
#include "cli/run_options.h"
#include "cli/silence.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "kernel/program.h"
#include "model/explanation.h"
#include "report/csv.h"
#include "report/page.h"
#include "report/run_document.h"
#include "report/run_json.h"
#include "report/sarif.h"
#include "report/trace.h"
#include "run/on_executor.h"

namespace headroom {

namespace {

Explanation watch_run(const RunOptions& options, const std::string& program,
                      const std::vector<std::string>& command, const Machine& machine) {
  ExecutorOptions executor = options.executor;
  executor.source_if_any = !options.html.empty();
  executor.actions = !options.trace.empty();
  Records records = on_executor({program, command, program_output(options)}, executor);
  leave_progress_line(records.end.signal);
  const bool is_silent = records.counted.empty();
  Explanation report = explain(command, records.end, machine, std::move(records.counted));
  if (is_silent) explain_silence(program, report);
  return report;
}

void check_source(const RunOptions& options) {
  if (!options.executor.source) return;
  if (options.executor.engine == "ptx")
    throw Error{"--source", "counts are of machine instructions, and the kernels' PTX would run",
                "leave --engine ptx out"};
  if (options.kernel.empty())
    throw Error{"--source", "no kernel is named whose listing it would print",
                "add --kernel REGEX, as in --kernel saxpy"};
}

ProgramEnd run(const RunOptions& options, const std::vector<std::string>& command) {
  const Machine machine = load_machine(options.executor.machine);
  const KernelPattern pattern(options.kernel);
  check_source(options);
  if (command.empty())
    throw Error{"run", "no program to run", "write it after '--': headroom run -- ./saxpy"};
  const std::vector<Destination> written = destinations(options);
  refuse_one_place(written);
  const std::string program = find_program(command[0]);
  refuse_program(program, written);
  check_for_executor(program, options.executor, machine.cc());
  OutputFile report_file(options.report, "--report", stderr), json_file(options.json, "--json"),
      sarif_file(options.sarif, "--sarif"), html_file(options.html, "--html"),
      trace_file(options.trace, "--trace"), csv_file(options.csv, "--csv");
  const std::string root = std::filesystem::current_path().string();
  // From here on nothing that the user typed can be wrong.

  Explanation report = watch_run(options, program, command, machine);
  const std::string page = options.html.empty() ? "" : run_page(report);
  if (!options.executor.source)  // counted for the page alone
    for (ExplainedLaunch& launch : report.launches) launch.record.source.reset();
  const Document document = pattern.given()
                                ? kernels_document(report, pattern.matches(report), options.kernel)
                                : run_document(report);
  write_all({{sarif_file, options.sarif.empty() ? "" : sarif(report, root, version())},
             {json_file, options.json.empty() ? "" : run_json(report)},
             {html_file, page},
             {trace_file, options.trace.empty() ? "" : run_trace(report)},
             {csv_file, options.csv.empty() ? "" : run_csv(report)},
             {report_file, draw_report(document, options.report, STDERR_FILENO)}},
            report.end);
  ProgramEnd end = report.end;
  if (!report.findings.empty() && options.error_exit_code && !end.signal)
    end.exit_code = options.error_exit_code;
  return end;
}

}  // namespace

void add_run(CLI::App& app, CommandLine& line) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("--machine", options->executor.machine,
                 "machine to imitate: a name of 'headroom machine list' or a file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--kernel", options->kernel,
                 "tell all about the kernels in whose name or signature it is found")
      ->check(not_empty())
      ->type_name("REGEX")
      ->join('|');
  app.add_option(
         "--report", options->report,
         "write the report there, not to standard error: as Markdown to .md, as a page to .html")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--json", options->json,
                 "write everything as JSON ('-': standard output; the program's own then goes to "
                 "standard error)")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--sarif", options->sarif,
                 "write findings, and advice as notes, as SARIF 2.1.0, for code hosts")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--html", options->html,
                 "write a page to look at: all kernels, their source and drawings in one file")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--trace", options->trace,
                 "write a timeline for Perfetto and chrome://tracing: launches by stream, "
                 "copies and waits, predicted or measured times")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--csv", options->csv,
                 "write a table for programs: one row a launch ('-': standard output, as --json)")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_option("--error-exitcode", options->error_exit_code,
                 "exit code where there is a finding (0: the program's own)")
      ->check(whole_number(0, 255))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--image", options->executor.image,
                 "PTX to run of several in the program, as sm_80")
      ->check(not_empty())
      ->type_name("NAME");
  app.add_option("--engine", options->executor.engine,
                 "what of a kernel runs: its machine code, as ptxas makes it (default where it can "
                 "run), or its ptx")
      ->check(one_of({"machine", "ptx"}))
      ->type_name("NAME");
  app.add_flag("--source", options->executor.source,
               "with --kernel: what each machine instruction executed and warps waited for, by "
               "source line");
  app.add_flag_callback(
      "--no-model", [options] { options->executor.model = false; },
      "predict no times, give no advice: count only");
  app.add_option(
         "--events", options->executor.events,
         "what the program's events count of a launch: its largest floor (floors, default), "
         "or its predicted time")
      ->check(one_of({"floors", "predicted"}))
      ->type_name("NAME");
  app.add_option_function<std::string>(
         "--timing-loops",
         [options](const std::string& word) {
           options->executor.cut_timing_loops = word == "once";
         },
         "loops by which Triton and Inductor time a kernel: run it once, and answer its predicted "
         "time (once, default), or repeat it as they are written")
      ->check(one_of({"once", "as-written"}))
      ->type_name("NAME");
  app.add_option("--repeated", options->executor.repeated,
                 "launches that would do again what one before did, with the same arguments on the "
                 "same memory: take them from it (skip, default), or run them too")
      ->check(one_of({"skip", "run"}))
      ->type_name("NAME");
  add_device_options(app, options->executor);
  app.add_option(
         "--threads", options->executor.threads,
         "host threads that run a kernel and predict its time (0: as many as this machine has)")
      ->check(whole_number(0, 1024))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--gpu", options->gpu,
                 "run on this real GPU (0, 1, …) and time every kernel there")
      ->check(whole_number(0, 1023))
      ->type_name("N");
  app.add_option("--counters", options->counters,
                 "with --gpu: floors from what --json wrote of a run on the emulator")
      ->check(not_empty())
      ->type_name("FILE");
  app.callback([&app, options, &line] {
    options->machine_given = app.count("--machine") > 0;
    for (const char* name : {"--image", "--engine", "--source", "--no-model", "--events",
                             "--timing-loops", "--repeated", "--simulated-devices", "--scheduling",
                             "--hang-after", "--threads", "--error-exitcode", "--sarif"})
      if (app.count(name) > 0) options->executor_option = name;
    if (!options->executor.model && options->executor.events == "predicted")
      throw Error{"--events predicted", "--no-model predicts no times", "leave one of them out"};
    if (options->executor.scheduling == "lockstep" && options->executor.events == "predicted")
      throw Error{"--events predicted", "no times are predicted of lockstep scheduling",
                  "leave one of them out"};
    if (!options->gpu && !options->counters.empty())
      throw Error{"--counters " + options->counters, "is for a run on a GPU", "add --gpu 0"};
    line.end = options->gpu ? run_on_gpu(*options, line.program) : run(*options, line.program);
  });
}

}  // namespace headroom
