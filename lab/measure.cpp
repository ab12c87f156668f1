// headroom-lab measure: everything that is measured on a GPU, step by step, into results/<gpu>/<step>.json.
//
//   $ headroom-lab measure copy sgemm machine
//   NVIDIA H200, driver 580.159.04, 64 s
//
//   step             result     rows  seconds
//   copy             done         61     21.3  results/h200/copy.json
//   sgemm            kept         14        –  results/h200/sgemm.json
//   machine          left out      –        –  no program 'headroom' in bin: build it, or give --bin
#include "lab/measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "cli/values.h"
#include "lab/choice.h"
#include "lab/measurement.h"
#include "machine/names.h"
#include "run/signals.h"

namespace headroom {
namespace {

struct MeasureOptions {
  std::vector<std::string> names;
  std::string gpu = "0", bin, kept = "build/measure", results = "results";
  std::optional<double> limit;
  bool fresh = false, list = false;
};

std::vector<Step> chosen(const MeasureOptions& options) {
  std::vector<Step> found;
  for (const std::string& name : options.names)
    if (!std::ranges::count(steps(), name, &Step::name))
      throw Error{"measure", fmt::format("no step '{}'", name),
                  "'headroom-lab measure --list' names them"};
  for (const Step& step : steps())
    if (options.names.empty() ? step.is_usual || options.list
                              : std::ranges::count(options.names, step.name) > 0)
      found.push_back(step);
  return found;
}

void list(const std::vector<Step>& steps) {
  for (const Step& step : steps)
    fmt::print("{:<17}{:>4} s  {}{}\n", step.name, step.seconds,
               step.command.empty() ? "the runs of studies/" + step.name
                                    : fmt::format("{}", fmt::join(step.command, " ")),
               step.is_usual ? "" : "; only when named");
}

std::string line(const std::string& step, const StepEnd& end) {
  return fmt::format("{:<17}{:<11}{:>4}{:>9}  {}\n", step, end.result,
                     end.rows ? std::to_string(*end.rows) : "–",
                     end.seconds ? fmt::format("{:.1f}", *end.seconds) : "–", end.remark);
}

// Exit code 0: everything asked for is there, or cannot be done here; 1: a step failed.
ProgramEnd measure(const MeasureOptions& options) {
  const std::vector<Step> wanted = chosen(options);
  if (options.list) {
    list(wanted);
    return {};
  }
  if (gpus_here().empty())
    throw Error{"measure", "nvidia-smi finds no GPU here",
                "run this on a machine with one; results/ has what was measured", 127};
  const Gpu gpu = *choose_gpu(options.gpu);
  const std::filesystem::path folder = name_for_gpu(gpu.name);
  const Measurement measurement{gpu,
                                {options.bin},
                                std::filesystem::absolute(options.kept) / folder,
                                std::filesystem::absolute(options.results) / folder,
                                options.limit};
  if (options.fresh) std::filesystem::remove_all(measurement.kept);
  std::filesystem::create_directories(measurement.kept);

  const SignalWatch watch(OnSignal::stop);
  see_only(gpu);
  const auto began = std::chrono::steady_clock::now();
  std::string table;
  bool failed = false;
  for (const Step& step : wanted) {
    if (stop_signal()) break;
    const StepEnd end = measurement.done(step);
    failed |= end.result == "FAILED";
    table += line(step.name, end);
  }
  fmt::print("{}, driver {}, {:.0f} s\n\nstep             result     rows  seconds\n{}", gpu.name,
             gpu.driver,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
             table);
  if (stop_signal()) {
    fmt::print(stderr, "headroom: interrupted; what is done is kept: call it again\n");
    return {.signal = stop_signal()};
  }
  return {.exit_code = failed ? 1 : 0};
}

}  // namespace

void add_measure_steps(CLI::App& app, CommandLine& line) {
  auto options = std::make_shared<MeasureOptions>();
  app.add_option("STEP", options->names, "these steps (default: all but those that --list marks)")
      ->type_name("");
  app.add_flag("--list", options->list, "the steps there are, with their limits");
  app.add_option("--bin", options->bin, "folder of the programs (default: where headroom-lab is)")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory);
  app.add_option("--gpu", options->gpu, "GPU to measure on, as nvidia-smi counts")
      ->check(whole_number(0, 63))
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--fresh", options->fresh, "forget what is kept");
  app.add_option("--limit", options->limit, "seconds a step may take, in place of its own limit")
      ->type_name("S")
      ->check(number_from(0.001, 1e6));
  app.add_option("--kept", options->kept, "where steps are kept until all are done")
      ->check(not_empty())
      ->type_name("FOLDER")
      ->capture_default_str();
  app.add_option("--results", options->results, "where <gpu>/<step>.json go")
      ->check(not_empty())
      ->type_name("FOLDER")
      ->capture_default_str();
  app.callback([options, &line] { line.end = measure(*options); });
}

}  // namespace headroom
