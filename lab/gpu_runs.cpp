#include "lab/gpu_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/read_file.h"
#include "machine/names.h"
#include "run/process.h"
#include "run/record_folder.h"
#include "run/signals.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

std::string today() {
  const time_t now = time(nullptr);
  char text[16];
  strftime(text, sizeof text, "%Y-%m-%d", gmtime(&now));
  return text;
}

std::string problem_of(const ProcessEnd& end) {
  if (end.too_long) return "ran past its limit";
  if (end.stopped_by) return "interrupted";
  return end.exit_code == 0 ? "" : fmt::format("exit code {}", end.exit_code);
}

}  // namespace

std::string Programs::place() const {
  return folder.empty() ? std::filesystem::read_symlink("/proc/self/exe").parent_path().string()
                        : std::filesystem::absolute(folder).lexically_normal().string();
}

std::string Programs::find(const std::string& name) const {
  const auto program = std::filesystem::path(place()) / name;
  std::error_code ignored;
  return std::filesystem::exists(program, ignored) ? program.string() : "";
}

std::string last_line(std::string printed) {
  while (printed.ends_with('\n')) printed.pop_back();
  if (const size_t line = printed.rfind('\n'); line != printed.npos) printed.erase(0, line + 1);
  return printed;
}

Caveat missing_study(const std::string& study) {
  return {fmt::format("the study {} was not run", study),
          fmt::format("no program '{}' lies beside headroom", study),
          "run it from a build of headroom's sources: studies are not installed"};
}

void tell(const std::string& what) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "headroom: {} …\n", what);
}

StudyEnd run_study(const std::string& name, const StudyRun& run, const std::string& program,
                   double limit) {
  const RecordFolder folder;
  const std::string json = folder.prefix() + ".json";
  StudyEnd study{fmt::format("{} {}", name, fmt::join(run.arguments, " ")), "", "", 0, ""};
  tell(study.command);
  std::vector<std::string> command{program};
  command.insert(command.end(), run.arguments.begin(), run.arguments.end());
  command.insert(command.end(), {"--json", json});
  try {
    const ProcessEnd end =
        run_process({program, command, our_environment(), Output::read_both}, {.limit = limit});
    study.printed = end.output;
    study.exit_code = end.exit_code;
    study.problem = problem_of(end);
  } catch (const Error& error) {
    study.exit_code = error.exit_code;
    study.problem = error.what();
  }
  study.json = read_file(json).value_or("");
  return study;
}

std::vector<Key> study_rows(const std::string& text, const Key& columns) {
  std::vector<Key> rows;
  const Json json = Json::parse(text);
  for (const Json& row : json.at("rows")) {
    Key& cells = rows.emplace_back(key_of(row));
    cells.insert(cells.end(), columns.begin(), columns.end());
  }
  return rows;
}

void see_only(const Gpu& gpu) {
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);  // nvidia-smi counts in that order
  setenv("CUDA_VISIBLE_DEVICES", std::to_string(gpu.index).c_str(), 1);
  const char *path = getenv("LD_LIBRARY_PATH"), *toolkit = getenv("CUDA_HOME");
  const std::string libraries = (path && *path ? std::string(path) + ":" : "") +
                                (toolkit ? toolkit : "/usr/local/cuda") + "/lib64";
  setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
}

Results results_of(const std::string& study, const std::string& title, const Gpu& gpu,
                   const Programs& programs) {
  Results results;
  results.study = study;
  results.title = title;
  results.gpu = gpu.name;
  results.machine = name_for_gpu(gpu.name);
  results.driver = gpu.driver;
  results.date = today();
  results.from = "measured now";
  const Json built =
      Json::parse(read_file(programs.find("built_with.json")).value_or(""), nullptr, false);
  if (built.is_object()) {
    results.toolkit = built.value("toolkit", "");
    results.flags = built.value("flags", "");
  }
  return results;
}

std::vector<Results> measure_studies(const std::vector<PublishedStudy>& studies, const Gpu& gpu,
                                     std::vector<Caveat>& caveats) {
  see_only(gpu);
  const Programs beside_us;
  std::vector<Results> all;
  for (const PublishedStudy& study : studies) {
    if (stop_signal()) break;
    if (study.runs.empty()) continue;
    const std::string program = beside_us.find(study.name);
    if (program.empty()) {
      caveats.push_back(missing_study(study.name));
      continue;
    }
    Results results = results_of(study.name, study.about, gpu, beside_us);
    ClockWatch watch(gpu.index);
    bool any = false;
    for (const StudyRun& run : study.runs) {
      if (stop_signal()) break;
      const StudyEnd end = run_study(study.name, run, program);
      results.commands.push_back(end.command);
      if (!end.problem.empty())
        caveats.push_back({end.command + " failed",
                           end.printed.empty() ? end.problem : last_line(end.printed),
                           "run it alone: its message says more"});
      if (end.exit_code > 1 || end.json.empty()) continue;
      const std::vector<Key> rows = study_rows(end.json, run.columns);
      results.rows.insert(results.rows.end(), rows.begin(), rows.end());
      any = true;
    }
    results.clocks = watch.clocks();
    if (any && !stop_signal()) all.push_back(std::move(results));
  }
  return all;
}

}  // namespace headroom
