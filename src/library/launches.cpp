// What became of launches: figures by the names that `headroom compare` has, floors, stalls, advice and findings.
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <memory>

#include "library/library.h"
#include "model/figures.h"
#include "model/verdict.h"

namespace headroom::library {
namespace {

// Whoever asks for launches wants them from the first on.
Journal& journal_of(Session& session) {
  session.journal.keep();
  return session.journal;
}

// Explained when first asked for, then kept: what is given back points into it.
const ExplainedLaunch& explained(Session& session, size_t index) {
  static auto* known = new std::map<size_t, std::unique_ptr<ExplainedLaunch>>;
  const auto& kept = journal_of(session).kept();
  if (index >= kept.size())
    throw Error{"launch",
                fmt::format("there are {}, and number {} was asked for", kept.size(), index)};
  auto& slot = (*known)[index];
  if (!slot) {
    Record one;
    one.launches = {kept[index]};
    slot = std::make_unique<ExplainedLaunch>(
        std::move(explain_launches(session.machine, {std::move(one)}).front()));
  }
  return *slot;
}

headroom_figure figure_of(const ExplainedLaunch& launch, size_t metric) {
  const auto value = values_of(launch)[metric];
  const Metric& row = metrics()[metric];
  return {row.name.data(), row.unit.data(), value.value_or(0), value.has_value()};
}

template <class Given>
int each(size_t launch, void (*take)(void*, const Given*), void* to,
         const std::function<std::vector<Given>(const ExplainedLaunch&)>& list) {
  std::vector<Given> given;
  const int failure = answer([&](Session& session) { given = list(explained(session, launch)); });
  for (const Given& one : given) take(to, &one);
  return failure;
}

}  // namespace

int choose(const char* name) {
  setenv("HEADROOM_MACHINE", name, 0);
  return answer([&](Session& session) {
    if (session.options.machine != name)
      throw Error{
          fmt::format("machine '{}'", name),
          fmt::format("'{}' is imitated already", session.options.machine),
          "choose before the first call, and not another one than headroom run --machine or "
          "HEADROOM_MACHINE says"};
  });
}

int machine(const char** name) {
  return answer([&](Session& session) { *name = session.machine.name.c_str(); });
}

size_t launches() {
  size_t count = 0;
  answer([&](Session& session) { count = journal_of(session).kept().size(); });
  return count;
}

int describe(size_t launch, headroom_launch* out) {
  return answer([&](Session& session) {
    const LaunchRecord& record = explained(session, launch).record;
    *out = {record.name.c_str(), name_of(record.engine).data(), name_of(record.state).data(),
            record.completed()};
  });
}

int figure(size_t launch, const char* name, headroom_figure* out) {
  return answer([&](Session& session) {
    const auto metric = metric_of(name);
    if (!metric)
      throw Error{fmt::format("figure '{}'", name), "there is none of that name",
                  "docs/compare.md lists them"};
    *out = figure_of(explained(session, launch), *metric);
  });
}

int figures(size_t launch, void (*take)(void*, const headroom_figure*), void* to) {
  return each<headroom_figure>(launch, take, to, [](const ExplainedLaunch& one) {
    std::vector<headroom_figure> all;
    for (size_t i = 0; i < metrics().size(); ++i)
      if (const headroom_figure found = figure_of(one, i); found.known) all.push_back(found);
    return all;
  });
}

int floors(size_t launch, void (*take)(void*, const headroom_floor*), void* to) {
  return each<headroom_floor>(launch, take, to, [](const ExplainedLaunch& one) {
    std::vector<headroom_floor> all;
    for (const Floor& floor : one.bounds->floors)
      all.push_back({name_of(floor.resource).data(), floor.equation.c_str(), floor.seconds * 1e9,
                     floor.basis == Basis::estimate});
    return all;
  });
}

int stalls(size_t launch, void (*take)(void*, const headroom_stall*), void* to) {
  return each<headroom_stall>(launch, take, to, [](const ExplainedLaunch& one) {
    std::vector<headroom_stall> all;
    if (one.record.prediction)
      for (const Wait& wait : waits_of(*one.record.prediction))
        all.push_back({row_of(wait.stall).name.data(), wait.cycles, wait.share});
    return all;
  });
}

int advice(size_t launch, void (*take)(void*, const headroom_advice*), void* to) {
  return each<headroom_advice>(launch, take, to, [](const ExplainedLaunch& one) {
    std::vector<headroom_advice> all;
    if (one.record.prediction)
      for (const Advice& each : one.record.prediction->advice)
        all.push_back({each.id.c_str(), each.what.c_str(), each.next.c_str(), each.file.c_str(),
                       each.gain_seconds * 1e9, each.line});
    return all;
  });
}

int findings(size_t launch, void (*take)(void*, const headroom_finding*), void* to) {
  return each<headroom_finding>(launch, take, to, [](const ExplainedLaunch& one) {
    std::vector<headroom_finding> all;
    for (const Finding& each : one.record.findings) {
      headroom_finding found{each.kind.c_str(), each.what.c_str(), each.source.c_str(),
                             each.advice.c_str()};
      std::copy(each.block.begin(), each.block.end(), found.block);
      std::copy(each.thread.begin(), each.thread.end(), found.thread);
      found.times = each.times;
      all.push_back(found);
    }
    return all;
  });
}

}  // namespace headroom::library
