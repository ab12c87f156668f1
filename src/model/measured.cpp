#include "model/measured.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "headroom/timing/samples.h"
#include "model/bandwidth.h"

namespace headroom {
namespace {

// At a fraction of the way through sorted values, between neighbours where it falls between.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * double(sorted.size() - 1);
  const size_t below = size_t(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

// Another device has other times; kernels of one name but of two images may differ in what is
// static.
auto kind_of(const LaunchTiming& t) { return std::tuple(t.shape, t.static_shared, t.device); }

std::optional<double> median_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return distribution(values).median;
}

std::optional<Resource> most_frequent(const std::map<Resource, size_t>& counts) {
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::nullopt : std::optional(most->first);
}

void sum_up(MeasuredGroup& group, const std::vector<MeasuredLaunch>& all) {
  std::vector<double> seconds, floors, headrooms, useful, moved;
  std::map<Resource, size_t> limiters;
  for (const size_t i : group.launches) {
    const MeasuredLaunch& launch = all[i];
    if (launch.timing.seconds) seconds.push_back(*launch.timing.seconds);
    if (launch.joined == Joined::no) continue;
    ++group.joined;
    if (launch.bounds && launch.bounds->limiter >= 0) {
      const Floor& largest = launch.bounds->floors[launch.bounds->limiter];
      floors.push_back(launch.bounds->seconds);
      ++limiters[largest.resource];
      group.floor_estimated |= largest.basis == Basis::estimate;
    }
    if (const auto value = launch.headroom()) headrooms.push_back(*value);
    if (const auto value = launch.useful_rate()) useful.push_back(*value);
    if (const auto value = launch.moved_rate()) moved.push_back(*value);
  }
  group.seconds = distribution(std::move(seconds));
  group.floor_seconds = median_of(floors);
  group.headroom = median_of(headrooms);
  group.useful_rate = median_of(useful);
  group.moved_rate = median_of(moved);
  group.limiter = most_frequent(limiters);
}

std::optional<double> rate(double bytes, const std::optional<double>& seconds) {
  if (!seconds || *seconds <= 0 || bytes <= 0) return std::nullopt;
  return effective_bandwidth(bytes, 0, *seconds);
}

}  // namespace

Distribution distribution(std::vector<double> values) {
  Distribution result;
  result.count = values.size();
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  result.median = timing::middle_of(values);
  result.least = values.front();
  result.most = values.back();
  for (const double value : values) result.total += value;
  constexpr size_t least_for_spread = 3;
  if (values.size() >= least_for_spread && result.median > 0)
    result.spread = (quantile(values, 0.9) - quantile(values, 0.1)) / result.median;
  return result;
}

std::optional<double> MeasuredLaunch::headroom() const {
  if (!timing.seconds || !bounds || bounds->limiter < 0 || bounds->seconds <= 0)
    return std::nullopt;
  return *timing.seconds / bounds->seconds;
}

std::optional<double> MeasuredLaunch::useful_rate() const {
  return bounds ? rate(bounds->useful_bytes, timing.seconds) : std::nullopt;
}

std::optional<double> MeasuredLaunch::moved_rate() const {
  return bounds ? rate(bounds->moved_bytes, timing.seconds) : std::nullopt;
}

std::vector<MeasuredGroup> group_measured(const std::vector<MeasuredLaunch>& launches) {
  std::vector<MeasuredGroup> groups;
  std::map<decltype(kind_of(launches[0].timing)), size_t> known;
  for (size_t i = 0; i < launches.size(); ++i) {
    const auto [place, is_new] = known.try_emplace(kind_of(launches[i].timing), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].launches.push_back(i);
  }
  double all = 0;
  for (MeasuredGroup& group : groups) {
    sum_up(group, launches);
    all += group.seconds.total;
  }
  for (MeasuredGroup& group : groups) group.share = all > 0 ? group.seconds.total / all : 0;
  return groups;
}

std::optional<double> CopyGroup::rate() const {
  return headroom::rate(double(timed_bytes), seconds);
}

std::vector<CopyGroup> group_copies(const std::vector<CopyTiming>& copies) {
  std::vector<CopyGroup> groups;
  for (const CopyTiming& copy : copies) {
    auto same = std::ranges::find_if(groups, [&](const CopyGroup& group) {
      return group.direction == copy.direction && group.from == copy.from && group.to == copy.to;
    });
    if (same == groups.end())
      same = groups.insert(same, CopyGroup{copy.direction, copy.from, copy.to});
    ++same->calls;
    same->bytes += copy.bytes;
    if (!copy.seconds) continue;
    same->timed_bytes += copy.bytes;
    same->seconds += *copy.seconds;
  }
  return groups;
}

std::shared_ptr<const Occupancy> occupancy_of(const std::optional<Machine>& machine,
                                              const LaunchTiming& launch) {
  if (!machine) return nullptr;
  Resources resources;
  if (launch.registers > 0) resources.registers = launch.registers;
  resources.static_shared = int(launch.static_shared);
  return std::make_shared<const Occupancy>(occupancy_of(*machine, launch.shape, resources));
}

void give_occupancies(std::vector<MeasuredLaunch>& launches,
                      const std::optional<Machine>& machine) {
  std::map<std::tuple<uint64_t, int, uint64_t>, std::shared_ptr<const Occupancy>> known;
  for (MeasuredLaunch& launch : launches) {
    const LaunchTiming& t = launch.timing;
    auto& occupancy =
        known[{t.shape.block.count(), t.registers, t.static_shared + t.shape.dynamic_shared}];
    if (!occupancy) occupancy = occupancy_of(machine, t);
    launch.occupancy = occupancy;
  }
}

}  // namespace headroom
