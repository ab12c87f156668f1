#include "model/pipeline/timing.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/pipeline/issue_rule.h"
#include "model/pipeline/matrix_product.h"
#include "record/pipe.h"
#include "sass/instruction.h"

namespace headroom {
namespace {

bool is(std::string_view opcode, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, opcode) != names.end();
}

Unit usual_unit(const TracedInstruction& traced) {
  const auto on = [&](Pipe pipe) { return traced.pipes >> int(pipe) & 1; };
  const std::string_view opcode = traced.instruction->opcode;
  // Halves take the half of the lanes that multiplies integers (results/h200/unequal.json); ptxas gives every other of
  // independent ones to the tensor cores, as HFMA2.MMA.
  if (on(Pipe::fma))
    return is(opcode, {"IMAD", "IDP", "HADD2", "HFMA2", "HMUL2"}) ? Unit::fma_heavy : Unit::fma;
  if (on(Pipe::fp16)) return Unit::fma;
  if (on(Pipe::alu)) return Unit::alu;
  if (on(Pipe::fp64)) return Unit::fp64;
  if (on(Pipe::xu)) return Unit::xu;
  if (on(Pipe::tensor)) return Unit::tensor;
  if (on(Pipe::lsu)) return Unit::lsu;
  if (on(Pipe::tex)) return Unit::tex;
  if (on(Pipe::uniform)) return Unit::uniform;
  if (on(Pipe::adu)) return Unit::adu;
  if (on(Pipe::cbu)) return Unit::cbu;
  return Unit::none;
}

// Before Volta the same lanes compute with integers.
Unit unit_of(const TracedInstruction& traced, const Machine& machine) {
  const Unit unit = usual_unit(traced);
  const bool one = machine.cc() < 70 && (unit == Unit::alu || unit == Unit::fma_heavy);
  return one ? Unit::fma : unit;
}

// What needs all 64 bits of a product.
bool is_wide(const sass::Instruction& instruction) {
  return instruction.opcode == "IMAD" && (instruction.has(".WIDE") || instruction.has(".HI"));
}

// Texels that an SM filters in a cycle: NVIDIA's white papers of GF100, GK110, GM204, GP100, TU102 and GH100.
double texels_a_cycle(int cc) {
  if (cc >= 30 && cc < 50) return 16;
  if (cc == 21 || (cc >= 50 && cc < 70 && cc != 60)) return 8;
  return 4;
}

// Units that an SM has once: cycles that a warp takes of it. Measured on an H200 (results/h200/sm_units.json), but for
// textures.
double cycles_of_sm(std::string_view opcode, const Machine& machine) {
  if (opcode == "SHFL") return 1;
  if (opcode == "REDUX" || opcode == "MATCH") return 2;  // MATCH.ANY: for each value
  if (is(opcode, {"TEX", "TLD", "TLD4", "TXD"})) return 32 / texels_a_cycle(machine.cc());
  return 0;
}

// Wide products pass twice.
uint16_t cycles_of(Unit unit, const sass::Instruction& instruction, const Machine& machine) {
  if (unit == Unit::tensor)
    return uint16_t(std::clamp(std::round(cycles_of_product(instruction, machine)), 1.0, 4096.0));
  if (const double of_sm = cycles_of_sm(instruction.opcode, machine); of_sm > 0)
    return uint16_t(of_sm * schedulers_of(machine));
  const uint16_t cycles = cycles_on(unit, machine);
  return is_wide(instruction) ? uint16_t(2 * cycles) : cycles;
}

struct Latency {
  double cycles;
  Stall because;
};
Latency latency_of(Unit unit, std::string_view opcode, const Machine& m) {
  switch (unit) {
    case Unit::xu: return {m.special_latency.value_or(17), Stall::short_scoreboard};
    case Unit::fp64: return {m.fp64_latency.value_or(40), Stall::math_pipe_throttle};
    case Unit::tensor: return {m.mma_f16_latency.value_or(24), Stall::math_pipe_throttle};
    case Unit::tex: return {m.l2_latency.value_or(300), Stall::long_scoreboard};
    case Unit::lsu: return {24, Stall::short_scoreboard};
    default: return {opcode == "LDC" ? 30.0 : 22.0, Stall::short_scoreboard};
  }
}

// Of what takes a fixed time, which control words have as a stall: no scoreboard is waited for.
Latency fixed_latency_of(Unit unit, const sass::Instruction& instruction, const Machine& m) {
  const double alu = m.alu_latency.value_or(4);
  switch (unit) {
    case Unit::fma_heavy:
      return {is_wide(instruction) ? m.imad_wide_latency.value_or(alu + 1) : alu, Stall::wait};
    case Unit::fma:
    case Unit::alu: return {alu, Stall::wait};
    case Unit::fp64: return {m.fp64_latency.value_or(2 * alu), Stall::wait};
    case Unit::xu: return {m.special_latency.value_or(17), Stall::short_scoreboard};
    default: return latency_of(unit, instruction.opcode, m);
  }
}

// Constants by an index, which lanes may have different ones of.
bool is_indexed_constant(const sass::Instruction& instruction) {
  return instruction.opcode == "LDC" &&
         std::ranges::any_of(instruction.operands, [](const sass::Operand& operand) {
           return operand.kind == sass::OperandKind::constant &&
                  operand.base != sass::zero_register;
         });
}

Action action_of(const sass::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "UCGABAR_WAIT") return Action::barrier;
  if (opcode == "BAR") return instruction.has(".ARV") ? Action::arrive : Action::barrier;
  if (opcode == "DEPBAR") return Action::depbar;
  if (opcode == "LDGDEPBAR") return Action::async_mark;
  if (is(opcode, {"MEMBAR", "ERRBAR", "FENCE"})) return Action::fence;
  if (opcode == "CCTL" && instruction.has(".IVALL")) return Action::forget;
  if (is(opcode, {"SYNCS", "ARRIVES"})) return Action::mbarrier;
  if (is(opcode, {"UBLKCP", "UBLKRED", "UTMALDG", "UTMASTG", "UTMAREDG", "STAS", "REDAS"}))
    return Action::bulk;
  if (opcode == "UTMACMDFLUSH") return Action::bulk_mark;
  if (is_of_warpgroup(instruction)) return Action::product;
  if (opcode == "WARPGROUP" && instruction.has(".DEPBAR")) return Action::product_wait;
  if (is(opcode,
         {"LDG", "LD",   "STG",    "ST",   "LDS",  "STS", "LDL", "STL",  "ATOM", "ATOMG", "ATOMS",
          "RED", "REDG", "LDGSTS", "LDSM", "STSM", "TEX", "TLD", "TLD4", "SULD", "SUST"}))
    return Action::memory;
  if (is_indexed_constant(instruction)) return Action::memory;
  return Action::plain;
}

bool is_of_floats(std::string_view opcode) {
  return opcode.ends_with("MMA") ||
         is(opcode,
            {"FADD", "FFMA", "FMUL", "FMNMX", "FSEL", "FSET", "FSETP", "FCHK", "FSWZADD", "HADD2",
             "HFMA2", "HMUL2", "HMNMX2", "VHMNMX", "DADD", "DFMA", "DMUL", "DSETP", "MUFU"});
}

// HGMMA.64x32x16.F32 R24, gdesc[UR8], R24, UP0, gsb0: the products of the warp so far are a group.
bool commits(const sass::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const sass::Operand& operand) {
    return operand.kind == sass::OperandKind::word && operand.text.starts_with("gsb");
  });
}

bool is_global(std::string_view opcode) {
  return !is(opcode, {"LDC", "LDS", "STS", "ATOMS", "LDSM", "STSM"});
}

// BAR.SYNC 0x1, 0x40: for 64 threads; DEPBAR.LE SB0, 0x1: until one is pending
void add_numbers(const sass::Instruction& instruction, InstructionTiming& timing) {
  std::vector<int64_t> numbers;
  for (const sass::Operand& operand : instruction.operands) {
    if (operand.kind == sass::OperandKind::word && operand.text == "SB")
      timing.barrier = uint8_t(operand.index);
    if (operand.kind == sass::OperandKind::immediate) numbers.push_back(operand.value);
  }
  if (timing.action == Action::depbar || timing.action == Action::product_wait)
    timing.count = numbers.empty() ? 0 : uint8_t(numbers[0]);
  else if (numbers.size() > 1)
    timing.count = uint8_t((numbers[1] + 31) / 32);
}

// Who needs whose result; a result of several instructions comes one after the other.
void add_registers(const TracedInstruction& traced, const Machine& machine,
                   InstructionTiming& timing) {
  const sass::Instruction& instruction = *traced.instruction;
  if (instruction.guarded) timing.needs.push_back(instruction.guard.index);
  for (const sass::Operand& operand : instruction.operands) {
    if (operand.kind == sass::OperandKind::reg)
      (operand.written ? timing.gives : timing.needs).push_back(operand.index);
    if (operand.kind == sass::OperandKind::memory && operand.has_base)
      timing.needs.push_back(operand.base);
  }
  if (timing.action == Action::memory) return;
  const Latency latency = fixed_latency_of(timing.unit, instruction, machine);
  const double more = std::max(0, traced.times - 1) * machine.alu_latency.value_or(4) / 2;
  timing.latency = uint16_t(latency.cycles + more);
  timing.because = latency.because;
}

void add_reads(const sass::Instruction& instruction, InstructionTiming& timing) {
  timing.reads = sass::register_reads(instruction);
  timing.port_cycles = uint8_t(sass::RegisterPort().read(timing.reads).cycles());
  for (const sass::RegisterRead& read : timing.reads) {
    timing.uses_port |= read.number != sass::zero_register;
    timing.keeps_registers |= read.number != sass::zero_register && read.kept;
  }
}

// Of who waits for its unit.
Stall when_busy(const InstructionTiming& timing) {
  if (timing.action == Action::memory && timing.because == Stall::long_scoreboard)
    return Stall::lg_throttle;
  if (timing.unit == Unit::lsu || timing.unit == Unit::adu || timing.unit == Unit::xu)
    return Stall::mio_throttle;
  return Stall::math_pipe_throttle;
}

InstructionTiming timing_of(const TracedInstruction& traced, const Machine& machine, bool likely) {
  const sass::Instruction& instruction = *traced.instruction;
  const sass::Control& control = instruction.control;
  InstructionTiming timing;
  timing.unit = unit_of(traced, machine);
  timing.action = action_of(instruction);
  timing.times = traced.times;
  timing.cycles = uint16_t(cycles_of(timing.unit, instruction, machine) * traced.on_unit);
  timing.stall = std::max<uint8_t>(1, control.stall);
  timing.wait_mask = control.wait_mask;
  timing.write_barrier = control.write_barrier;
  timing.read_barrier = control.read_barrier;
  const Latency latency = latency_of(timing.unit, instruction.opcode, machine);
  timing.latency = uint16_t(latency.cycles);
  timing.because = timing.action == Action::memory && is_global(instruction.opcode)
                       ? Stall::long_scoreboard
                       : latency.because;
  timing.past_l1 = (instruction.has(".STRONG") || instruction.has(".MMIO")) &&
                   (instruction.has(".GPU") || instruction.has(".SYS"));
  timing.read_only = instruction.has(".CONSTANT");
  timing.all_copies = instruction.opcode == "DEPBAR" && instruction.has(".ALL");
  timing.asynchronous = instruction.opcode == "LDGSTS";
  timing.local = is(instruction.opcode, {"LDL", "STL"});
  timing.shared_load = instruction.opcode == "LDS";
  timing.global_load = is(instruction.opcode, {"LDG", "LD"});
  timing.global_store = is(instruction.opcode, {"STG", "ST"});
  timing.adds = is(instruction.opcode, {"RED", "REDG"});
  if (timing.action == Action::barrier || timing.action == Action::arrive ||
      timing.action == Action::depbar || timing.action == Action::product_wait)
    add_numbers(instruction, timing);
  timing.far = timing.action == Action::memory && is_global(instruction.opcode);
  timing.floats = is_of_floats(instruction.opcode);
  timing.cluster = instruction.opcode == "UCGABAR_WAIT";
  timing.of_device =
      instruction.opcode == "MEMBAR" && !instruction.has(".CTA") && !instruction.has(".SM");
  timing.commits = timing.action == Action::product && commits(instruction);
  timing.constant_line = constant_line(instruction);
  timing.constant_by_uniform = is_constant_by_uniform(instruction);
  if (likely)
    add_registers(traced, machine, timing);
  else if (timing.unit == Unit::fma || timing.unit == Unit::fma_heavy || timing.unit == Unit::alu)
    add_reads(instruction, timing);
  timing.busy = when_busy(timing);
  timing.queues = timing.action == Action::memory && timing.unit != Unit::adu;
  timing.tells = timing.write_barrier < barriers || timing.read_barrier < barriers ||
                 !timing.gives.empty() || timing.far;
  timing.waits = timing.wait_mask || !timing.needs.empty() || timing.all_copies ||
                 timing.action == Action::depbar || timing.action == Action::fence ||
                 timing.action == Action::product_wait;
  return timing;
}

}  // namespace

std::vector<InstructionTiming> timings(const Trace& trace, const Machine& machine) {
  std::vector<InstructionTiming> result;
  for (const TracedInstruction& each : trace.code)
    result.push_back(timing_of(each, machine, trace.likely));
  return result;
}

}  // namespace headroom
