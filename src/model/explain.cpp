#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "model/explanation.h"
#include "model/quantity.h"

namespace headroom {

namespace {

void add(Counters& sum, const Counters& more) {
  for (const CounterField& field : counter_fields()) sum.*field.value += more.*field.value;
}

// Of one shape and as many registers: what an autotuner compiles several times has one name.
std::vector<KernelGroup> group(const std::vector<ExplainedLaunch>& launches) {
  std::vector<KernelGroup> groups;
  std::map<std::pair<LaunchShape, std::optional<int>>, size_t> known;
  for (size_t i = 0; i < launches.size(); ++i) {
    const LaunchRecord& record = launches[i].record;
    const auto [place, is_new] =
        known.try_emplace({record.shape, record.resources.registers}, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].launches.push_back(i);
  }
  return groups;
}

std::optional<Resource> limiter_of(const Bounds& bounds) {
  if (bounds.limiter < 0) return std::nullopt;
  return bounds.floors[bounds.limiter].resource;
}

// Of those that completed; nothing where one of them has none.
void sum_up_predicted(KernelGroup& group, const std::vector<ExplainedLaunch>& launches) {
  std::vector<double> each;
  for (const size_t i : group.launches) {
    const LaunchRecord& record = launches[i].record;
    if (!record.completed()) continue;
    if (!record.prediction) return;
    each.push_back(record.prediction->seconds);
  }
  if (each.empty()) return;
  group.predicted_seconds = std::accumulate(each.begin(), each.end(), 0.0);
  const auto [least, most] = std::ranges::minmax(each);
  group.least_predicted = least;
  group.most_predicted = most;
}

void sum_up(KernelGroup& group, const std::vector<ExplainedLaunch>& launches) {
  sum_up_predicted(group, launches);
  // By prediction, and by floor where all have the same or none.
  const auto length = [&](size_t i) {
    const double predicted = group.predicted_seconds ? launches[i].record.prediction->seconds : 0;
    return std::pair{predicted, launches[i].bounds->seconds};
  };
  std::optional<size_t> worst;
  std::map<std::optional<Resource>, double> share;
  std::set<std::optional<Resource>> estimates;
  for (size_t i : group.launches) {
    const Bounds& bounds = *launches[i].bounds;
    add(group.counters, launches[i].record.counters);
    if (!launches[i].record.completed()) continue;
    group.total_seconds += bounds.seconds;
    group.total_estimated |= estimated(bounds);
    share[limiter_of(bounds)] += bounds.seconds;
    if (estimated(bounds)) estimates.insert(limiter_of(bounds));
    if (!worst || length(i) > length(*worst)) worst = i;
  }
  group.worst = worst.value_or(group.launches.front());
  if (worst) {
    group.floor_seconds = launches[*worst].bounds->seconds;
    group.floor_estimated = estimated(*launches[*worst].bounds);
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
std::vector<Caveat> doubts(const Explanation& report) {
  std::vector<Caveat> result;
  if (!report.unsupported_calls.empty())
    result.push_back(
        {fmt::format("the program called {}", fmt::join(report.unsupported_calls, ", ")),
         "headroom does not have it, the call returned cudaErrorNotSupported", ""});
  if (report.event_times > 0)
    result.push_back({fmt::format("the program read {}",
                                  text::counted(report.event_times, "event time", "event times")),
                      report.predicted_events
                          ? "they are sums of the launches' predicted times, and of the floors of "
                            "those that have none; no measurements"
                          : "they are sums of the launches' floors, no measurements",
                      report.predicted_events || !report.predicted_seconds
                          ? ""
                          : "for predicted times: --events predicted"});
  if (report.timing_loops > 0)
    result.push_back(
        {fmt::format("{} of Triton or Inductor ran what it times once",
                     text::counted(report.timing_loops, "timing loop", "timing loops")),
         "it was answered with that run's predicted time, the floor where there is none, and 0.5 "
         "µs for the events; no measurement",
         "to repeat it: --timing-loops as-written"});
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

std::string without_figures(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return text;
}

bool differ_in_figures(const Caveat& a, const Caveat& b) {
  return without_figures(a.what) == without_figures(b.what) &&
         without_figures(a.cause) == without_figures(b.cause) &&
         without_figures(a.advice) == without_figures(b.advice);
}

// The same doubt about several kernels once, with all of them; and once where a kernel is launched
// with a thousand grids that each have figures of their own.
void merge(std::vector<RunCaveat>& caveats, const Caveat& caveat, const ExplainedLaunch& launch,
           size_t index) {
  const std::string& kernel = launch.record.name;
  const auto is_about = [&](const RunCaveat& each) {
    return std::ranges::find(each.kernels, kernel) != each.kernels.end();
  };
  auto known = std::ranges::find_if(caveats, [&](auto& each) { return same(each, caveat); });
  const auto& floors = launch.bounds->caveats;
  const bool has_figures =
      std::ranges::any_of(floors, [&](auto& each) { return same(each, caveat); });
  if (known == caveats.end() && has_figures) {
    known = std::ranges::find_if(
        caveats, [&](auto& each) { return is_about(each) && differ_in_figures(each, caveat); });
    if (known != caveats.end()) {
      ++known->alike;
      return;
    }
  }
  if (known == caveats.end()) known = caveats.insert(known, RunCaveat{caveat, {}, index});
  if (!is_about(*known)) known->kernels.push_back(kernel);
}

// All that occupancy and floors are computed from.
bool did_the_same(const LaunchRecord& a, const LaunchRecord& b) {
  const auto facts = [](const LaunchRecord& launch) {
    const Resources& r = launch.resources;
    return std::tie(launch.shape, r.registers, r.static_shared, r.accesses_kept, launch.counters);
  };
  return a.completed() == b.completed() && facts(a) == facts(b);
}

void explain(const Machine& machine, ExplainedLaunch& launch) {
  const LaunchRecord& record = launch.record;
  const Occupancy occupied = occupancy_of(machine, record.shape, record.resources);
  // What never ran, or was interrupted, has no counters to bound.
  const bool has_run = record.completed() || counted(record);
  launch.bounds = std::make_shared<Bounds>(has_run ? bound(machine, record, occupied) : Bounds{});
  launch.occupancy = std::make_shared<Occupancy>(occupied);
}

// The launches leave their records: there may be a hundred thousand of them.
std::vector<ExplainedLaunch> take_launches(const Machine& machine, std::vector<Record>& records) {
  std::vector<ExplainedLaunch> result;
  std::map<LaunchShape, size_t> last_of;  // indices into result
  for (Record& record : records)
    for (LaunchRecord& launch : record.launches) {
      const auto [last, is_first] = last_of.try_emplace(launch.shape, result.size());
      ExplainedLaunch explained{std::move(launch), record.process, nullptr, nullptr};
      if (!is_first && did_the_same(result[last->second].record, explained.record)) {
        explained.occupancy = result[last->second].occupancy;
        explained.bounds = result[last->second].bounds;
      } else {
        explain(machine, explained);
      }
      last->second = result.size();
      result.push_back(std::move(explained));
    }
  return result;
}

}  // namespace

std::vector<ExplainedLaunch> explain_launches(const Machine& machine, std::vector<Record> records) {
  return take_launches(machine, records);
}

std::vector<Caveat> caveats_of(const ExplainedLaunch& launch) {
  std::vector<const std::vector<Caveat>*> sources{
      &launch.record.caveats, &launch.record.resources.caveats, &launch.occupancy->caveats};
  if (launch.record.completed()) sources.push_back(&launch.bounds->caveats);
  std::vector<Caveat> result;
  for (const auto* source : sources)
    for (const Caveat& caveat : *source)
      if (std::ranges::none_of(result, [&](auto& each) { return same(each, caveat); }))
        result.push_back(caveat);
  return result;
}

Explanation explain(std::vector<std::string> command, ProgramEnd end, Machine machine,
                    const std::vector<Record>& records, std::vector<ExplainedLaunch> launches) {
  Explanation report{.command = std::move(command), .end = end, .machine = std::move(machine)};
  report.launches = std::move(launches);
  report.used_cuda = !records.empty();
  report.transfers = add_up(records);
  std::set<std::string> unsupported;
  for (const Record& record : records) {
    unsupported.insert(record.unsupported_calls.begin(), record.unsupported_calls.end());
    report.findings.insert(report.findings.end(), record.findings.begin(), record.findings.end());
    report.cut_off |= !record.ended && !record.incomplete;
    report.incomplete |= record.incomplete;
    auto& actions = report.actions[record.process];
    actions.insert(actions.end(), record.actions.begin(), record.actions.end());
    report.event_times += record.event_times;
    report.predicted_events |= record.predicted_events;
    report.timing_loops += record.timing_loops;
    report.repeated += record.repeated;
  }
  report.unsupported_calls.assign(unsupported.begin(), unsupported.end());
  for (size_t i = 0; i < report.launches.size(); ++i) {
    const ExplainedLaunch& launch = report.launches[i];
    const LaunchRecord& record = launch.record;
    report.stopped += record.state == State::stopped;
    report.not_run += record.state == State::not_executed || record.state == State::refused;
    if (record.completed()) {
      report.total_seconds += launch.bounds->seconds;
      report.total_estimated |= estimated(*launch.bounds);
    }
    report.executor_seconds += record.seconds;
    add(report.counters, record.counters);
    report.findings.insert(report.findings.end(), record.findings.begin(), record.findings.end());
    for (const Caveat& caveat : caveats_of(launch)) merge(report.caveats, caveat, launch, i);
  }
  for (const Caveat& doubt : doubts(report)) report.caveats.push_back(RunCaveat{doubt, {}});
  report.kernels = group(report.launches);
  for (KernelGroup& each : report.kernels) {
    sum_up(each, report.launches);
    if (each.predicted_seconds)
      report.predicted_seconds = report.predicted_seconds.value_or(0) + *each.predicted_seconds;
  }
  std::set<std::string> names;
  for (const ExplainedLaunch& launch : report.launches) names.insert(launch.record.shape.kernel);
  report.kernel_names = names.size();
  return report;
}

Explanation explain(std::vector<std::string> command, ProgramEnd end, Machine machine,
                    std::vector<Record> records) {
  auto launches = take_launches(machine, records);
  return explain(std::move(command), end, std::move(machine), records, std::move(launches));
}

}  // namespace headroom
