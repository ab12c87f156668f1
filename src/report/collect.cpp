// Brings launches together; the numbers themselves come from the record and the model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "report/format.h"
#include "report/run_report.h"

namespace headroom {

namespace {

void add(Counters& sum, const Counters& more) {
  for (const CounterField& field : counter_fields()) sum.*field.value += more.*field.value;
}

std::vector<KernelGroup> group(const std::vector<ExplainedLaunch>& launches) {
  std::vector<KernelGroup> groups;
  std::map<LaunchShape, size_t> known;
  for (size_t i = 0; i < launches.size(); ++i) {
    const auto [place, is_new] = known.try_emplace(launches[i].record.shape, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].launches.push_back(i);
  }
  return groups;
}

std::string limiter_of(const Bounds& bounds) {
  return bounds.limiter < 0 ? "" : bounds.floors[bounds.limiter].resource;
}

void sum_up(KernelGroup& group, const std::vector<ExplainedLaunch>& launches) {
  std::optional<size_t> worst;
  std::map<std::string, double> share;
  std::set<std::string> estimates;
  for (size_t i : group.launches) {
    const Bounds& bounds = launches[i].bounds;
    add(group.counters, launches[i].record.counters);
    if (!launches[i].record.completed()) continue;
    group.total_seconds += bounds.seconds;
    group.total_estimated |= estimated(bounds);
    share[limiter_of(bounds)] += bounds.seconds;
    if (estimated(bounds)) estimates.insert(limiter_of(bounds));
    if (!worst || bounds.seconds > launches[*worst].bounds.seconds) worst = i;
  }
  group.worst = worst.value_or(group.launches.front());
  if (worst) {
    group.floor_seconds = launches[*worst].bounds.seconds;
    group.floor_estimated = estimated(launches[*worst].bounds);
    group.limiter = std::max_element(share.begin(), share.end(), [](auto& a, auto& b) {
                      return a.second < b.second;
                    })->first;
    group.limiter_estimated = estimates.contains(group.limiter);
  }
  const Counters& c = group.counters;
  group.global_load = {c.global_load_requests, c.global_load_sectors, c.global_load_bytes};
  group.global_store = {c.global_store_requests, c.global_store_sectors, c.global_store_bytes};
  group.local_load = {c.local_load_requests, c.local_load_sectors, {}};
  group.local_store = {c.local_store_requests, c.local_store_sectors, {}};
  group.atomic = {c.atomic_requests, c.atomic_sectors, {}};
  group.shared_load = {c.shared_load_instructions, c.shared_load_wavefronts,
                       c.shared_load_conflicts};
  group.shared_store = {c.shared_store_instructions, c.shared_store_wavefronts,
                        c.shared_store_conflicts};
}

std::vector<Transfer> add_up(const std::vector<Record>& records) {
  std::vector<Transfer> sums;
  for (const Record& record : records)
    for (const Transfer& transfer : record.transfers) {
      auto same = std::find_if(sums.begin(), sums.end(), [&](const Transfer& t) {
        return t.direction == transfer.direction;
      });
      if (same == sums.end()) same = sums.insert(sums.end(), Transfer{transfer.direction});
      same->calls += transfer.calls;
      same->bytes += transfer.bytes;
    }
  return sums;
}

// What is doubtful about the run as a whole.
std::vector<Caveat> doubts(const RunReport& report) {
  std::vector<Caveat> result;
  if (!report.unsupported_calls.empty())
    result.push_back(
        {fmt::format("the program called {}", fmt::join(report.unsupported_calls, ", ")),
         "headroom does not have it, the call returned cudaErrorNotSupported", ""});
  if (report.event_times > 0)
    result.push_back({fmt::format("the program read {}",
                                  text::counted(report.event_times, "event time", "event times")),
                      "they are sums of the launches' floors, no measurements", ""});
  if (report.incomplete)
    result.push_back({"launches are missing: the record could not be written to its end",
                      "the folder of temporary files is full", "set TMPDIR to one with room"});
  if (report.cut_off && !report.end.signal)
    result.push_back(
        {"the program left without the runtime noticing, its last transfers are not counted",
         "_exit(), exec() or a process killed from outside", ""});
  return result;
}

bool same(const Caveat& a, const Caveat& b) {
  return std::tie(a.what, a.cause, a.advice) == std::tie(b.what, b.cause, b.advice);
}

// The same doubt about several kernels once, with all of them.
void merge(std::vector<RunCaveat>& caveats, const Caveat& caveat, const std::string& kernel) {
  auto known = std::ranges::find_if(caveats, [&](auto& each) { return same(each, caveat); });
  if (known == caveats.end()) known = caveats.insert(known, RunCaveat{caveat, {}});
  if (std::ranges::find(known->kernels, kernel) == known->kernels.end())
    known->kernels.push_back(kernel);
}

}  // namespace

std::string state_word(State state) {
  switch (state) {
    case State::not_executed:
    case State::refused: return "not run";
    case State::stopped: return "stopped";
    case State::ran:
    case State::measured: break;
  }
  return "";
}

std::vector<Caveat> caveats_of(const ExplainedLaunch& launch) {
  std::vector<const std::vector<Caveat>*> sources{
      &launch.record.caveats, &launch.record.resources.caveats, &launch.occupancy.caveats};
  if (launch.record.completed()) sources.push_back(&launch.bounds.caveats);
  std::vector<Caveat> result;
  for (const auto* source : sources)
    for (const Caveat& caveat : *source)
      if (std::ranges::none_of(result, [&](auto& each) { return same(each, caveat); }))
        result.push_back(caveat);
  return result;
}

RunReport collect(std::vector<std::string> command, ProgramEnd end, Machine machine,
                  const std::vector<Record>& records, std::vector<ExplainedLaunch> launches) {
  RunReport report{.command = std::move(command), .end = end, .machine = std::move(machine)};
  report.launches = std::move(launches);
  report.used_cuda = !records.empty();
  report.transfers = add_up(records);
  std::set<std::string> unsupported;
  for (const Record& record : records) {
    unsupported.insert(record.unsupported_calls.begin(), record.unsupported_calls.end());
    report.cut_off |= !record.ended && !record.incomplete;
    report.incomplete |= record.incomplete;
    report.event_times += record.event_times;
  }
  report.unsupported_calls.assign(unsupported.begin(), unsupported.end());
  for (const ExplainedLaunch& launch : report.launches) {
    const LaunchRecord& record = launch.record;
    report.stopped += record.state == State::stopped;
    report.not_run += record.state == State::not_executed || record.state == State::refused;
    if (record.completed()) {
      report.total_seconds += launch.bounds.seconds;
      report.total_estimated |= estimated(launch.bounds);
    }
    report.executor_seconds += record.seconds;
    add(report.counters, record.counters);
    report.findings.insert(report.findings.end(), record.findings.begin(), record.findings.end());
    for (const Caveat& caveat : caveats_of(launch)) merge(report.caveats, caveat, record.name);
  }
  for (const Caveat& doubt : doubts(report)) report.caveats.push_back({doubt, {}});
  report.kernels = group(report.launches);
  for (KernelGroup& each : report.kernels) sum_up(each, report.launches);
  std::set<std::string> names;
  for (const ExplainedLaunch& launch : report.launches) names.insert(launch.record.shape.kernel);
  report.kernel_names = names.size();
  return report;
}

}  // namespace headroom
