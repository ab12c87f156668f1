#include "lab/models.h"

#include <algorithm>

#include "model/bandwidth.h"
#include "model/hiding.h"
#include "model/occupancy.h"

namespace headroom {
namespace {

using Value = std::optional<double>;

struct Question {
  const PredictBy& by;
  const Machine& machine;
  const Key& key;
  const std::vector<std::string>& names;
  const RowsOf& rows;

  Value number(std::string_view name) const { return number_of(key, name); }
};

// The product of all, absent if one is unknown.
Value product(std::initializer_list<Value> factors) {
  double result = 1;
  for (const Value& factor : factors) {
    if (!factor) return std::nullopt;
    result *= *factor;
  }
  return result;
}

Value quotient(Value a, Value b) { return a && b && *b != 0 ? Value(*a / *b) : std::nullopt; }

Value of(const Fact& fact) { return fact.value; }

Value clock_of(const Machine& machine) { return product({of(machine.sm_clock), 1e6}); }

Value operations_in_flight(const Question& q) { return needed_operations(q.machine); }

Value bytes_in_flight(const Question& q) { return quotient(needed_bytes(q.machine), 1000); }

Value threads_for_bytes(const Question& q) {
  return quotient(needed_bytes(q.machine), q.number("bytes"));
}

std::optional<Occupancy> block_on(const Question& q) {
  const auto threads = q.number("threads"), registers = q.number("registers");
  if (!threads || !registers) return std::nullopt;
  BlockShape shape;
  shape.threads = int(*threads);
  shape.registers = int(*registers);
  shape.static_shared = uint64_t(q.number("shared, B").value_or(0));
  return occupancy(q.machine, shape);
}

Value blocks_on_sm(const Question& q) {
  const auto found = block_on(q);
  return found && found->impossible.empty() ? Value(found->blocks) : std::nullopt;
}

Value occupancy_percent(const Question& q) {
  const auto found = block_on(q);
  return found && found->impossible.empty() ? Value(found->fraction * 100) : std::nullopt;
}

Value fact(const Question& q) {
  for (const MachineField& field : machine_fields())
    if (field.name == q.by.fact) return of(q.machine.*field.fact);
  return std::nullopt;
}

Value pins(const Question& q) {
  const Machine& m = q.machine;
  if (!m.memory_clock || !m.memory_bus_width) return std::nullopt;
  return theoretical_bandwidth(*m.memory_clock, *m.memory_bus_width) * 1e-9;
}

Value pins_binary(const Question& q) { return product({pins(q), 1e9 / (1 << 30)}); }

Value register_file(const Question& q) {
  return product({of(q.machine.registers_per_sm), 4.0 / 1024});
}

Value registers_to_shared(const Question& q) {
  return quotient(register_file(q), of(q.machine.shared_per_sm));
}

Value resident_threads(const Question& q) {
  return product({of(q.machine.sm_count), of(q.machine.max_threads_per_sm)});
}

Value operations_a_cycle(const Question& q) {
  return product({of(q.machine.sm_count), of(q.machine.fp32_per_clock)});
}

Value loads_a_cycle(const Question& q) {
  constexpr double bytes = 4;
  return quotient(product({of(q.machine.dram_bandwidth), 1e9}),
                  product({clock_of(q.machine), bytes}));
}

// GFLOP/s, a multiply-add is two operations; GB/s.
Value fp32_of_sm(const Question& q) {
  return product({2, of(q.machine.fp32_per_clock), clock_of(q.machine), 1e-9});
}
Value fp32_peak(const Question& q) { return product({of(q.machine.sm_count), fp32_of_sm(q)}); }
Value fp64_peak(const Question& q) {
  return product(
      {2, of(q.machine.sm_count), of(q.machine.fp64_per_clock), clock_of(q.machine), 1e-9});
}
Value shared_bandwidth(const Question& q) {
  return product(
      {of(q.machine.sm_count), of(q.machine.shared_bytes_per_clock), clock_of(q.machine), 1e-9});
}
Value l1_bandwidth(const Question& q) {
  return product(
      {of(q.machine.sm_count), of(q.machine.l1_bytes_per_clock), clock_of(q.machine), 1e-9});
}
Value instructions_a_byte(const Question& q) {
  return quotient(fp32_peak(q), product({2, of(q.machine.dram_bandwidth)}));
}

Value times_on_executor(const Question& q) {
  if (!q.by.from || !q.rows) return std::nullopt;
  const Results* results = q.rows(q.machine.name, q.by);
  if (!results) return std::nullopt;
  for (const Figure& figure : figures(*q.by.from, *results, q.names, &q.machine))
    if (has_all(q.key, figure.key)) return figure.value;
  return std::nullopt;
}

struct Model {
  std::string_view name, basis;
  Value (*value)(const Question&);
};

constexpr std::string_view little =
    "Little's law: latency x throughput must be in flight; register banks, issue and loaded "
    "latencies are not in it.";
constexpr std::string_view arithmetic = "arithmetic on the machine's facts.";

constexpr std::string_view times = "times on the executor";

constexpr Model models[] = {
    {"operations in flight", little, operations_in_flight},
    {"bytes in flight", little, bytes_in_flight},
    {"threads for bytes", little, threads_for_bytes},
    {"blocks on an SM", "the occupancy calculation of NVIDIA's cuda_occupancy.h.", blocks_on_sm},
    {"occupancy", "the occupancy calculation of NVIDIA's cuda_occupancy.h.", occupancy_percent},
    {"fact", "the machine's fact, as 'headroom machine show' gives it with its source.", fact},
    {"theoretical bandwidth", arithmetic, pins},
    {"theoretical bandwidth in 2^30", arithmetic, pins_binary},
    {"register file", arithmetic, register_file},
    {"register file to shared memory", arithmetic, registers_to_shared},
    {"resident threads", arithmetic, resident_threads},
    {"operations a cycle", arithmetic, operations_a_cycle},
    {"four-byte loads a cycle", arithmetic, loads_a_cycle},
    {"FP32 peak of an SM", arithmetic, fp32_of_sm},
    {"FP32 peak", arithmetic, fp32_peak},
    {"FP64 peak", arithmetic, fp64_peak},
    {"shared memory bandwidth", arithmetic, shared_bandwidth},
    {"L1 bandwidth", arithmetic, l1_bandwidth},
    {"instructions a byte", arithmetic, instructions_a_byte},
    {times,
     "what the study prints on the emulator where events count predicted times, of a smaller "
     "problem.",
     times_on_executor},
};

const Model* find_model(const std::string& name) {
  const auto found = std::ranges::find(models, name, &Model::name);
  return found == std::end(models) ? nullptr : &*found;
}

}  // namespace

Value predict(const PredictBy& by, const Machine& machine, const Key& key,
              const std::vector<std::string>& names, const RowsOf& rows) {
  const Model* model = find_model(by.model);
  if (!model) return std::nullopt;
  if (!by.assume || by.assume->machine != machine.name || machine.dram_latency)
    return model->value({by, machine, key, names, rows});
  Machine assumed = machine;
  assumed.dram_latency.value = by.assume->dram_latency;
  return model->value({by, assumed, key, names, rows});
}

bool runs_on_executor(const PredictBy& by) { return by.model == times; }

std::string_view basis_of(const std::string& name) {
  const Model* model = find_model(name);
  return model ? model->basis : std::string_view();
}

}  // namespace headroom
