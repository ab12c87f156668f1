#include "report/page_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/source_page.h"
#include "model/verdict.h"
#include "record/instruction_class.h"
#include "report/fallacies.h"
#include "report/format.h"
#include "report/json_parts.h"
#include "report/prediction_document.h"

namespace headroom {
namespace {

// [title, seconds, is an estimate, holds without a condition, equation]
Json floors_of_page(const Bounds& bounds) {
  return list(bounds.floors, [](const Floor& floor) {
    return Json{title_of(floor.resource), floor.seconds, floor.basis == Basis::estimate,
                floor.certain, floor.equation};
  });
}

Json unknown_of_page(const Bounds& bounds) {
  return list(bounds.unknown, [](Resource each) { return title_of(each); });
}

// [in words, what a warp does, cycles an instruction, share, name]
Json waits_of_page(const LaunchRecord& record) {
  return list(waits_of(*record.prediction), [&](const Wait& wait) {
    const StallRow& words = in_words(wait.stall, record.counters);
    return Json{words.title, words.meaning, wait.cycles, wait.share, words.name};
  });
}

Json prediction_of_page(const Prediction& p) {
  return {{"seconds", p.seconds},
          {"low", p.low_seconds},
          {"high", p.high_seconds},
          {"start", p.start_seconds},
          {"ipc", p.ipc},
          {"basis", p.basis},
          {"in flight", p.bytes_in_flight},
          {"needed", p.needed_bytes},
          {"warps", p.warps},
          {"needed warps", p.needed_warps}};
}

Json advice_of_page(const Prediction& prediction) {
  Json rows = Json::array();
  for (const Advice& each : prediction.advice) {
    rows.push_back({each.gain_seconds, each.what, in_full(each.next), each.file, each.line});
    for (const Advice& then : each.then)
      rows.push_back({then.gain_seconds, "more, once that is done: " + then.what,
                      in_full(then.next), then.file, then.line});
  }
  return rows;
}

Json limits_of_page(const Occupancy& occupancy) {
  return list(occupancy.limits, [](const OccupancyLimit& limit) {
    return Json{limit.resource, limit.blocks ? Json(*limit.blocks) : Json(), limit.arithmetic,
                limit.relief, limit.relief_blocks};
  });
}

// [name, requests, sectors, sectors a request, ideal, efficiency]
Json memory_of_page(const KernelGroup& kernel) {
  const std::pair<const char*, const Access*> kinds[] = {{"global loads", &kernel.global_load},
                                                         {"global stores", &kernel.global_store},
                                                         {"local loads", &kernel.local_load},
                                                         {"local stores", &kernel.local_store},
                                                         {"atomics", &kernel.atomic}};
  Json rows = Json::array();
  for (const auto& [name, access] : kinds) {
    if (access->requests == 0) continue;
    const bool useful = access->useful_bytes.has_value();
    rows.push_back({name, access->requests, access->sectors, access->per_request(),
                    useful ? Json(access->ideal()) : Json(),
                    useful ? Json(access->efficiency()) : Json()});
  }
  return rows;
}

// [name, instructions, wavefronts, conflicts]
Json shared_of_page(const KernelGroup& kernel) {
  Json rows = Json::array();
  for (const auto& [name, access] :
       {std::pair{"loads", &kernel.shared_load}, std::pair{"stores", &kernel.shared_store}})
    if (access->instructions)
      rows.push_back({name, access->instructions, access->wavefronts, access->conflicts});
  if (kernel.counters.shared_atomic_instructions)
    rows.push_back({"atomics", kernel.counters.shared_atomic_instructions, nullptr, nullptr});
  return rows;
}

// [kind, warp instructions]
Json mix_of_page(const Counters& counters) {
  Json rows = Json::array();
  for (const InstructionClassRow& row : instruction_classes)
    if (const uint64_t count = counters.*row.counter.value) rows.push_back({row.title, count});
  return rows;
}

Json counts_of_page(const InstructionCounts& counts) {
  Json row = Json::array();
  for (const InstructionCountField& field : instruction_count_fields())
    row.push_back(counts.*field.value);
  while (!row.empty() && row.back() == 0) row.erase(row.size() - 1);
  return row;
}

std::string count_names() {
  std::vector<std::string_view> names;
  for (const InstructionCountField& field : instruction_count_fields()) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, " "));
}

// [share of the cycles in which warps wait, what for most]; null: they do not wait there
Json stalled_of_page(const StallCycles& here, const SourcePage& page) {
  const auto waits = stalled(here, page.all_stalls);
  return waits ? Json{waits->share, in_words(waits->most, page.counters).title} : Json();
}

// {files, counts: their names, lines [[file, line, text, share, hot, counts, instructions, stalled], …],
//  code [[address, text, counts, stalled], …], accesses {instruction: …}}; stalled where a time was predicted
Json source_of_page(const SourcePage& page) {
  std::vector<std::string> files;
  Json lines = Json::array(), code = Json::array(), accesses = Json::object();
  for (const SourceLine& line : page.lines) {
    if (!line.file.empty() && (files.empty() || files.back() != line.file))
      files.push_back(line.file);
    lines.push_back({line.file.empty() ? Json() : Json(files.size() - 1), line.line,
                     std::string(line.indent, ' ') + line.text, line.share, int(line.hot),
                     counts_of_page(line.sum), line.instructions});
    if (!page.stalls.empty()) lines.back().push_back(stalled_of_page(line.stalls, page));
  }
  for (size_t i = 0; i < page.counts.size(); ++i) {
    const MachineInstruction& instruction = page.listing->instructions[i];
    code.push_back({instruction.address, instruction.text, counts_of_page(page.counts[i])});
    if (!page.stalls.empty()) code.back().push_back(stalled_of_page(page.stalls[i], page));
  }
  for (const AccessExample& each : page.examples) {
    Json access = to_json(each);
    access.erase("instruction");
    accesses[std::to_string(each.instruction)] = std::move(access);
  }
  return {{"launches", page.launches}, {"files", files},          {"counts", count_names()},
          {"lines", std::move(lines)}, {"code", std::move(code)}, {"accesses", std::move(accesses)},
          {"unread", page.unread}};
}

// [file, line, share of the time that warps spend, what they do there most]
Json stalled_lines(const LaunchRecord& record) {
  return list(record.prediction->lines, [&](const StalledLine& line) {
    return Json{line.file, line.line, line.share, in_words(line.most, record.counters).title};
  });
}

}  // namespace

Json page_kernel(const Explanation& report, const KernelGroup& kernel) {
  const ExplainedLaunch& launch = report.worst(kernel);
  const LaunchRecord& record = launch.record;
  const auto known = [](const std::optional<int>& value) { return value ? Json(*value) : Json(); };
  Json detail = {{"state", name_of(record.state)},
                 {"image", record.image},
                 {"from", record.resources.from},
                 {"static shared", known(record.resources.static_shared)},
                 {"dynamic shared", record.shape.dynamic_shared},
                 {"cluster", record.shape.cluster ? to_json(*record.shape.cluster) : Json()},
                 {"stack", known(record.resources.stack)},
                 {"spill stores", known(record.resources.spill_stores)},
                 {"spill loads", known(record.resources.spill_loads)},
                 {"blocks", launch.occupancy->blocks},
                 {"warps", launch.occupancy->warps},
                 {"impossible", launch.occupancy->impossible},
                 {"limiter", launch.bounds->limiter},
                 {"floors", floors_of_page(*launch.bounds)},
                 {"unknown", unknown_of_page(*launch.bounds)},
                 {"balance", launch.bounds->machine_balance},
                 {"lanes", mean_active_lanes(kernel.counters)},
                 {"mix", mix_of_page(kernel.counters)},
                 {"memory", memory_of_page(kernel)},
                 {"shared", shared_of_page(kernel)},
                 {"limits", limits_of_page(*launch.occupancy)},
                 {"caveats", list(caveats_of(launch), caveat_json)}};
  if (record.prediction) {
    detail["prediction"] = prediction_of_page(*record.prediction);
    detail["waits"] = waits_of_page(record);
    detail["on occupancy"] = fallacies_answered(report, launch, Section::occupancy);
    detail["advice"] = advice_of_page(*record.prediction);
    if (record.prediction->advice.empty())
      detail["nothing"] = nothing_to_gain(report.machine, launch);
    detail["stalled"] = stalled_lines(record);
  }
  if (const auto page = source_page(report, kernel)) detail["source"] = source_of_page(*page);
  return detail;
}

}  // namespace headroom
