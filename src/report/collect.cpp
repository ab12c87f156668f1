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

auto shape_of(const LaunchRecord& r) {
  return std::tuple(r.mangled, r.kernel, r.grid.x, r.grid.y, r.grid.z, r.block.x, r.block.y,
                    r.block.z, r.dynamic_shared);
}

std::vector<KernelGroup> group(const std::vector<ExplainedLaunch>& launches) {
  std::vector<KernelGroup> groups;
  std::map<decltype(shape_of(launches[0].record)), size_t> known;
  for (size_t i = 0; i < launches.size(); ++i) {
    const auto [place, is_new] = known.try_emplace(shape_of(launches[i].record), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].launches.push_back(i);
  }
  return groups;
}

std::string limiter_of(const Bounds& bounds) {
  return bounds.limiter < 0 ? "" : bounds.floors[bounds.limiter].resource;
}

void sum_up(KernelGroup& group, const std::vector<ExplainedLaunch>& launches) {
  group.worst = group.launches.front();
  std::map<std::string, double> share;
  for (size_t i : group.launches) {
    const Bounds& bounds = launches[i].bounds;
    add(group.counters, launches[i].record.counters);
    group.total_seconds += bounds.seconds;
    share[limiter_of(bounds)] += bounds.seconds;
    if (bounds.seconds > launches[group.worst].bounds.seconds) group.worst = i;
  }
  group.floor_seconds = launches[group.worst].bounds.seconds;
  group.limiter = std::max_element(share.begin(), share.end(), [](auto& a, auto& b) {
                    return a.second < b.second;
                  })->first;
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
  if (report.cut_off && !report.end.signal)
    result.push_back(
        {"the program left without the runtime noticing, its last transfers are not counted",
         "_exit() or a process killed from outside", ""});
  return result;
}

}  // namespace

std::vector<Caveat> distinct(const std::vector<Caveat>& caveats) {
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  std::vector<Caveat> result;
  for (const Caveat& caveat : caveats)
    if (seen.emplace(caveat.what, caveat.cause, caveat.advice).second) result.push_back(caveat);
  return result;
}

std::vector<Caveat> caveats_of(const ExplainedLaunch& launch) {
  std::vector<Caveat> all;
  for (const auto* some : {&launch.record.caveats, &launch.record.resources.caveats,
                           &launch.occupancy.caveats, &launch.bounds.caveats})
    all.insert(all.end(), some->begin(), some->end());
  return distinct(all);
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
    report.cut_off |= !record.ended;
    report.event_times += record.event_times;
  }
  report.unsupported_calls.assign(unsupported.begin(), unsupported.end());
  std::set<std::tuple<std::string, std::string, std::string>> caveats;
  for (const ExplainedLaunch& launch : report.launches) {
    const LaunchRecord& record = launch.record;
    report.total_seconds += launch.bounds.seconds;
    report.executor_seconds += record.seconds;
    add(report.counters, record.counters);
    report.findings.insert(report.findings.end(), record.findings.begin(), record.findings.end());
    for (Caveat& caveat : caveats_of(launch)) {
      if (caveats.emplace(caveat.what, caveat.cause, caveat.advice).second)
        report.caveats.push_back(std::move(caveat));
    }
  }
  const auto more = doubts(report);
  report.caveats.insert(report.caveats.end(), more.begin(), more.end());
  report.kernels = group(report.launches);
  for (KernelGroup& each : report.kernels) sum_up(each, report.launches);
  std::set<std::string> names;
  for (const ExplainedLaunch& launch : report.launches) names.insert(launch.record.mangled);
  report.kernel_names = names.size();
  return report;
}

}  // namespace headroom
