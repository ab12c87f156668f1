#include "lab/runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/read_file.h"
#include "machine/measured.h"
#include "machine/names.h"
#include "model/explanation.h"
#include "report/format.h"
#include "run/on_executor.h"
#include "run/record_folder.h"
#include "run/signals.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

std::string beside_us(const std::string& name) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  std::error_code ignored;
  return std::filesystem::exists(program, ignored) ? program.string() : "";
}

Caveat missing(const std::string& study) {
  return {fmt::format("the study {} was not run", study),
          fmt::format("no program '{}' lies beside headroom", study),
          "run it from a build of headroom's sources: studies are not installed"};
}

Caveat failed(const std::string& what, std::string last) {
  while (last.ends_with('\n')) last.pop_back();
  if (const size_t line = last.rfind('\n'); line != last.npos) last.erase(0, line + 1);
  return {what + " failed", last, "run it alone: its message says more"};
}

void progress(const std::string& what) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "headroom: {} …\n", what);
}

// "tile_kernel" for "void ns::tile_kernel<true>(Problem)".
std::string template_name(const std::string& kernel) {
  const std::string name = text::bare_name(kernel);
  return name.substr(0, name.find('<'));
}

// By kernel ("naive_kernel") the least time of its first launch that rests on no estimate.
std::map<std::string, double> floors_of(const Machine& machine,
                                        const std::vector<Record>& records) {
  std::map<std::string, double> floors;
  for (const ExplainedLaunch& launch : explain_launches(machine, records))
    if (launch.bounds->certain_limiter >= 0)
      floors.emplace(template_name(launch.record.name), launch.bounds->certain_seconds);
  return floors;
}

std::optional<std::map<std::string, double>> run_on_executor(const ExecutorRun& run,
                                                             std::vector<Caveat>& caveats) {
  const std::string program = beside_us(run.study);
  if (program.empty()) {
    caveats.push_back(missing(run.study));
    return std::nullopt;
  }
  const std::string what = fmt::format("{} on the emulator as {}", run.study, run.machine);
  progress(what);
  std::vector<std::string> command{program};
  command.insert(command.end(), run.arguments.begin(), run.arguments.end());
  std::string problem;
  try {
    check_for_executor(program, "");
    const Records records =
        on_executor({program, command, Output::read_both}, {.machine = run.machine});
    if (records.end.exit_code == 0) return floors_of(load_machine(run.machine), records.counted);
    problem = records.end.output;
  } catch (const Error& error) {
    problem = error.what();
  }
  caveats.push_back(failed(what, problem));
  return std::nullopt;
}

std::string today() {
  const time_t now = time(nullptr);
  char text[16];
  strftime(text, sizeof text, "%Y-%m-%d", gmtime(&now));
  return text;
}

// The programs' toolkit and flags, where their build left them.
void note_build(Results& results) {
  const std::string path = beside_us("built_with.json");
  if (path.empty()) return;
  const Json facts = Json::parse(read_file(path).value_or(""), nullptr, false);
  if (!facts.is_object()) return;
  results.toolkit = facts.value("toolkit", "");
  results.flags = facts.value("flags", "");
}

bool measure(const PublishedStudy& study, const StudyRun& run, const std::string& program,
             Results& results, std::vector<Caveat>& caveats) {
  const RecordFolder folder;
  const std::string json = folder.prefix() + ".json";
  const std::string shown = fmt::format("{} {}", study.name, fmt::join(run.arguments, " "));
  progress(shown);
  std::vector<std::string> command{program};
  command.insert(command.end(), run.arguments.begin(), run.arguments.end());
  command.insert(command.end(), {"--json", json});
  results.commands.push_back(shown);
  ProcessEnd end;
  try {
    end = run_process({program, command, our_environment(), Output::read_both});
  } catch (const Error& error) {
    caveats.push_back(failed(shown, error.what()));
    return false;
  }
  // 1: a result is wrong. Its rows say which; the right ones stay.
  const bool wrote = end.exit_code <= 1 && std::filesystem::exists(json);
  if (end.exit_code != 0) caveats.push_back(failed(shown, end.output));
  if (!wrote) return false;
  const std::vector<Key> rows = study_rows(read_file(json).value_or(""), run.columns);
  results.rows.insert(results.rows.end(), rows.begin(), rows.end());
  return true;
}

}  // namespace

std::vector<Key> study_rows(const std::string& text, const Key& columns) {
  std::vector<Key> rows;
  const Json json = Json::parse(text);
  for (const Json& row : json.at("rows")) {
    Key& cells = rows.emplace_back(key_of(row));
    cells.insert(cells.end(), columns.begin(), columns.end());
  }
  return rows;
}

FloorOf floors_on_executor(const std::vector<PublishedStudy>& studies, const Machine& asked,
                           const std::string& machine, std::vector<Caveat>& caveats) {
  std::map<std::pair<std::string, std::vector<std::string>>, std::map<std::string, double>> known;
  for (ExecutorRun run : executor_runs(studies, asked)) {
    if (stop_signal()) break;
    const auto place = std::pair(run.machine, run.arguments);
    if (run.machine == asked.name) run.machine = machine;  // the path of a file of one's own
    if (const auto floors = run_on_executor(run, caveats)) known[place] = *floors;
  }
  return [known](const std::string& name, const PredictBy& by,
                 const std::string& kernel) -> std::optional<double> {
    const auto found = known.find({name, by.arguments});
    if (found == known.end() || !found->second.contains(kernel)) return std::nullopt;
    return found->second.at(kernel);
  };
}

std::vector<Results> measure_studies(const std::vector<PublishedStudy>& studies, const Gpu& gpu,
                                     std::vector<Caveat>& caveats) {
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);  // nvidia-smi counts in that order
  setenv("CUDA_VISIBLE_DEVICES", std::to_string(gpu.index).c_str(), 1);
  std::vector<Results> all;
  for (const PublishedStudy& study : studies) {
    if (stop_signal()) break;
    if (study.runs.empty()) continue;
    const std::string program = beside_us(study.name);
    if (program.empty()) {
      caveats.push_back(missing(study.name));
      continue;
    }
    Results results;
    results.study = study.name;
    results.title = study.about;
    results.gpu = gpu.name;
    results.machine = name_for_gpu(gpu.name);
    results.driver = gpu.driver;
    results.date = today();
    note_build(results);
    results.from = "measured now";
    ClockWatch watch(gpu.index);
    bool any = false;
    for (const StudyRun& run : study.runs)
      if (!stop_signal()) any |= measure(study, run, program, results, caveats);
    results.clocks = watch.clocks();
    if (any && !stop_signal()) all.push_back(std::move(results));
  }
  return all;
}

}  // namespace headroom
