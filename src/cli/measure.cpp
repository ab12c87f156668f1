// headroom machine measure: runs the probes on a GPU, one after the other, and keeps what they say.
//
//   $ headroom machine measure --only latency
//   NVIDIA H200, driver 580.95.05, CUDA 13.0.88: 1 of 1 probes measured, 31 values, …; h200.json
//
// The file is written after every probe. Stopped in between and started again, it goes on with
// those that are missing.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/read_file.h"
#include "cli/command.h"
#include "cli/output_file.h"
#include "cli/values.h"
#include "machine/measured.h"
#include "machine/names.h"
#include "run/clock_samples.h"
#include "run/environment.h"
#include "run/place.h"
#include "run/process.h"
#include "run/signals.h"

namespace headroom {
namespace {

struct MeasureOptions {
  int gpu = 0;
  std::vector<std::string> only;
  std::string out, probes;
  bool again = false;
  double limit = 180;
};

struct Device {
  std::string gpu, address, driver, toolkit;
};

constexpr const char* identity = "device";  // the probe that measures nothing

std::vector<std::string> names_of_probes(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
    if (entry.path().filename() != identity) names.push_back(entry.path().filename());
  if (failure) throw Error{folder, "no folder of probes: " + failure.message()};
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> chosen(const MeasureOptions& options, std::vector<std::string> there) {
  for (const std::string& name : options.only)
    if (std::ranges::find(there, name) == there.end())
      throw Error{"--only " + name, "no such probe",
                  fmt::format("one of: {}", fmt::join(there, ", "))};
  return options.only.empty() ? there : options.only;
}

Process probe(const std::string& folder, const std::string& name, int gpu) {
  const std::string path = folder + "/" + name;
  return {path, {path, "--gpu", std::to_string(gpu)}, probe_environment(), Output::read};
}

// Asked before anything else, so that a machine without a GPU gets one answer at once.
Device look_at_device(const std::string& folder, int gpu) {
  const ProcessEnd end = run_process(probe(folder, identity, gpu), {.limit = 60});
  std::istringstream lines(end.output);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("error"))
      throw Error{
          "machine measure",
          fmt::format("GPU {} cannot be used: {}", gpu, json.value("text", "unknown error")),
          "it needs an NVIDIA GPU and its driver; 'headroom machine show h200' shows what was "
          "measured on one"};
    if (json.is_object() && json.contains("device")) {
      const auto& device = json["device"];
      return {device.value("gpu", ""), device.value("address", ""), device.value("driver", ""),
              device.value("toolkit", "")};
    }
  }
  if (end.exit_code == 127)
    throw Error{"machine measure", "the probes do not start: libcudart.so.13 was not found",
                "pip install nvidia-cuda-runtime, or set CUDA_HOME to the folder of a toolkit"};
  throw Error{"machine measure", "the GPU could not be identified",
              fmt::format("look what '{}/{}' prints", folder, identity)};
}

std::string place_of(const MeasureOptions& options, const std::string& machine) {
  if (!options.out.empty()) return options.out;
  const std::string folder = "machines/measured";
  return (std::filesystem::is_directory(folder) ? folder + "/" : "") + machine + ".json";
}

Measured begin(const std::string& path, const Device& device) {
  const Measured fresh{name_for_gpu(device.gpu), device.gpu, device.driver, device.toolkit, {}};
  const std::string text = read_file(path).value_or("");
  if (text.empty()) return fresh;
  Measured before = parse_measured(text, path);
  if (before.gpu != fresh.gpu || before.driver != fresh.driver || before.toolkit != fresh.toolkit)
    throw Error{path,
                fmt::format("holds measurements of {}, driver {}, CUDA {}; here is {}, driver {}, "
                            "CUDA {}",
                            before.gpu, before.driver, before.toolkit, fresh.gpu, fresh.driver,
                            fresh.toolkit),
                "name another file with --out"};
  return before;
}

// Of a line as it comes: what is wrong with it is told when the probe has ended.
std::string shown(const nlohmann::json& line) {
  try {
    return fmt::format("{} {:.5g} {}", line.value("value", ""), line.value("median", 0.0),
                       line.value("unit", ""));
  } catch (const nlohmann::json::exception&) {
    return "";
  }
}

// One line that is written over, where a person looks on.
class Progress {
 public:
  void say(const std::string& text) const {
    if (shown_) fmt::print(stderr, "\r\033[K{}", text.substr(0, 100));
  }
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool shown_ = isatty(STDERR_FILENO);
};

ProbeResult result_of(const std::string& name, const ProcessEnd& end, const ClockSamples& clocks,
                      double limit) {
  ProbeResult result = read_probe(name, end.output);
  result.seconds = std::round(end.seconds * 10) / 10;
  result.date = fmt::format("{:%Y-%m-%dT%H:%MZ}", fmt::gmtime(std::time(nullptr)));
  result.sm_clock = clocks.sm();
  result.memory_clock = clocks.memory();
  if (end.too_long) result.error = fmt::format("it did not end within {:g} s", limit);
  if (!result.ended && result.error.empty())
    result.error = fmt::format("it ended early, with exit code {}", end.exit_code);
  if (end.exit_code != 0 && result.failed.empty() && result.error.empty())
    result.error = fmt::format("its exit code is {}", end.exit_code);
  return result;
}

void keep(Measured& measured, const ProbeResult& result) {
  std::erase_if(measured.probes, [&](const auto& each) { return each.name == result.name; });
  measured.probes.push_back(result);
  std::ranges::sort(measured.probes, {}, &ProbeResult::name);
}

ProgramEnd measure(const MeasureOptions& options) {
  const std::string folder = options.probes.empty() ? probe_folder() : options.probes;
  const std::vector<std::string> wanted = chosen(options, names_of_probes(folder));
  const Device device = look_at_device(folder, options.gpu);
  const std::string path = place_of(options, name_for_gpu(device.gpu));
  Measured measured = begin(path, device);
  (void)OutputFile(path, "--out");  // what hinders it hinders before the first probe

  const bool anew = options.again || !options.only.empty();
  std::vector<std::string> problems;
  size_t ran = 0, values = 0;
  ProgramEnd end;
  const SignalWatch watch(OnSignal::stop);
  for (const std::string& name : wanted) {
    if (!anew && measured.find(name)) continue;
    Progress progress;
    ClockSamples clocks(device.address);
    std::string last;
    const auto take = [&](const std::string& line) {
      const auto json = nlohmann::json::parse(line, nullptr, false);
      if (json.is_object() && json.contains("value")) last = shown(json);
    };
    const auto meanwhile = [&] {
      clocks.take();
      progress.say(fmt::format("[{}/{}] {}: {}",
                               std::ranges::find(wanted, name) - wanted.begin() + 1, wanted.size(),
                               name, last));
    };
    const ProcessEnd done =
        run_process(probe(folder, name, options.gpu),
                    {.limit = options.limit, .line = take, .meanwhile = meanwhile});
    if (done.stopped_by) {
      end.signal = done.stopped_by;
      break;
    }
    const ProbeResult result = result_of(name, done, clocks, options.limit);
    if (!result.error.empty()) {
      problems.push_back(fmt::format("{}: {}", name, result.error));
      continue;
    }
    for (const std::string& check : result.failed)
      problems.push_back(fmt::format("{}: the check of '{}' failed", name, check));
    if (!result.failed.empty()) continue;  // the time of a wrong result is none
    keep(measured, result);
    OutputFile(path, "--out").write(measured_json(measured));
    ++ran;
    values += result.values.size();
  }

  for (const std::string& problem : problems) fmt::print(stderr, "headroom: {}\n", problem);
  fmt::print(
      "{}, driver {}, CUDA {}: {} of {} probes measured, {} values{}{}; {}\n", measured.gpu,
      measured.driver, measured.toolkit, ran, wanted.size(), values,
      ran < wanted.size() && !anew && problems.empty() && !end.signal ? ", the others before" : "",
      end.signal         ? (anew ? ", stopped" : ", stopped: the same command goes on")
      : problems.empty() ? ", all checks passed"
                         : "",
      path);
  end.exit_code = problems.empty() ? 0 : 1;
  return end;
}

}  // namespace

void add_measure(CLI::App& app, CommandLine& line) {
  auto options = std::make_shared<MeasureOptions>();
  app.add_option("--gpu", options->gpu, "which GPU, as the driver counts them")
      ->check(whole_number(0, 63))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--only", options->only, "only this probe, measured anew; may be repeated")
      ->type_name("NAME");
  app.add_option("--out", options->out,
                 "where to keep what was measured (default: the GPU's name, in "
                 "machines/measured where that is)")
      ->check(not_empty())
      ->type_name("FILE");
  app.add_flag("--again", options->again, "measure anew what the file holds already");
  app.add_option("--limit", options->limit, "seconds that a probe may take")
      ->check(number_from(1, 86400))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--probes", options->probes, "a folder of other probes")
      ->check(not_empty())
      ->type_name("FOLDER");
  app.callback([options, &line] { line.end = measure(*options); });
}

}  // namespace headroom
