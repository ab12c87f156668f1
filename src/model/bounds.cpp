#include "model/bounds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/quantity.h"

namespace headroom {
namespace {

constexpr double lanes = 32, sector = 32;  // of a warp; bytes

// How far a count made on PTX holds for machine code: it does, it may not, or it does where machine
// code keeps the accesses of the PTX.
enum class Holds { always, perhaps, if_kept };
// Of which engine's counts a floor is: of instructions by what they do, or by the pipe they run on.
enum class Of { both, ptx, machine_code };

// What one SM does every clock: the work of a launch, in units of which it takes `rate` a clock.
struct PerClock {
  Resource resource;
  Holds holds;
  double (*work)(const Counters&);
  double (*weight)(const Machine&);  // rate units per unit of work
  const char* weight_unit;
  std::optional<double> (*rate)(const Machine&);
  const char* rate_unit;
  uint64_t Counters::*folded = nullptr;  // of the work, what machine code does not execute
  const char* note = "";                 // behind the equation
  Of of = Of::both;
};

template <Fact Machine::*fact>
std::optional<double> rate_of(const Machine& machine) {
  return (machine.*fact).value;
}
template <uint64_t Counters::*... counts>
double sum_of(const Counters& counters) {
  return (double(counters.*counts) + ...);
}
// Nothing where there are no local accesses: the floor without them says the same.
template <uint64_t Counters::*... counts>
double sum_with_local(const Counters& counters) {
  bool local = counters.local_load_requests || counters.local_store_requests;
  return local ? sum_of<counts...>(counters) : 0;
}
// Operations of the lanes alone: special functions run beside them, in units of their own, and
// count no more than two a lane.
template <uint64_t Counters::*operations>
double lane_operations(const Counters& counters) {
  return std::max(0.0,
                  double(counters.*operations) - 2 * lanes * double(counters.special_instructions));
}
double one(const Machine&) { return 1; }
double a_warp(const Machine&) { return lanes; }
double a_sector(const Machine&) { return sector; }
// Every bank once: 128 bytes, 64 on machines with 16 banks.
double a_wavefront(const Machine& machine) { return 4 * machine.shared_banks.value_or(32); }

// A multiply-add is two operations, and no instruction does more on a lane's value: as many
// operations bound the time however machine code forms instructions of them, if it leaves none out.
template <Fact Machine::*fact, int values>
std::optional<double> operations_of(const Machine& machine) {
  const std::optional<double> rate = (machine.*fact).value;
  return rate ? std::optional(*rate * 2 * values) : std::nullopt;
}

// The compiler moves integer work to the FP32 lanes (IMAD for additions and moves) as it sees fit,
// so only both together bound it, and no more than the schedulers issue.
std::optional<double> integer_rate(const Machine& machine) {
  if (!machine.integer_per_clock || !machine.fp32_per_clock) return std::nullopt;
  double both = *machine.integer_per_clock + *machine.fp32_per_clock;
  return machine.issue_per_clock ? std::min(both, *machine.issue_per_clock * lanes) : both;
}

constexpr Basis exact = Basis::exact, estimate = Basis::estimate;

// Accesses are counted on PTX: a bound only where machine code has them all, none joined.
const char* doubt_of_accesses(const Resources& resources) {
  if (!resources.accesses_kept) return "if machine code, which was not read, keeps the accesses";
  return *resources.accesses_kept ? "" : "but ptxas merges or eliminates accesses of this kernel";
}
constexpr Holds always = Holds::always, perhaps = Holds::perhaps, if_kept = Holds::if_kept;
using C = Counters;
using R = Resource;
constexpr const char* per_lane = "lanes";
constexpr const char* drops_none = "if ptxas eliminates none";

// Of PTX, instructions are estimates, as machine code has other numbers of them; of machine code they
// are bounds, by the pipe that executes them. What the memory system sees is counted as a profiler counts it, as far as machine code keeps the
// accesses; local accesses may stay in registers.
const PerClock units[] = {
    {R::issue, perhaps, sum_of<&C::warp_instructions>, one, "", rate_of<&Machine::issue_per_clock>,
     "per clk", &C::move_instructions},
    {R::fp32, perhaps, sum_of<&C::fp32_instructions>, a_warp, per_lane,
     rate_of<&Machine::fp32_per_clock>, "lanes/clk", nullptr, "", Of::ptx},
    {R::fp64, perhaps, sum_of<&C::fp64_instructions>, a_warp, per_lane,
     rate_of<&Machine::fp64_per_clock>, "lanes/clk", nullptr, "", Of::ptx},
    {R::fp16, perhaps, sum_of<&C::fp16_instructions>, a_warp, per_lane,
     rate_of<&Machine::fp16_per_clock>, "lanes/clk", nullptr, "", Of::ptx},
    {R::fp32_operations, always, lane_operations<&C::fp32_operations>, one, "",
     operations_of<&Machine::fp32_per_clock, 1>, "per clk", nullptr, drops_none},
    {R::fp64_operations, always, lane_operations<&C::fp64_operations>, one, "",
     operations_of<&Machine::fp64_per_clock, 1>, "per clk", nullptr, drops_none},
    {R::fp16_operations, always, lane_operations<&C::fp16_operations>, one, "",
     operations_of<&Machine::fp16_per_clock, 2>, "per clk", nullptr, drops_none},
    {R::integer, perhaps, sum_of<&C::integer_instructions>, a_warp, per_lane, integer_rate,
     "lanes/clk", nullptr, "on integer and FP32 lanes: ptxas moves work to both", Of::ptx},
    {R::special, perhaps, sum_of<&C::special_instructions>, a_warp, per_lane,
     rate_of<&Machine::special_per_clock>, "lanes/clk", nullptr, "", Of::ptx},
    {R::alu, always, sum_of<&C::pipe_alu>, a_warp, per_lane, rate_of<&Machine::integer_per_clock>,
     "lanes/clk", nullptr, "", Of::machine_code},
    {R::fma, always, sum_of<&C::pipe_fma>, a_warp, per_lane, rate_of<&Machine::fp32_per_clock>,
     "lanes/clk", nullptr, "", Of::machine_code},
    {R::fp64, always, sum_of<&C::pipe_fp64>, a_warp, per_lane, rate_of<&Machine::fp64_per_clock>,
     "lanes/clk", nullptr, "", Of::machine_code},
    {R::fp16, always, sum_of<&C::pipe_fp16>, a_warp, per_lane, rate_of<&Machine::fp16_per_clock>,
     "lanes/clk", nullptr, "", Of::machine_code},
    {R::xu, always, sum_of<&C::pipe_xu>, a_warp, per_lane, rate_of<&Machine::special_per_clock>,
     "lanes/clk", nullptr, "", Of::machine_code},
    {R::load_store, if_kept,
     sum_of<&C::global_load_requests, &C::global_store_requests, &C::atomic_requests,
            &C::shared_load_instructions, &C::shared_store_instructions,
            &C::shared_atomic_instructions>,
     a_warp, per_lane, rate_of<&Machine::load_store_units>, "lanes/clk"},
    {R::load_store_with_local, perhaps,
     sum_with_local<&C::global_load_requests, &C::global_store_requests, &C::local_load_requests,
                    &C::local_store_requests, &C::atomic_requests, &C::shared_load_instructions,
                    &C::shared_store_instructions, &C::shared_atomic_instructions>,
     a_warp, per_lane, rate_of<&Machine::load_store_units>, "lanes/clk"},
    {R::shared, if_kept, sum_of<&C::shared_load_wavefronts, &C::shared_store_wavefronts>,
     a_wavefront, "B", rate_of<&Machine::shared_bytes_per_clock>, "B/clk"},
    {R::l1, if_kept, sum_of<&C::global_load_sectors, &C::global_store_sectors>, a_sector, "B",
     rate_of<&Machine::l1_bytes_per_clock>, "B/clk"},
    {R::l1_with_local, perhaps,
     sum_with_local<&C::global_load_sectors, &C::global_store_sectors, &C::local_load_sectors,
                    &C::local_store_sectors>,
     a_sector, "B", rate_of<&Machine::l1_bytes_per_clock>, "B/clk"},
};

bool is_zero(const Fact& fact) { return fact && *fact == 0; }

bool reads_l1(Resource resource) { return resource == R::l1 || resource == R::l1_with_local; }

struct Sum {
  const Machine& machine;
  Bounds& bounds;
  const char* doubt;  // of the accesses counted; "": none
  bool machine_code;  // counted on what a GPU executes: nothing is folded, merged or left out
  bool by_pipe;       // … and by pipe: records of before have no such counters
  bool measured;      // which pipe executes what was measured on this architecture

  // A fact that is 0 says that the machine has no such unit; no time can be given for it either.
  bool known(Resource resource, const std::optional<double>& rate) {
    if (rate && *rate > 0) return true;
    bounds.unknown.push_back(resource);
    return false;
  }

  void add(const PerClock& unit, const Counters& counters, double sms) {
    if (unit.of == (by_pipe ? Of::ptx : Of::machine_code)) return;
    const bool folds = unit.folded && !machine_code;
    double all = unit.work(counters), folded = folds ? double(counters.*unit.folded) : 0;
    double work = all - folded;
    if (work <= 0) return;
    auto rate = unit.rate(machine);
    if (!rate && reads_l1(unit.resource) && is_zero(machine.l1_size)) return;
    if (!known(unit.resource, rate)) return;
    double weight = unit.weight(machine), clock = *machine.sm_clock * 1e6;
    double seconds = work * weight / (sms * *rate * clock);
    std::string amount = prefixed(all, "");
    if (folded > 0) amount = fmt::format("({} − {} moves)", amount, prefixed(folded, ""));
    amount += fmt::format(" {}", row_of(unit.resource).unit);
    if (*unit.weight_unit) amount += fmt::format(" · {:g} {}", weight, unit.weight_unit);
    std::string equation = fmt::format("{} / ({:g} {} · {:g} {} · {:g} GHz) = {}", amount, sms,
                                       sms == 1 ? "SM" : "SMs", *rate, unit.rate_unit, clock / 1e9,
                                       microseconds(seconds));
    const bool doubted = unit.holds == if_kept && *doubt;
    const bool sure = machine_code || (unit.holds != perhaps && !doubted);
    const Basis basis = sure ? exact : estimate;
    const bool assumed = unit.of == Of::machine_code && !measured;
    for (const char* note : {machine_code ? "" : unit.note, doubted ? doubt : "",
                             assumed ? "if its pipes are those of sm_90" : ""})
      if (*note) equation += fmt::format(", {}", note);
    bounds.floors.push_back({unit.resource, seconds, basis, equation, true});
  }

  // `bytes` through a resource of the whole chip, in GB/s.
  void add(Resource resource, double bytes, double bandwidth, Basis basis, bool certain,
           std::string_view condition) {
    double seconds = bytes / (bandwidth * 1e9);
    std::string equation =
        fmt::format("{} / {:g} GB/s = {}", prefixed(bytes, row_of(resource).unit), bandwidth,
                    microseconds(seconds));
    if (!condition.empty()) equation += fmt::format(", {}", condition);
    bounds.floors.push_back({resource, seconds, basis, equation, certain});
  }
};

// Each sector that is loaded comes through L2 at least once, each store and atomic goes to it;
// whether L1 filters the other loads is not known. The unique sectors include those that only
// atomics touched: those that may be are taken off, lest they count twice.
void add_l2(Sum& sum, const Counters& counters) {
  double loads = sector * sum_of<&C::global_load_sectors, &C::bulk_load_sectors>(counters);
  double atomics = double(counters.atomic_sectors) * sector;
  double passing =
      sector * sum_of<&C::global_store_sectors, &C::bulk_store_sectors>(counters) + atomics;
  double only_read = double(counters.unique_sectors - counters.unique_store_sectors) * sector;
  double fetched = std::max(only_read, double(counters.unique_load_sectors) * sector - atomics);
  double least = std::min(fetched, loads) + passing;
  if (is_zero(sum.machine.l2_size)) return;
  if (loads + passing == 0 || !sum.known(R::l2, sum.machine.l2_bandwidth.value)) return;
  double bandwidth = *sum.machine.l2_bandwidth;
  sum.add(R::l2, least, bandwidth, exact, true, "");
  if (loads + passing > least)
    sum.add(R::l2_without_l1, loads + passing, bandwidth, sum.machine_code ? exact : estimate,
            false, "if L1 held nothing");
}

void add_dram(Sum& sum, const Counters& counters) {
  Bounds& bounds = sum.bounds;
  if (bounds.unique_bytes == 0 || !sum.known(R::dram, sum.machine.dram_bandwidth.value)) return;
  double bandwidth = *sum.machine.dram_bandwidth;
  if (!sum.machine.l2_size) {
    bounds.unknown.push_back(R::dram_hot);
    return sum.add(R::dram_cold, bounds.unique_bytes, bandwidth, exact, false,
                   "if L2 held nothing before");
  }
  double l2 = *sum.machine.l2_size * 1024;
  bounds.fits_l2 = bounds.footprint_bytes <= l2;
  double read = double(counters.unique_load_sectors) * sector,
         written = double(counters.unique_store_sectors) * sector;
  double hot = std::max(0.0, read - l2) + std::max(0.0, written - l2);
  if (bounds.fits_l2) {
    sum.add(R::dram_cold, bounds.unique_bytes, bandwidth, exact, false,
            "if L2 held nothing before");
    sum.add(R::dram_hot, 0, bandwidth, exact, true,
            fmt::format("the {} touched fit the L2 of {}", mebibytes(bounds.footprint_bytes),
                        mebibytes(l2)));
    return;
  }
  sum.add(R::dram_cold, bounds.unique_bytes, bandwidth, exact, true, "");
  // Little more than L2 holds: a part may survive in it from one launch to the next.
  constexpr double worth_saying = 0.75;
  if (hot < worth_saying * bounds.unique_bytes) {
    sum.add(R::dram_hot, hot, bandwidth, exact, false,
            fmt::format("if the L2 of {} kept all it can", mebibytes(l2)));
    bounds.caveats.push_back(
        {"the DRAM floor assumes that L2 holds none of the data at the start",
         fmt::format("{} touched, L2 holds {}", mebibytes(bounds.footprint_bytes), mebibytes(l2)),
         "for a launch that repeats the one before take the floor \"DRAM, L2 warm\""});
  }
}

// FLOP/s of the machine for this launch's mix of precisions; of FP32 when it has no arithmetic.
std::optional<double> peak_flops(const Machine& machine, const Counters& counters) {
  struct Precision {
    double operations;
    const Fact& rate;
    double per_instruction;  // an FMA is two, on one value or on two
  };
  const Precision precisions[] = {{double(counters.fp32_operations), machine.fp32_per_clock, 2},
                                  {double(counters.fp64_operations), machine.fp64_per_clock, 2},
                                  {double(counters.fp16_operations), machine.fp16_per_clock, 4}};
  double operations = 0, clocks = 0;
  for (const Precision& precision : precisions) {
    if (precision.operations == 0) continue;
    if (precision.rate.value_or(0) == 0) return std::nullopt;
    operations += precision.operations;
    clocks += precision.operations / (*precision.rate * precision.per_instruction);
  }
  double per_clock = operations > 0 ? operations / clocks : 2 * machine.fp32_per_clock.value_or(0);
  if (per_clock == 0) return std::nullopt;
  return per_clock * *machine.sm_count * *machine.sm_clock * 1e6;
}

void add_roofline(const Machine& machine, const Counters& counters, Bounds& bounds) {
  double operations = double(counters.fp32_operations) + double(counters.fp64_operations) +
                      double(counters.fp16_operations);
  if (bounds.unique_bytes > 0) bounds.arithmetic_intensity = operations / bounds.unique_bytes;
  auto peak = peak_flops(machine, counters);
  if (!peak || machine.dram_bandwidth.value_or(0) == 0) return;
  bounds.machine_balance = *peak / (*machine.dram_bandwidth * 1e9);
  bounds.memory_side =
      bounds.unique_bytes > 0 && bounds.arithmetic_intensity < bounds.machine_balance;
}

// Blocks are whole: some SMs get one more than the average that the per-SM floors are made of.
void mention_tail(const Machine& machine, double blocks, const Occupancy& occupancy,
                  Bounds& bounds) {
  if (blocks == 0) return;
  double sms = *machine.sm_count, busiest = std::ceil(blocks / sms), average = blocks / sms;
  if (blocks < sms)
    bounds.caveats.push_back(
        {fmt::format("{:g} of {:g} SMs {} a block", blocks, sms, blocks == 1 ? "has" : "have"),
         "the grid is smaller than the machine", "launch more, smaller blocks"});
  else if (constexpr double noticeable = 1.1; busiest / average > noticeable)
    bounds.caveats.push_back(
        {fmt::format(
             "the last blocks leave SMs idle: the busiest has {:g} blocks, the average is {}",
             busiest, three_digits(average)),
         fmt::format("{:g} blocks over {:g} SMs of {} at a time", blocks, sms, occupancy.blocks),
         fmt::format("a multiple of {:g} blocks fills every SM", sms)});
}

// A verdict that hangs on a rate nobody knows must say so: the largest floor is that of the others.
void mention_unknown_rates(const Machine& machine, Bounds& bounds) {
  std::vector<std::string_view> rates;
  for (const Resource each : bounds.unknown)
    if (each != R::dram_hot && std::ranges::find(rates, title_of(each)) == rates.end())
      rates.push_back(title_of(each));
  if (rates.empty()) return;
  bounds.caveats.push_back(
      {fmt::format("no floor for {}, which may be the largest", fmt::join(rates, ", ")),
       fmt::format("the rates of {} are unknown", machine.name),
       "put them into a copy of its file and give that to --machine"});
}

// Their rate depends on the types multiplied, which are not counted apart.
void mention_tensor_cores(const Machine& machine, double sms, const Counters& counters,
                          Bounds& bounds) {
  if (counters.tensor_operations == 0) return;
  const double operations = double(counters.tensor_operations);
  std::string as_fp16;
  if (machine.tensor_f16_per_clock.value_or(0) > 0 && machine.sm_clock)
    as_fp16 = fmt::format(
        " (as mma of FP16 they would take {} µs)",
        three_digits(operations / 2 / (sms * *machine.tensor_f16_per_clock * *machine.sm_clock)));
  bounds.caveats.push_back({"products on tensor cores are in no floor",
                            fmt::format("{} of them were counted{}, but not of which types",
                                        prefixed(operations, "FLOP"), as_fp16),
                            "divide them by the rate that your GPU reaches with these types"});
}

// What the link to the host carries a second is a fact of the computer, not of the machine.
void mention_host_memory(const Counters& counters, Bounds& bounds) {
  const double bytes = sector * sum_of<&C::host_load_sectors, &C::host_store_sectors>(counters);
  if (bytes == 0) return;
  bounds.caveats.push_back(
      {"memory of the host is in no floor of DRAM or of the link",
       fmt::format("{} of what the kernel asked for lie in pinned, mapped or registered memory, "
                   "which is reached over the link, tens of times slower than DRAM",
                   prefixed(bytes, "B")),
       "copy what is used more than once to the device"});
}

// How many lanes of a warp hit one address decides what an atomic costs, by no rule that is known.
void mention_atomics(const Counters& counters, Bounds& bounds) {
  if (counters.shared_atomic_instructions > 0)
    bounds.caveats.push_back(
        {"shared atomics are in no floor but as one request each",
         "what they cost depends on how many lanes hit one address, which is not counted", ""});
  if (counters.atomic_requests > 0)
    bounds.caveats.push_back(
        {"of global atomics only requests and sectors are counted",
         "contention for one address is in no floor; real time may be far higher", ""});
}

}  // namespace

Bounds bound(const Machine& machine, const LaunchRecord& launch, const Occupancy& occupancy) {
  const Counters& counters = launch.counters;
  Bounds bounds;
  bounds.useful_bytes = double(counters.global_load_bytes) + double(counters.global_store_bytes);
  bounds.moved_bytes =
      sector * sum_of<&C::global_load_sectors, &C::global_store_sectors, &C::local_load_sectors,
                      &C::local_store_sectors, &C::atomic_sectors, &C::bulk_load_sectors,
                      &C::bulk_store_sectors>(counters);
  bounds.unique_bytes =
      sector * sum_of<&C::unique_load_sectors, &C::unique_store_sectors>(counters);
  bounds.footprint_bytes = sector * double(counters.unique_sectors);

  double blocks = double(launch.shape.grid.count());
  const double sms = std::min(*machine.sm_count, std::max(1.0, blocks));
  const bool machine_code = launch.engine == Engine::machine;
  Sum sum{machine,
          bounds,
          machine_code ? "" : doubt_of_accesses(launch.resources),
          machine_code,
          machine_code && (counters.pipe_alu | counters.pipe_fma | counters.pipe_cbu) != 0,
          machine.cc() == 90};
  for (const PerClock& unit : units) sum.add(unit, counters, sms);
  add_l2(sum, counters);
  add_dram(sum, counters);
  add_roofline(machine, counters, bounds);
  mention_unknown_rates(machine, bounds);
  if (!launch.prediction) {  // which knows them
    mention_tail(machine, blocks, occupancy, bounds);
    mention_atomics(counters, bounds);
  }
  mention_tensor_cores(machine, sms, counters, bounds);
  mention_host_memory(counters, bounds);

  std::ranges::stable_sort(bounds.floors, [](const Floor& a, const Floor& b) {
    return a.certain != b.certain ? a.certain : a.seconds > b.seconds;
  });
  if (!bounds.floors.empty() && bounds.floors.front().certain) {
    bounds.limiter = 0;
    bounds.seconds = bounds.floors.front().seconds;
  }
  auto surest = std::ranges::find_if(bounds.floors, [](const Floor& floor) {
    return floor.certain && floor.basis == Basis::exact;
  });
  if (surest != bounds.floors.end()) {
    bounds.certain_limiter = int(surest - bounds.floors.begin());
    bounds.certain_seconds = surest->seconds;
  }
  return bounds;
}

}  // namespace headroom
