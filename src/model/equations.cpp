#include "model/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/hiding.h"
#include "model/quantity.h"

namespace headroom {
namespace {

using R = Resource;

std::string of_sm(std::string_view work, std::string_view rate) {
  return fmt::format("{} / (SMs · {} · sm_clock)", work, rate);
}

constexpr std::string_view requests =
    "global_load_requests + global_store_requests + atomic_requests + shared_load_instructions + "
    "shared_store_instructions + shared_atomic_instructions";
constexpr std::string_view local_requests = "local_load_requests + local_store_requests";
constexpr std::string_view l1_sectors = "global_load_sectors + global_store_sectors";
constexpr std::string_view loaded_sectors = "global_load_sectors + bulk_load_sectors";
constexpr std::string_view passing_sectors =
    "global_store_sectors + bulk_store_sectors + atomic_sectors";

std::string in_lanes(std::string_view count, std::string_view rate) {
  return of_sm(fmt::format("{} · 32", count), rate);
}
std::string operations(std::string_view type, int per_lane) {
  return of_sm(fmt::format("max(0, {}_operations − 64 · special_instructions)", type),
               fmt::format("{} · {}_per_clock", per_lane, type));
}

std::string cycles(double count) { return text::grouped(uint64_t(std::llround(count))); }

std::string gigahertz(double hertz) { return fmt::format("{:g} GHz", hertz / 1e9); }

EquationGroup floors_of(const ExplainedLaunch& launch) {
  EquationGroup group{
      "Floors", "the least time of each resource; the largest bounds the launch", {}};
  const bool machine_code = launch.record.engine == Engine::machine;
  for (const Floor& floor : launch.bounds->floors)
    group.equations.push_back({std::string(title_of(floor.resource)),
                               floor_formula(floor.resource, machine_code), floor.equation});
  return group;
}

// What must be in flight on an SM: latency × throughput (Little's law).
EquationGroup hiding_of(const Machine& m, const ExplainedLaunch& launch) {
  EquationGroup group{"Hiding", "Little's law: in flight on an SM = latency × throughput", {}};
  const auto needs = [&](const char* name, const char* formula, const Fact& latency,
                         std::optional<double> rate, const char* unit) {
    if (!latency || !rate || *rate <= 0) return;
    group.equations.push_back(
        {name, formula,
         fmt::format("{:g} cycles · {} {}/clk = {}", *latency, three_digits(*rate), unit,
                     prefixed(needed_parallelism(*latency, *rate), unit))});
  };
  const auto share = [&](const Fact& bandwidth) -> std::optional<double> {
    if (!bandwidth || !m.sm_count || !m.sm_clock) return std::nullopt;
    return *bandwidth * 1e9 / (*m.sm_count * *m.sm_clock * 1e6);
  };
  needs("arithmetic needs", "alu_latency · fp32_per_clock", m.alu_latency, m.fp32_per_clock.value,
        "operations");
  needs("shared memory needs", "shared_latency · shared_bytes_per_clock", m.shared_latency,
        m.shared_bytes_per_clock.value, "B");
  needs("L1 needs", "l1_latency · l1_bytes_per_clock", m.l1_latency, m.l1_bytes_per_clock.value,
        "B");
  needs("L2 needs", "l2_latency · l2_bandwidth / (sm_count · sm_clock)", m.l2_latency,
        share(m.l2_bandwidth), "B");
  needs("DRAM needs", "dram_latency · dram_bandwidth / (sm_count · sm_clock)", m.dram_latency,
        share(m.dram_bandwidth), "B");
  const auto& prediction = launch.record.prediction;
  if (!prediction) return group;
  if (prediction->bytes_in_flight > 0 && prediction->warps > 0)
    group.equations.push_back(
        {"global loads have", "warps · bytes in flight of a warp, as played",
         fmt::format(
             "{} · {} = {}; a busy DRAM, whose latency is longer, needs {}", prediction->warps,
             prefixed(prediction->bytes_in_flight / prediction->warps, "B"),
             prefixed(prediction->bytes_in_flight, "B"), prefixed(prediction->needed_bytes, "B"))});
  if (prediction->needed_warps > 0)
    group.equations.push_back(
        {"issue slots need", "cycles from one instruction of a warp to its next · issue_per_clock",
         fmt::format("{} · {} = {} warps; {} are resident", three_digits(prediction->cycles_alone),
                     three_digits(prediction->needed_warps / prediction->cycles_alone),
                     three_digits(prediction->needed_warps), prediction->warps)});
  return group;
}

// How the blocks lie on the SMs.
EquationGroup waves_of(const Machine& m, const ExplainedLaunch& launch) {
  EquationGroup group{"Waves", "how the blocks lie on the SMs", {}};
  const double blocks = double(launch.record.shape.grid.count());
  if (!m.sm_count || blocks == 0 || launch.occupancy->blocks <= 0) return group;
  const double sms = *m.sm_count, resident = launch.occupancy->blocks,
               busiest = std::ceil(blocks / sms);
  group.equations.push_back({"waves", "blocks / (sm_count · resident blocks)",
                             fmt::format("{:g} / ({:g} · {:g}) = {}", blocks, sms, resident,
                                         three_digits(blocks / (sms * resident)))});
  group.equations.push_back({"tail", "blocks of the busiest SM / (blocks / sm_count)",
                             fmt::format("{:g} / ({:g} / {:g}) = {}", busiest, blocks, sms,
                                         three_digits(busiest / (blocks / sms)))});
  return group;
}

EquationGroup time_of(const Machine& m, const ExplainedLaunch& launch) {
  const LaunchRecord& record = launch.record;
  const Prediction& p = *record.prediction;
  const double clock = m.sm_clock.value_or(0) * 1e6;
  EquationGroup group{"Predicted time", "cycles of one SM that is played: " + p.basis, {}};
  if (clock <= 0) return group;
  const double played = p.start_seconds + p.sm_cycles / clock;
  std::string numbers = fmt::format("{} + {} cycles / {} = {}", microseconds(p.start_seconds),
                                    cycles(p.sm_cycles), gigahertz(clock), microseconds(played));
  constexpr double same = 1e-6;
  if (p.seconds > played * (1 + same))
    numbers += fmt::format("; at least {}, {}", microseconds(p.seconds),
                           p.seconds <= launch.bounds->seconds * (1 + same)
                               ? "the largest floor"
                               : "the line of memory that most atomics meet at");
  group.equations.push_back(
      {"time", "launch_overhead + cycles of the busiest SM / sm_clock", numbers});
  const double warps =
      double(record.shape.grid.count()) * std::ceil(double(record.shape.block.count()) / 32);
  if (p.cycles_alone > 0 && warps > 0) {
    const double instructions = double(record.counters.warp_instructions) / warps;
    group.equations.push_back(
        {"critical path",
         "warp_instructions / warps · cycles from one instruction of a warp alone to its next / "
         "sm_clock",
         fmt::format("{} · {} cycles / {} = {}", three_digits(instructions),
                     three_digits(p.cycles_alone), gigahertz(clock),
                     microseconds(instructions * p.cycles_alone / clock))});
  }
  if (m.issue_per_clock && p.ipc > 0)
    group.equations.push_back(
        {"issue slots in use", "instructions a cycle / issue_per_clock",
         fmt::format("{} / {:g} = {} %", three_digits(p.ipc), *m.issue_per_clock,
                     three_digits(100 * p.ipc / *m.issue_per_clock))});
  return group;
}

// Four gains are arithmetic; for all others the SM is played again without the obstacle.
std::string gain_formula(std::string_view id) {
  if (id == "launch") return "launch_overhead";
  if (id == "tail")
    return "(time − time of whole waves) · (blocks of the busiest SM − blocks / sm_count)";
  if (id == "unequal_work")
    return "critical path · (instructions of the longest warp / of the longest traced − 1)";
  if (id == "few_blocks")
    return "min(work · (1 − blocks / sm_count), work − critical path), work = time − "
           "launch_overhead; without the second where a loop steps by gridDim.x in a grid of one "
           "dimension";
  return "time − time played without it";
}

EquationGroup gains_of(const Prediction& p) {
  EquationGroup group{"Gains", "of the advice, each alone", {}};
  for (const Advice& each : p.advice)
    group.equations.push_back({each.id, gain_formula(each.id),
                               fmt::format("{} − {} = {}", microseconds(p.seconds),
                                           microseconds(p.seconds - each.gain_seconds),
                                           microseconds(each.gain_seconds))});
  return group;
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool names(const std::string& formula, std::string_view fact) {
  for (size_t at = formula.find(fact); at != formula.npos; at = formula.find(fact, at + 1)) {
    const size_t end = at + fact.size();
    if ((at == 0 || !is_of_name(formula[at - 1])) &&
        (end == formula.size() || !is_of_name(formula[end])))
      return true;
  }
  return false;
}

}  // namespace

std::string floor_formula(Resource resource, bool machine_code) {
  switch (resource) {
    case R::issue:
      return of_sm(machine_code ? "warp_instructions" : "(warp_instructions − move_instructions)",
                   "issue_per_clock");
    case R::fp32: return in_lanes("fp32_instructions", "fp32_per_clock");
    case R::fp64:
      return in_lanes(machine_code ? "pipe_fp64" : "fp64_instructions", "fp64_per_clock");
    case R::fp16:
      return in_lanes(machine_code ? "pipe_fp16" : "fp16_instructions", "fp16_per_clock");
    case R::fp32_operations: return operations("fp32", 2);
    case R::fp64_operations: return operations("fp64", 2);
    case R::fp16_operations: return operations("fp16", 4);
    case R::integer:
      return in_lanes("integer_instructions",
                      "min(integer_per_clock + fp32_per_clock, 32 · issue_per_clock)");
    case R::special: return in_lanes("special_instructions", "special_per_clock");
    case R::alu: return in_lanes("pipe_alu", "integer_per_clock");
    case R::fma: return in_lanes("pipe_fma", "fp32_per_clock");
    case R::xu: return in_lanes("pipe_xu", "special_per_clock");
    case R::load_store: return in_lanes(fmt::format("({})", requests), "load_store_units");
    case R::load_store_with_local:
      return in_lanes(fmt::format("({} + {})", requests, local_requests), "load_store_units");
    case R::shared:
      return of_sm("(shared_load_wavefronts + shared_store_wavefronts) · 4 · shared_banks",
                   "shared_bytes_per_clock");
    case R::l1: return in_lanes(fmt::format("({})", l1_sectors), "l1_bytes_per_clock");
    case R::l1_with_local:
      return in_lanes(fmt::format("({} + local_load_sectors + local_store_sectors)", l1_sectors),
                      "l1_bytes_per_clock");
    case R::l2:
      return fmt::format(
          "(min({}, max(unique_sectors − unique_store_sectors, unique_load_sectors − "
          "atomic_sectors)) + {}) · 32 / l2_bandwidth",
          loaded_sectors, passing_sectors);
    case R::l2_without_l1:
      return fmt::format("({} + {}) · 32 / l2_bandwidth", loaded_sectors, passing_sectors);
    case R::dram:
    case R::dram_cold: return "(unique_load_sectors + unique_store_sectors) · 32 / dram_bandwidth";
    case R::dram_hot:
      return "(max(0, unique_load_sectors · 32 − l2_size) + max(0, unique_store_sectors · 32 − "
             "l2_size)) / dram_bandwidth";
  }
  return "";
}

Equations equations_of(const Machine& machine, const ExplainedLaunch& launch) {
  Equations equations;
  const auto add = [&](EquationGroup group) {
    if (!group.equations.empty()) equations.groups.push_back(std::move(group));
  };
  add(floors_of(launch));
  add(waves_of(machine, launch));
  add(hiding_of(machine, launch));
  if (launch.record.prediction) {
    add(time_of(machine, launch));
    add(gains_of(*launch.record.prediction));
  }
  for (const MachineField& field : machine_fields()) {
    const auto is_named = [&](const Equation& each) { return names(each.formula, field.name); };
    if (machine.*field.fact &&
        std::ranges::any_of(equations.groups, [&](const EquationGroup& group) {
          return std::ranges::any_of(group.equations, is_named);
        }))
      equations.constants.push_back(&field);
  }
  return equations;
}

}  // namespace headroom
