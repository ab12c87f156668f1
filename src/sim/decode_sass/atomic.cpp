// Atomics: of device memory (ATOMG, REDG, RED), shared memory (ATOMS), generic addresses (ATOM).
//
//   ATOMG.E.ADD.64 PT, R4, desc[UR6][R2.64], R8   !join t, R8, R9;  atomic add.u64 u, [a], t;
//                                                 !low R4, u;  !high R5, u
//
// A vector is as many atomics. CAST tests only: its result is 1 where it swapped. ATOM's predicate,
// where one is asked for, says that the address was in device memory and the atomic is done; for
// the others code follows that asks which space it is (QSPC) and does it step by step.
#include <algorithm>
#include <array>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/instruction_class.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {
namespace {

enum class AtomicValues : uint8_t { numbers, bits, floats };

struct NamedAtomic {
  std::string_view modifier, operation;
  AtomicValues values = AtomicValues::numbers;
};
constexpr NamedAtomic atomic_names[] = {
    {".ADD", "add"},
    {".MIN", "min"},
    {".MAX", "max"},
    {".INC", "inc"},
    {".DEC", "dec"},
    {".AND", "and", AtomicValues::bits},
    {".OR", "or", AtomicValues::bits},
    {".XOR", "xor", AtomicValues::bits},
    {".EXCH", "exch", AtomicValues::bits},
    {".CAS", "cas", AtomicValues::bits},
    {".CAST", "cast", AtomicValues::bits},
};

struct AtomicType {
  std::string_view modifier, number, bits;
  int bytes, count = 1;
  bool floats = false;
};
constexpr AtomicType atomic_types[] = {
    {".S32", "s32", "", 4},
    {".64", "u64", "b64", 8},
    {".S64", "s64", "", 8},
    {".128", "", "b128", 16},
    {".F32", "f32", "", 4, 1, true},
    {".F32x2", "f32", "", 4, 2, true},
    {".F32x4", "f32", "", 4, 4, true},
    {".F64", "f64", "", 8, 1, true},
    {".F16x2", "f16x2", "", 4, 1, true},
    {".F16x4", "f16x2", "", 4, 2, true},
    {".F16x8", "f16x2", "", 4, 4, true},
    {".BF16x2", "bf16x2", "", 4, 1, true},
    {".BF16x4", "bf16x2", "", 4, 2, true},
    {".BF16x8", "bf16x2", "", 4, 4, true},
};
constexpr AtomicType plain_word{"", "u32", "b32", 4};

// Of order, caches and rounding: nothing that one thread after the other shows. (SPIN: it may fail
// though the values are alike.)
constexpr std::string_view silent_modifiers[] = {
    ".E",       ".STRONG", ".MMIO", ".CONSTANT", ".CTA", ".SM", ".GPU", ".SYS", ".VC",
    ".PRIVATE", ".EF",     ".EL",   ".LU",       ".EU",  ".NA", ".RN",  ".FTZ", ".SPIN"};

struct AtomicMeaning {
  const NamedAtomic* operation = nullptr;
  const AtomicType* type = &plain_word;
  bool understood = true;
};

AtomicMeaning meaning_of(const sass::Instruction& instruction) {
  AtomicMeaning meant;
  for (const std::string_view modifier : instruction.modifiers) {
    bool known = std::ranges::find(silent_modifiers, modifier) != std::end(silent_modifiers);
    for (const NamedAtomic& each : atomic_names) {
      if (each.modifier != modifier) continue;
      meant.operation = &each;
      known = true;
    }
    for (const AtomicType& each : atomic_types) {
      if (each.modifier != modifier) continue;
      meant.type = &each;
      known = true;
    }
    meant.understood &= known;
  }
  if (meant.type->number == "f32" && !instruction.has(".FTZ")) meant.understood = false;
  return meant;
}

// Who comes first does not show: nobody sees what was there, and the sum is always the same.
bool commutes(const AtomicMeaning& meant) {
  static constexpr std::array<std::string_view, 6> commutative = {"add", "min", "max",
                                                                  "and", "or",  "xor"};
  return !meant.type->floats && std::find(commutative.begin(), commutative.end(),
                                          meant.operation->operation) != commutative.end();
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::atomic_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"ATOM", &M::decode_atomic}, {"ATOMG", &M::decode_atomic}, {"ATOMS", &M::decode_atomic},
      {"RED", &M::decode_atomic},  {"REDG", &M::decode_atomic},
  };
  return entries;
}

uint32_t MachineDecoder::quad(const Operand& operand) {
  const uint32_t all = temporary(16);
  add("!pack16x8", {all, wide(word_at(operand, 0), word_at(operand, 1)),
                    wide(word_at(operand, 2), word_at(operand, 3))});
  return all;
}

void MachineDecoder::write_quad(const Operand& to, uint32_t from) {
  const uint32_t low = temporary(8), high = temporary(8);
  add("!unpack16x8", {low, high, from});
  for (uint32_t n = 0; n < 4; ++n)
    add(n % 2 ? "!high" : "!low", {out_at(to, n), n < 2 ? low : high});
}

Address MachineDecoder::atomic_address(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Kind::memory) continue;
    return instruction.opcode == "ATOMS"  ? shared_address(operand)
           : instruction.opcode == "ATOM" ? global_address(operand, Place::generic)
                                          : global_address(operand, Place::global);
  }
  unsupported();
}

// [p, d,] address[, a[, b]]
void MachineDecoder::decode_atomic(const Instruction& instruction) {
  if (instruction.has(".POPC")) return decode_counting(instruction);
  const AtomicMeaning meant = meaning_of(instruction);
  if (!meant.operation || !meant.understood) unsupported();
  const AtomicType& type = *meant.type;
  const std::string_view spelling =
      meant.operation->values == AtomicValues::bits ? type.bits : type.number;
  const auto& o = instruction.operands;
  const Operand *predicate = nullptr, *to = nullptr;
  std::vector<const Operand*> from;
  bool behind = false;  // the address
  for (const Operand& operand : o) {
    if (operand.kind == Kind::memory)
      behind = true;
    else if (behind)
      from.push_back(&operand);
    else
      (operand.kind == Kind::predicate ? predicate : to) = &operand;
  }
  const bool wants = to && !is_zero(*to), asks = predicate && !is_true(*predicate);
  if (asks && instruction.opcode != "ATOM") unsupported();
  const Address place = atomic_address(instruction);
  const uint32_t done = asks ? in_device_memory(instruction, place) : no_operand;
  const Handler move = engine().atomic(meant.operation->operation, spelling, wants);
  for (int n = 0; n < type.count; ++n) {
    const auto at = uint32_t(n);
    std::vector<uint32_t> data = {no_operand};
    for (const Operand* each : from)
      data.push_back(type.bytes == 4   ? word_at(*each, at)
                     : type.bytes == 8 ? pair(*each)
                                       : quad(*each));
    if (wants)
      data[0] = type.bytes == 4 ? out_at(*to, at) : type.bytes == 8 ? out_pair(*to) : temporary(16);
    Address here = place;
    here.offset += int64_t(n) * type.bytes;
    memory_operation(here, Use::atomic, type.bytes, move, data);
    if (asks) only_where(instruction, done);
    if (wants && type.bytes == 16) write_quad(*to, data[0]);
  }
  if (asks) add("mov.pred", {out_flag(*predicate), done});
  program.facts.ordered |= place.place != Place::shared && (wants || !commutes(meant));
}

// ATOMS.POPC.INC.32 RZ, [address]: each lane that runs counts one.
void MachineDecoder::decode_counting(const Instruction& instruction) {
  const bool is_wide = instruction.has(".64");
  if (!is_zero(instruction.operands.at(0))) unsupported();
  memory_operation(atomic_address(instruction), Use::atomic, is_wide ? 8 : 4,
                   engine().atomic("add", is_wide ? "u64" : "u32", false),
                   {no_operand, constant(1, is_wide ? 8 : 4)});
}

// … of the lanes that the guard lets run.
uint32_t MachineDecoder::in_device_memory(const Instruction& instruction, const Address& place) {
  const uint32_t holds = temporary(0);
  add("!isspace", {holds, place.operand}, 0, 0);
  whatever_the_guard();
  if (!instruction.guarded) return holds;
  const uint32_t runs = flag(instruction.guard);
  if (instruction.guard.inverted) whatever_the_guard();
  add("and.pred", {holds, holds, runs});
  whatever_the_guard();
  return holds;
}

// The last operation runs for these lanes alone, whatever the guard.
void MachineDecoder::only_where(const Instruction& instruction, uint32_t holds) {
  Operation& operation = program.operations.back();
  operation.chains = false;
  operation.guard = holds;
  operation.kind = class_of(instruction);
}

}  // namespace headroom::sim
