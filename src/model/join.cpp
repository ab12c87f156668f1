// Which counted launch a measured one is; the rule stands in measured.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "kernel/kernel.h"
#include "model/measured.h"

namespace headroom {
namespace {

// A mangled name without what is one build's own: nvcc names unnamed namespaces, and what is static
// in linked code, by the file with a hash before and behind it, which differ from build to build.
//
//   _ZN41_GLOBAL__N__e88fd7f3_9_queued_cu_2e8fd30411copy_queuedE…
//     -> _ZN_GLOBAL__N__9_queued_cu11copy_queuedE…
std::string name_of_any_build(const std::string& mangled) {
  if (mangled.find("_GLOBAL__N__") == mangled.npos && mangled.find("_INTERNAL_") == mangled.npos)
    return mangled;
  static const std::regex of_a_file(R"(\d+(_GLOBAL__N__|_INTERNAL_)[0-9a-f]{8}_(\d{1,4})_)");
  std::string name, rest = mangled;
  constexpr size_t hash = 9;  // "_2e8fd304"
  for (std::smatch found; std::regex_search(rest, found, of_a_file);) {
    const size_t file = std::stoul(found[2]), end = found.position() + found.length() + file;
    if (end + hash > rest.size()) break;
    name += found.prefix().str() + found[1].str() + found[2].str() + "_" +
            rest.substr(found.position() + found.length(), file);
    rest = rest.substr(end + hash);
  }
  return name + rest;
}

// A shape as both runs tell it: of a measured launch it is unknown what carve-out was preferred, and
// a cluster of one block looks like none.
LaunchShape as_both_tell(LaunchShape shape) {
  shape.kernel = name_of_any_build(shape.kernel);
  if (shape.cluster_size().count() == 1) shape.cluster.reset();
  shape.carveout.reset();
  shape.cooperative = false;
  return shape;
}

// The launches of one shape in both runs, in order.
struct Pair {
  std::vector<MeasuredLaunch*> measured;
  std::vector<const LaunchRecord*> counted;
};

bool has_counters(const LaunchRecord& launch) {
  return launch.completed() && launch.counters.warp_instructions > 0;
}

bool all_alike(const std::vector<const LaunchRecord*>& counted) {
  return std::ranges::all_of(
      counted, [&](const LaunchRecord* each) { return each->counters == counted[0]->counters; });
}

// Bounds of counted launches, each computed once for an occupancy.
class KnownBounds {
 public:
  explicit KnownBounds(const Machine& machine) : machine_(machine) {}
  void give(MeasuredLaunch& launch, const LaunchRecord& counted, Joined how) {
    if (!launch.occupancy || !launch.occupancy->impossible.empty()) return;
    auto& bounds = known_[{&counted, launch.occupancy.get()}];
    if (!bounds)
      bounds = std::make_shared<const Bounds>(bound(machine_, counted, *launch.occupancy));
    launch.joined = how;
    launch.bounds = bounds;
  }

 private:
  const Machine& machine_;
  std::map<std::pair<const void*, const void*>, std::shared_ptr<const Bounds>> known_;
};

std::string numbers(const Pair& pair) {
  return fmt::format("{} measured, {} counted", pair.measured.size(), pair.counted.size());
}

std::string named(const Pair& pair) {
  const LaunchTiming& first = pair.measured.front()->timing;
  const Dim3 grid = first.shape.grid, block = first.shape.block;
  const uint64_t dynamic_shared = first.shape.dynamic_shared;
  std::string name = fmt::format("{}, grid {}·{}·{}, block {}·{}·{}", short_name(first.name),
                                 grid.x, grid.y, grid.z, block.x, block.y, block.z);
  if (dynamic_shared) name += fmt::format(", {} B dynamic shared", dynamic_shared);
  return name;
}

// Several kernels may have the same trouble: told once, the first few by name.
class Troubles {
 public:
  void add(const char* what, const char* cause, const char* advice, const Pair& pair) {
    auto known = std::ranges::find_if(troubles_, [&](auto& each) { return each.what == what; });
    if (known == troubles_.end()) known = troubles_.insert(known, {what, cause, advice, 0, {}});
    known->launches += pair.measured.size();
    known->names.push_back(fmt::format("{} ({})", named(pair), numbers(pair)));
  }
  std::vector<Caveat> caveats() const {
    constexpr size_t most_names = 3;
    std::vector<Caveat> result;
    for (const Trouble& trouble : troubles_) {
      std::string names;
      for (size_t i = 0; i < std::min(trouble.names.size(), most_names); ++i)
        names += (i ? "; " : "") + trouble.names[i];
      if (trouble.names.size() > most_names)
        names += fmt::format("; and {} more", trouble.names.size() - most_names);
      result.push_back({fmt::format("{} {}: {}", trouble.launches, trouble.what, names),
                        trouble.cause, trouble.advice});
    }
    return result;
  }

 private:
  struct Trouble {
    const char *what, *cause, *advice;
    size_t launches;
    std::vector<std::string> names;
  };
  std::vector<Trouble> troubles_;
};

}  // namespace

std::vector<Caveat> join(std::vector<MeasuredLaunch>& launches,
                         const std::vector<LaunchRecord>& counted, const Machine& machine,
                         bool several_processes) {
  std::map<LaunchShape, Pair> pairs;
  std::vector<Pair*> in_order;
  for (MeasuredLaunch& launch : launches) {
    const auto [place, is_new] = pairs.try_emplace(as_both_tell(launch.timing.shape));
    if (is_new) in_order.push_back(&place->second);
    place->second.measured.push_back(&launch);
  }
  Pair only_counted;
  for (const LaunchRecord& launch : counted) {
    const auto place = pairs.find(as_both_tell(launch.shape));
    (place == pairs.end() ? only_counted : place->second).counted.push_back(&launch);
  }
  Troubles troubles;
  KnownBounds known(machine);
  for (Pair* pair : in_order) {
    if (pair->counted.empty()) {
      troubles.add("launches were not counted, their floors are unknown",
                   "the record has no launch of this kernel with this grid and block",
                   "count the program with the same arguments", *pair);
    } else if (!std::ranges::all_of(pair->counted, [](auto* c) { return has_counters(*c); })) {
      troubles.add("launches were not counted, their floors are unknown",
                   "they did not end on the emulator, or were left out there", "", *pair);
    } else if (all_alike(pair->counted)) {
      const bool same_number = pair->counted.size() == pair->measured.size();
      const Joined how = same_number && !several_processes ? Joined::by_order : Joined::by_shape;
      for (MeasuredLaunch* launch : pair->measured) known.give(*launch, *pair->counted[0], how);
      if (!same_number)
        troubles.add("launches are joined by shape, not by order",
                     "the runs launched them a different number of times; all that were counted "
                     "did the same",
                     "", *pair);
    } else if (several_processes || pair->counted.size() != pair->measured.size()) {
      troubles.add("launches do not join, their floors are unknown",
                   several_processes ? "several processes have no common order of launches"
                                     : "another number of launches was counted, and these differ "
                                       "among themselves",
                   "count the program with the same arguments", *pair);
    } else {
      for (size_t i = 0; i < pair->measured.size(); ++i)
        known.give(*pair->measured[i], *pair->counted[i], Joined::by_order);
    }
  }
  std::vector<Caveat> result = troubles.caveats();
  if (!only_counted.counted.empty())
    result.push_back(
        {fmt::format("{} counted launches, the first of {}, were not measured",
                     only_counted.counted.size(), short_name(only_counted.counted[0]->name)),
         "the program launched other kernels or other grids on the GPU",
         "count the program with the same arguments"});
  return result;
}

}  // namespace headroom
