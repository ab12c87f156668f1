#include "cli/run_gpu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/draw_report.h"
#include "cli/kernel_pattern.h"
#include "cli/output_file.h"
#include "gpu/cupti_places.h"
#include "gpu/driver.h"
#include "kernel/program.h"
#include "model/measured_explanation.h"
#include "report/csv.h"
#include "report/gpu_document.h"
#include "report/gpu_json.h"
#include "report/html.h"
#include "report/read_run.h"
#include "report/trace.h"
#include "run/on_gpu.h"
#include "run/standard_streams.h"

namespace headroom {

namespace {

// All that is known before the program starts.
struct Plan {
  std::string program;
  std::optional<Machine> given;       // --machine
  std::optional<CountedRun> counted;  // --counters
  Driver driver;
  std::string cupti;
};

void check_options(const RunOptions& options, const std::vector<std::string>& command) {
  if (const auto& name = options.executor_option; !name.empty())
    throw Error{name, "is about the emulator, and --gpu runs on a real GPU",
                "leave one of the two out"};
  if (command.empty())
    throw Error{"run", "no program to run", "write it after '--': headroom run --gpu 0 -- ./saxpy"};
  if (const char* other = getenv("CUDA_INJECTION64_PATH"); other && *other)
    throw Error{"--gpu",
                fmt::format("another profiler is to be loaded into the program: "
                            "CUDA_INJECTION64_PATH is {}",
                            other),
                "run without Nsight or unset CUDA_INJECTION64_PATH: CUDA takes one at a time"};
}

Plan plan(const RunOptions& options, const std::vector<std::string>& command) {
  Plan plan;
  plan.program = find_program(command[0]);
  if (const auto refused = refusal_to_start(look_at_program(plan.program))) throw *refused;
  if (options.machine_given) plan.given = load_machine(options.executor.machine);
  if (!options.counters.empty())
    plan.counted = counted_by(read_run(options.counters, "--counters " + options.counters));
  plan.driver = look_at_driver(*options.gpu);
  plan.cupti = find_cupti(plan.program, plan.driver.major());
  return plan;
}

// The program has run, and there is nothing to report: our failure, unless it failed itself.
ProgramEnd without_report(ProgramEnd end, const Error& error) {
  complain(error.what());
  if (end.exit_code == 0) end.exit_code = error.exit_code;
  return end;
}

bool has_activities(const TimingRecord& record) {
  return !record.launches.empty() || !record.copies.empty();
}

}  // namespace

ProgramEnd run_on_gpu(const RunOptions& options, const std::vector<std::string>& command) {
  check_options(options, command);
  const std::vector<Destination> written = destinations(options);
  refuse_one_place(written);
  const KernelPattern pattern(options.kernel);
  const Plan plan = headroom::plan(options, command);
  refuse_program(plan.program, written);
  OutputFile report_file(options.report, "--report", stderr), json_file(options.json, "--json"),
      html_file(options.html, "--html"), trace_file(options.trace, "--trace"),
      csv_file(options.csv, "--csv");
  // From here on nothing that the user typed can be wrong.

  const Records run = on_gpu({plan.program, command, program_output(options)},
                             {.gpu = *options.gpu, .cupti = plan.cupti});
  const ProgramEnd end = run.end;
  const std::vector<TimingRecord>& records = run.measured;
  if (records.empty())
    return without_report(end, {command[0], "the program made no CUDA call",
                                "is it the right program, and did it find the GPU?"});
  if (std::ranges::none_of(records, has_activities))
    for (const TimingRecord& record : records)
      if (record.problem) return without_report(end, *record.problem);

  const MeasuredExplanation report =
      explain_measured({command, end, plan.driver.devices.at(size_t(*options.gpu)),
                        plan.driver.version, plan.given, plan.counted, options.counters},
                       records);
  const Document document =
      pattern.given() ? gpu_launches_document(report, pattern.matches(report), options.kernel)
                      : gpu_document(report);
  write_all({{json_file, options.json.empty() ? "" : gpu_json(report)},
             {html_file, options.html.empty() ? "" : draw_html(document)},
             {trace_file, options.trace.empty() ? "" : gpu_trace(report)},
             {csv_file, options.csv.empty() ? "" : gpu_csv(report)},
             {report_file, draw_report(document, options.report, STDERR_FILENO)}},
            end);
  return end;
}

}  // namespace headroom
