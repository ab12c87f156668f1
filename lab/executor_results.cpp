#include "lab/executor_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <regex>

#include "base/error.h"
#include "base/read_file.h"
#include "lab/gpu_runs.h"
#include "run/on_executor.h"
#include "run/record_folder.h"
#include "run/signals.h"

namespace headroom {
namespace {

// "256x{128 SMs}x512" -> "256x16896x512"
std::string filled(std::string argument, const Machine& machine) {
  static const std::regex multiple(R"(\{(\d+) SMs\})");
  for (std::smatch found; std::regex_search(argument, found, multiple);)
    argument = fmt::format("{}{}{}", found.prefix().str(),
                           std::stoul(found[1]) * size_t(machine.sm_count.value_or(1)),
                           found.suffix().str());
  return argument;
}

std::optional<Results> printed_by(const ExecutorRun& run, std::vector<Caveat>& caveats) {
  const std::string program = Programs().find(run.study);
  if (program.empty()) {
    const Caveat missing = missing_study(run.study);
    const auto is_told = [&](const Caveat& each) { return each.what == missing.what; };
    if (std::ranges::none_of(caveats, is_told)) caveats.push_back(missing);
    return std::nullopt;
  }
  const std::string what = fmt::format("{} on the emulator as {}", run.study, run.machine);
  tell(what);
  const RecordFolder folder;
  const std::string json = folder.prefix() + ".json";
  std::string problem;
  try {
    const Machine machine = load_machine(run.machine);
    const ExecutorOptions options{
        .machine = run.machine, .times_alone = true, .events = "predicted"};
    check_for_executor(program, options, machine.cc());
    std::vector<std::string> command{program};
    for (const std::string& argument : run.arguments) command.push_back(filled(argument, machine));
    command.insert(command.end(), {"--json", json});
    const ProcessEnd end = on_executor({program, command, Output::read_both}, options).end;
    if (end.exit_code == 0) {
      Results results;
      results.study = run.study;
      results.rows = study_rows(read_file(json).value_or(""), {});
      return results;
    }
    problem = end.output;
  } catch (const Error& error) {
    problem = error.problem;
  }
  caveats.push_back({what + " failed", last_line(problem), "run it alone: its message says more"});
  return std::nullopt;
}

}  // namespace

RowsOf run_on_executor(const std::vector<PublishedStudy>& studies, const Machine& asked,
                       const std::string& machine, std::vector<Caveat>& caveats) {
  using Place = std::tuple<std::string, std::string, std::vector<std::string>>;
  const auto known = std::make_shared<std::map<Place, Results>>();
  for (ExecutorRun run : executor_runs(studies, asked)) {
    if (stop_signal()) break;
    const Place place{run.study, run.machine, run.arguments};
    if (run.machine == asked.name) run.machine = machine;  // the path of a file of one's own
    if (auto found = printed_by(run, caveats)) known->emplace(place, std::move(*found));
  }
  return [known](const std::string& name, const PredictBy& by) -> const Results* {
    const auto found = known->find({by.from->study, name, by.arguments});
    return found == known->end() ? nullptr : &found->second;
  };
}

}  // namespace headroom
