#include "model/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "model/cause.h"
#include "model/profiled_name.h"

namespace headroom {

namespace {

using Shapes = std::vector<ShapeFigures*>;
using Pairs = std::vector<std::pair<ShapeFigures*, ShapeFigures*>>;

// Those with the same shape, which leave their lists.
void pair_by_shape(Shapes& before, Shapes& after, Pairs& pairs) {
  std::map<LaunchShape, ShapeFigures*> wanted;
  for (ShapeFigures* each : after) wanted[each->shape] = each;
  std::set<const ShapeFigures*> taken;
  std::erase_if(before, [&](ShapeFigures* old) {
    const auto found = wanted.find(old->shape);
    if (found == wanted.end()) return false;
    pairs.push_back({old, found->second});
    taken.insert(found->second);
    wanted.erase(found);
    return true;
  });
  std::erase_if(after, [&](ShapeFigures* each) { return taken.contains(each); });
}

bool same_shapes(const Shapes& before, const Shapes& after) {
  std::set<LaunchShape> old, now;
  for (const ShapeFigures* each : before) old.insert(each->shape);
  for (const ShapeFigures* each : after) now.insert(each->shape);
  return old == now;
}

void pair_shapes(Shapes& before, Shapes& after, Pairs& pairs) {
  if (same_shapes(before, after) || before.size() != after.size())
    pair_by_shape(before, after, pairs);
  const size_t common = std::min(before.size(), after.size());
  for (size_t i = 0; i < common; ++i) pairs.push_back({before[i], after[i]});
  before.erase(before.begin(), before.begin() + ptrdiff_t(common));
  after.erase(after.begin(), after.begin() + ptrdiff_t(common));
}

// Of a profile only what it has is compared.
std::vector<Change> changes_between(const Figures& before, const Figures& after, bool profiled) {
  std::vector<Change> result;
  for (size_t i = 0; i < metrics().size(); ++i)
    if (before.values[i] != after.values[i] && (!profiled || (before.values[i] && after.values[i])))
      result.push_back({i, before.values[i], after.values[i]});
  return result;
}

// A framework compiles one kernel many times under one name: builds differ by their registers.
struct Build {
  std::optional<double> registers;
  std::vector<size_t> launches;  // by their places, in order
};
std::vector<Build> builds_of(const ShapeFigures& shape) {
  static const size_t registers = *metric_of("registers");
  std::vector<Build> builds;  // in order of their first launch
  for (size_t i = 0; i < shape.launches.size(); ++i) {
    const std::optional<double> of_launch = shape.launches[i]->values[registers];
    auto found = std::ranges::find(builds, of_launch, &Build::registers);
    if (found == builds.end()) found = builds.insert(found, {of_launch, {}});
    found->launches.push_back(i);
  }
  return builds;
}

using Places = std::vector<std::pair<size_t, size_t>>;

void pair_in_order(std::vector<size_t>& before, std::vector<size_t>& after, Places& places) {
  const size_t common = std::min(before.size(), after.size());
  for (size_t i = 0; i < common; ++i) places.push_back({before[i], after[i]});
  before.erase(before.begin(), before.begin() + ptrdiff_t(common));
  after.erase(after.begin(), after.begin() + ptrdiff_t(common));
}

// Launches of a shape in order, and those of its builds as shapes of a kernel are: by their registers where the runs
// have the same ones or not as many, else in order of their first launch. What is left of a build, in order too.
Places paired_places(const ShapeFigures& before, const ShapeFigures& after) {
  std::vector<Build> old = builds_of(before), now = builds_of(after);
  const auto has_build = [](std::vector<Build>& builds, const Build& wanted) {
    return std::ranges::find(builds, wanted.registers, &Build::registers);
  };
  const bool same = old.size() == now.size() && std::ranges::all_of(old, [&](const Build& one) {
                      return has_build(now, one) != now.end();
                    });
  Places places;
  for (size_t i = 0; i < old.size(); ++i) {
    const auto other =
        same || old.size() != now.size() ? has_build(now, old[i]) : now.begin() + ptrdiff_t(i);
    if (other != now.end()) pair_in_order(old[i].launches, other->launches, places);
  }
  std::vector<size_t> left_before, left_after;
  for (const Build& one : old)
    left_before.insert(left_before.end(), one.launches.begin(), one.launches.end());
  for (const Build& one : now)
    left_after.insert(left_after.end(), one.launches.begin(), one.launches.end());
  std::ranges::sort(left_before);
  std::ranges::sort(left_after);
  pair_in_order(left_before, left_after, places);
  std::ranges::sort(places);
  return places;
}

std::vector<ComparedLaunches> paired(const ShapeFigures& before, const ShapeFigures& after,
                                     bool profiled) {
  using Pair = std::pair<std::shared_ptr<const Figures>, std::shared_ptr<const Figures>>;
  std::map<Pair, size_t> known;
  std::vector<ComparedLaunches> result;
  for (const auto& [old, now] : paired_places(before, after)) {
    const Pair pair{before.launches[old], after.launches[now]};
    const auto [place, is_new] = known.insert({pair, result.size()});
    if (is_new) {
      ComparedLaunches added{0, pair.first, pair.second,
                             changes_between(*pair.first, *pair.second, profiled), std::nullopt};
      added.because = cause(*pair.first, *pair.second, added.changes);
      result.push_back(std::move(added));
    }
    ++result[place->second].count;
  }
  std::ranges::stable_sort(result, std::greater{}, &ComparedLaunches::changed);
  return result;
}

ComparedKernel compared(const ShapeFigures& before, const ShapeFigures& after, bool profiled) {
  ComparedKernel result{before.kernel,         before.shape,
                        after.shape,           before.launches.size(),
                        after.launches.size(), paired(before, after, profiled)};
  const bool both = !before.measured.empty() && !after.measured.empty();
  if (both || (!profiled && (!before.measured.empty() || !after.measured.empty())))
    result.measured = compare_samples(before.measured, after.measured);
  return result;
}

std::vector<Caveat> doubts_of(const Comparison& comparison) {
  const RunFigures &before = comparison.before, &after = comparison.after;
  std::vector<Caveat> result;
  const std::string* profile = before.profiled  ? &before.file
                               : after.profiled ? &after.file
                                                : nullptr;
  if (profile)
    result.push_back(
        {fmt::format("{} is of Nsight Compute: only the figures that it has are compared",
                     *profile),
         "it names kernels without namespaces and parameters, and does not say on which GPU they "
         "ran",
         "see that both are of one program and one GPU"});
  else if (before.machine != after.machine)
    result.push_back(
        {fmt::format("the records are of two machines, {} and {}", before.machine, after.machine),
         "floors and times differ for that alone",
         "run both with one machine: headroom run --machine NAME"});
  const bool mixed = std::ranges::any_of(comparison.kernels, [](const ComparedKernel& kernel) {
    return !std::ranges::all_of(kernel.launches, &ComparedLaunches::one_engine);
  });
  if (mixed)
    result.push_back({"one record counted PTX where the other counted machine code",
                      "their instructions are not the same",
                      "run both with one engine: headroom run --engine ptx"});
  return result;
}

}  // namespace

double Change::percent() const {
  const double from = before.value_or(0), by = difference();
  if (by == 0) return 0;
  return from ? 100 * by / from : std::copysign(std::numeric_limits<double>::infinity(), by);
}

bool ComparedKernel::changed() const {
  return launches_before != launches_after || before != after ||
         std::ranges::any_of(launches, &ComparedLaunches::changed) ||
         (measured && measured->verdict == SampleVerdict::differ);
}

Change ComparedKernel::measured_change() const {
  Change change{*metric_of(measured_metric), {}, {}};
  if (measured && measured->before.count) change.before = measured->before.median;
  if (measured && measured->after.count) change.after = measured->after.median;
  return change;
}

Comparison compare(RunFigures before, RunFigures after,
                   const std::function<bool(const std::string& kernel)>& wanted) {
  const bool profiled = before.profiled || after.profiled;
  if (!(before.counted() && after.counted()) && !(before.on_gpu && after.on_gpu))
    throw Error{
        fmt::format("{} {}", before.file, after.file),
        "one was measured on a GPU, the other counted without: they have no figure for both",
        "give two records of headroom run --gpu, or two without"};
  Comparison result;
  const auto alone = [](const Shapes& shapes, std::vector<OneSided>& to) {
    for (const ShapeFigures* each : shapes)
      to.push_back({each->kernel, each->shape, each->launches.size()});
  };
  std::map<std::string, std::pair<Shapes, Shapes>> by_name;
  std::vector<std::string> names;  // in order of their first launch
  const auto sort_in = [&](RunFigures& run, Shapes std::pair<Shapes, Shapes>::*side) {
    for (ShapeFigures& each : run.kernels) {
      if (!wanted(each.kernel)) continue;
      // A profile has neither clusters nor shared memory in its shapes.
      if (profiled) each.shape = {{}, each.shape.grid, each.shape.block};
      const std::string name = profiled ? profiled_name(each.kernel) : each.kernel;
      const auto [place, is_new] = by_name.insert({name, {}});
      if (is_new) names.push_back(name);
      (place->second.*side).push_back(&each);
    }
  };
  sort_in(before, &std::pair<Shapes, Shapes>::first);
  sort_in(after, &std::pair<Shapes, Shapes>::second);
  for (const std::string& name : names) {
    auto& [old, now] = by_name.at(name);
    Pairs pairs;
    pair_shapes(old, now, pairs);
    for (const auto& [one, other] : pairs)
      result.kernels.push_back(compared(*one, *other, profiled));
    alone(old, result.only_before);
    alone(now, result.only_after);
  }
  before.kernels.clear();
  after.kernels.clear();
  result.before = std::move(before);
  result.after = std::move(after);
  result.caveats = doubts_of(result);
  return result;
}

}  // namespace headroom
