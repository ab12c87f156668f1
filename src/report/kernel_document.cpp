// The whole story of one kernel: what it takes, how much of an SM it fills, what it did to memory,
// which instructions it ran, what each resource needs at least, and which one binds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "model/verdict.h"
#include "record/instruction_class.h"
#include "record/pipe.h"
#include "report/equations_document.h"
#include "report/fallacies.h"
#include "report/format.h"
#include "report/notes.h"
#include "report/occupancy_document.h"
#include "report/prediction_document.h"
#include "report/resources_document.h"
#include "report/run_document.h"
#include "report/source_document.h"

namespace headroom {

namespace {

Document title(const Explanation& report, const KernelGroup& kernel) {
  const LaunchRecord& record = report.worst(kernel).record;
  std::string line = text::counted(kernel.launches.size(), "launch", "launches");
  line += fmt::format(", grid × block {} ({} × {} threads), {} of {}",
                      text::launch_shape(record.shape.grid, record.shape.block),
                      text::grouped(record.shape.grid.count()),
                      text::grouped(record.shape.block.count()),
                      record.engine == Engine::machine ? "machine code" : "PTX",
                      record.image.empty() ? "?" : record.image);
  if (record.shape.dynamic_shared)
    line += fmt::format(", {} dynamic shared", text::bytes(double(record.shape.dynamic_shared)));
  if (!record.completed()) line += ", " + text::state_word(record.state);
  Document result;
  result.add(Heading{2, "kernel " + record.name});
  result.add(Paragraph{line});
  if (record.ordered)
    result.add(
        Paragraph{"its blocks ran one after the other on one host thread: their order shows in an "
                  "atomic's result, a sum of floats, a clock or a wait"});
  return result;
}

// What a heading says of tables that add launches up; nothing of one launch.
std::string together(const KernelGroup& kernel, const char* before) {
  const size_t n = kernel.launches.size();
  return n > 1 ? fmt::format("{}of {} launches together", before, text::grouped(n)) : "";
}

Document memory(const Explanation& report, const KernelGroup& kernel) {
  const std::array<std::pair<const char*, const Access*>, 5> kinds{
      {{"global loads", &kernel.global_load},
       {"global stores", &kernel.global_store},
       {"local loads", &kernel.local_load},
       {"local stores", &kernel.local_store},
       {"atomics", &kernel.atomic}}};
  Grid grid{.columns = {{"", Align::left},
                        {"requests"},
                        {"sectors"},
                        {"sectors\n/ request"},
                        {"ideal"},
                        {"useful"},
                        {"moved"},
                        {"efficiency"}}};
  for (const auto& [name, access] : kinds) {
    if (access->requests == 0) continue;
    const bool useful = access->useful_bytes.has_value();
    grid.rows.push_back({name, text::grouped(access->requests), text::grouped(access->sectors),
                         text::ratio(access->per_request()),
                         useful ? text::ratio(access->ideal()) : "–",
                         useful ? text::bytes(double(*access->useful_bytes)) : "–",
                         text::bytes(double(access->moved_bytes())),
                         useful ? text::percent(access->efficiency()) : "–"});
  }
  Document result;
  result.add(Heading{3, "Memory", "32-byte sectors, between L1 and L2" + together(kernel, "; ")});
  if (grid.rows.empty()) {
    result.add(Paragraph{"none"});
    return result;
  }
  const bool shares = std::ranges::any_of(kinds, [](const auto& kind) {
    return kind.second->useful_bytes && kind.second->efficiency() > 1;
  });
  const Fact& l2 = report.machine.l2_size;
  std::string cache;
  if (l2)
    cache = report.worst(kernel).bounds->fits_l2
                ? "; it fits in the L2 cache, which may hold it from before"
                : "; it does not fit in the L2 cache";
  if (l2 && *l2 == 0) cache = "; this machine has no L2 cache";
  const Counters& c = report.worst(kernel).record.counters;
  if (c.unique_sectors > 0)
    grid.notes = {fmt::format("one launch touches {} ({} read, {} written){}",
                              text::bytes(32.0 * double(c.unique_sectors)),
                              text::bytes(32.0 * double(c.unique_load_sectors)),
                              text::bytes(32.0 * double(c.unique_store_sectors)), cache)};
  if (shares)
    grid.notes.push_back("efficiency above 100 %: lanes of a warp share bytes, which move once");
  result.add(std::move(grid));
  return result;
}

Document answers(const Explanation& report, const ExplainedLaunch& launch, Section section) {
  Document document;
  for (const std::string& said : fallacies_answered(report, launch, section))
    document.add(Paragraph{said, Tone::plain, 2, 4});
  return document;
}

Document shared(const KernelGroup& kernel) {
  if (kernel.shared_load.instructions + kernel.shared_store.instructions +
          kernel.counters.shared_atomic_instructions ==
      0)
    return {};
  Grid grid{.columns = {{"", Align::left},
                        {"instructions"},
                        {"wavefronts"},
                        {"conflicts"},
                        {"wavefronts\n/ instruction"}}};
  const auto row = [&](const char* name, const SharedAccess& a) {
    if (a.instructions)
      grid.rows.push_back({name, text::grouped(a.instructions), text::grouped(a.wavefronts),
                           text::grouped(a.conflicts),
                           text::ratio(double(a.wavefronts) / double(a.instructions))});
  };
  row("loads", kernel.shared_load);
  row("stores", kernel.shared_store);
  if (kernel.counters.shared_atomic_instructions)
    grid.notes = {fmt::format("{} atomics, whose wavefronts and conflicts are not known",
                              text::grouped(kernel.counters.shared_atomic_instructions))};
  return {"", {Heading{3, "Shared memory", together(kernel, "")}, std::move(grid)}};
}

// The tensor pipe where no matrices are multiplied.
std::string title_in_mix(const PipeRow& row, const Counters& c) {
  if (row.pipe != Pipe::tensor || c.tensor_instructions > 0) return std::string(row.title);
  return c.fp16_instructions > 0 ? "tensor (HFMA2.MMA: FP16 and constants, no products)"
                                 : "tensor (constants by HFMA2.MMA, no products)";
}
std::string title_in_mix(const InstructionClassRow& row, const Counters&) {
  return std::string(row.title);
}

// "FP32 31 %, integer 40 %": rows of a table of counters, as shares of the instructions.
template <class Rows>
std::string shares(const Rows& rows, const Counters& c) {
  std::string text;
  for (const auto& each : rows)
    if (const uint64_t count = c.*each.counter.value)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", title_in_mix(each, c),
                          text::percent(double(count) / double(c.warp_instructions)));
  return text;
}

Document instructions(const LaunchRecord& record, const KernelGroup& kernel) {
  const Counters& c = kernel.counters;
  const bool machine = record.engine == Engine::machine;
  List list{
      {fmt::format("{}: {}", text::grouped(c.warp_instructions), shares(instruction_classes, c))}};
  if (const std::string by_pipe = shares(pipes, c); machine && !by_pipe.empty())
    list.items.push_back("by pipe: " + by_pipe);
  list.items.push_back(
      fmt::format("mean active lanes {:.1f} of 32; {} branches, {} divergent; {} barriers",
                  mean_active_lanes(c), text::grouped(c.branches),
                  text::grouped(c.divergent_branches), text::grouped(c.barriers)));
  return {"",
          {Heading{3, "Instructions",
                   (machine ? "of machine code, a warp at a time"
                            : "of PTX, a warp at a time; machine code differs") +
                       together(kernel, "; ")},
           std::move(list)}};
}

bool is_of_roofline(Resource resource) {
  using R = Resource;
  constexpr R sides[] = {R::dram,
                         R::dram_cold,
                         R::dram_hot,
                         R::fp32,
                         R::fp64,
                         R::fp16,
                         R::fp32_operations,
                         R::fp64_operations,
                         R::fp16_operations,
                         R::fma};
  return std::ranges::find(sides, resource) != std::end(sides);
}

// Of floating point, where there is any to speak of; the side of the ridge where DRAM or that arithmetic binds.
std::string roofline_side(const ExplainedLaunch& launch) {
  constexpr double least_intensity = 0.05;  // FLOP a byte: an addition of two floats has 0.08
  const Bounds& b = *launch.bounds;
  if (b.machine_balance <= 0 || b.arithmetic_intensity < least_intensity) return "";
  const std::string said = fmt::format("{:.2f} FLOP per unique byte, machine balance {:.1f}",
                                       b.arithmetic_intensity, b.machine_balance);
  const auto limit = launch.record.prediction ? reached_limit(launch) : std::nullopt;
  const bool is_dram = limit && limit->kind == Limit::Kind::dram,
             is_floor = limit ? limit->kind == Limit::Kind::floor : !launch.record.prediction,
             binds = is_dram || (is_floor && b.limiter >= 0 &&
                                 is_of_roofline(b.floors[size_t(b.limiter)].resource));
  if (!binds) return said;
  return said + (b.memory_side ? ": memory-bound (left of the ridge)"
                               : ": compute-bound (right of the ridge)");
}

Document floors(const Explanation& report, const KernelGroup& kernel) {
  const Bounds& b = *report.worst(kernel).bounds;
  const bool several = kernel.launches.size() > 1;
  const char* of_which =
      kernel.predicted_seconds ? "of the longest launch" : "of the launch with the largest";
  Grid grid{.columns = {{"", Align::left}, {"µs"}, {"", Align::left, Give::words}}};
  for (size_t i = 0; i < b.floors.size(); ++i) {
    const Floor& floor = b.floors[i];
    grid.rows.push_back(
        {(int(i) == b.limiter ? "→ " : "  ") + std::string(title_of(floor.resource)),
         text::marked(text::microseconds(floor.seconds), floor.basis == Basis::estimate),
         floor.equation + std::string(basis_text(floor))});
  }
  std::vector<std::string_view> unknown;
  for (const Resource each : b.unknown) unknown.push_back(title_of(each));
  if (!unknown.empty())
    grid.notes.push_back(
        fmt::format("no floor for {}: the machine's fact is unknown", fmt::join(unknown, ", ")));
  if (std::string said = roofline_side(report.worst(kernel)); !said.empty())
    grid.notes.push_back(std::move(said));
  return {"", {Heading{3, "Floors", several ? of_which : ""}, std::move(grid)}};
}

std::string at_least(const Floor& floor) {
  return fmt::format("at least {} µs", text::microseconds(floor.seconds));
}

std::string about(const Floor& floor) {
  const bool sure = floor.basis == Basis::exact;
  return fmt::format("{} with {}{} µs", title_of(floor.resource), sure ? "" : "about ",
                     text::microseconds(floor.seconds));
}

// The sentence that a reader takes home.
Document therefore(const Explanation& report, const KernelGroup& kernel) {
  const ExplainedLaunch& launch = report.worst(kernel);
  const Bounds& b = *launch.bounds;
  if (b.limiter < 0 || !launch.record.completed()) return {};
  const Floor& largest = b.floors[b.limiter];
  std::string line;
  if (!estimated(b)) {
    line = fmt::format("Largest lower bound: {}, a launch takes {}", title_of(largest.resource),
                       at_least(largest));
    const auto next = size_t(b.limiter) + 1;
    if (next < b.floors.size() && b.floors[next].certain && b.floors[next].seconds > 0)
      line += "; next is " + about(b.floors[next]);
  } else {
    line = fmt::format("Largest lower bound: {}, about {} µs by PTX (machine code may differ)",
                       title_of(largest.resource), text::microseconds(largest.seconds));
    if (b.certain_seconds > 0) {
      const Floor& surest = b.floors[b.certain_limiter];
      line += fmt::format("; certain: {} by {}", at_least(surest), title_of(surest.resource));
    }
  }
  if (kernel.launches.size() > 1)
    line += fmt::format("; {} launches together {}{} µs", text::grouped(kernel.launches.size()),
                        kernel.total_estimated ? "about " : "",
                        text::microseconds(kernel.total_seconds));
  return {"", {Paragraph{line + ".", Tone::strong, 2, 4}}};
}

}  // namespace

Document kernel_document(const Explanation& report, const KernelGroup& kernel, bool equations) {
  const ExplainedLaunch& launch = report.worst(kernel);
  Document document = title(report, kernel);
  document.add(resources_document(launch.record.resources, launch.record.shape.dynamic_shared));
  document.add(Heading{3, "Occupancy", "theoretical: what an SM has room for"});
  document.add(occupancy_blocks(*launch.occupancy));
  document.add(answers(report, launch, Section::occupancy));
  document.add(memory(report, kernel));
  document.add(shared(kernel));
  document.add(answers(report, launch, Section::shared));
  document.add(instructions(launch.record, kernel));
  if (launch.record.prediction) document.add(prediction_document(report, kernel));
  document.add(floors(report, kernel));
  document.add(therefore(report, kernel));
  if (equations) document.add(equations_document(report.machine, launch));
  document.add(caveats_list(caveats_of(launch)));
  if (const auto page = source_page(report, kernel)) document.add(source_document(*page));
  return document;
}

Document kernels_document(const Explanation& report, const std::vector<const KernelGroup*>& kernels,
                          const std::string& pattern, bool equations) {
  Document document{"headroom run"};
  document.add(findings_told(report.findings));
  document.add(program_heading(report));
  if (kernels.empty() && !report.kernels.empty()) {
    document.add(Paragraph{fmt::format("no kernel matches '{}'; those launched:", pattern)});
    Code names;
    for (const KernelGroup& kernel : report.kernels)
      names.lines.push_back(report.worst(kernel).record.name);
    document.add(std::move(names));
  }
  for (const KernelGroup* kernel : kernels)
    document.add(kernel_document(report, *kernel, equations));
  const auto uncounted = std::count_if(
      report.launches.begin(), report.launches.end(),
      [](const ExplainedLaunch& l) { return l.record.completed() && !counted(l.record); });
  if (uncounted > 0)
    document.add(Paragraph{fmt::format("{} of other kernels ran without being counted; events "
                                       "around them carry no floor.",
                                       text::counted(uint64_t(uncounted), "launch", "launches")),
                           Tone::faint, 2, 2, true});
  document.add(findings_reminder(report.findings));
  return document;
}

}  // namespace headroom
