#include "lab/executor_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <regex>

#include "base/error.h"
#include "base/read_file.h"
#include "lab/gpu_runs.h"
#include "model/explanation.h"
#include "report/format.h"
#include "run/on_executor.h"
#include "run/record_folder.h"
#include "run/signals.h"

namespace headroom {
namespace {

struct Answer {
  std::map<std::string, double> floors;  // by kernel
  Results rows;
};

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

// "256x{128 SMs}x512" -> "256x16896x512"
std::string filled(std::string argument, const Machine& machine) {
  static const std::regex multiple(R"(\{(\d+) SMs\})");
  for (std::smatch found; std::regex_search(argument, found, multiple);)
    argument = fmt::format("{}{}{}", found.prefix().str(),
                           std::stoul(found[1]) * size_t(machine.sm_count.value_or(1)),
                           found.suffix().str());
  return argument;
}

// One that needs only floors is not kept waiting for predictions.
std::optional<Answer> answer(const ExecutorRun& run, std::vector<Caveat>& caveats) {
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
  std::vector<std::string> command{program};
  std::string problem;
  try {
    const Machine machine = load_machine(run.machine);
    for (const std::string& argument : run.arguments) command.push_back(filled(argument, machine));
    if (run.times) command.insert(command.end(), {"--json", json});
    const ExecutorOptions options{.machine = run.machine,
                                  .model = run.times,
                                  .times_alone = true,
                                  .events = run.times ? "predicted" : "floors"};
    check_for_executor(program, options, machine.cc());
    const Records records = on_executor({program, command, Output::read_both}, options);
    if (records.end.exit_code == 0) {
      Answer made{floors_of(machine, records.counted), {}};
      made.rows.study = run.study;
      if (run.times) made.rows.rows = study_rows(read_file(json).value_or(""), {});
      return made;
    }
    problem = records.end.output;
  } catch (const Error& error) {
    problem = error.problem;
  }
  caveats.push_back({what + " failed", last_line(problem), "run it alone: its message says more"});
  return std::nullopt;
}

}  // namespace

OnExecutor run_on_executor(const std::vector<PublishedStudy>& studies, const Machine& asked,
                           const std::string& machine, std::vector<Caveat>& caveats) {
  using Place = std::tuple<std::string, std::vector<std::string>, bool>;
  const auto known = std::make_shared<std::map<Place, Answer>>();
  for (ExecutorRun run : executor_runs(studies, asked)) {
    if (stop_signal()) break;
    const Place place{run.machine, run.arguments, run.times};
    if (run.machine == asked.name) run.machine = machine;  // the path of a file of one's own
    if (auto found = answer(run, caveats)) known->emplace(place, std::move(*found));
  }
  const auto find = [known](const std::string& name, const PredictBy& by) -> const Answer* {
    const auto found = known->find({name, by.arguments, wants_times(by)});
    return found == known->end() ? nullptr : &found->second;
  };
  return {[find](const std::string& name, const PredictBy& by,
                 const std::string& kernel) -> std::optional<double> {
            const Answer* found = find(name, by);
            if (!found || !found->floors.contains(kernel)) return std::nullopt;
            return found->floors.at(kernel);
          },
          [find](const std::string& name, const PredictBy& by) -> const Results* {
            const Answer* found = find(name, by);
            return found ? &found->rows : nullptr;
          }};
}

}  // namespace headroom
