#include "lab/executor_floors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "lab/gpu_runs.h"
#include "model/explanation.h"
#include "report/format.h"
#include "run/on_executor.h"
#include "run/signals.h"

namespace headroom {
namespace {

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
  const std::string program = Programs().find(run.study);
  if (program.empty()) {
    const Caveat missing = missing_study(run.study);
    const auto is_told = [&](const Caveat& each) { return each.what == missing.what; };
    if (std::ranges::none_of(caveats, is_told)) caveats.push_back(missing);
    return std::nullopt;
  }
  const std::string what = fmt::format("{} on the emulator as {}", run.study, run.machine);
  tell(what);
  std::vector<std::string> command{program};
  command.insert(command.end(), run.arguments.begin(), run.arguments.end());
  std::string problem;
  try {
    const Machine machine = load_machine(run.machine);
    const ExecutorOptions options{.machine = run.machine};
    check_for_executor(program, options, machine.cc());
    const Records records = on_executor({program, command, Output::read_both}, options);
    if (records.end.exit_code == 0) return floors_of(machine, records.counted);
    problem = records.end.output;
  } catch (const Error& error) {
    problem = error.what();
  }
  caveats.push_back({what + " failed", last_line(problem), "run it alone: its message says more"});
  return std::nullopt;
}

}  // namespace

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

}  // namespace headroom
