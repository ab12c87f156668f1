// Asynchronous copies of single lanes, from global to shared memory, and what waits for them. A copy
// is done when it is issued, as in decode_ptx/copy.cpp.
//
//   LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64], P0    16 bytes where P0 holds, else 16 zeros
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/partial_copy.h"

namespace headroom::sim {

std::span<const MachineDecoder::Entry> MachineDecoder::async_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"LDGSTS", &M::decode_ldgsts},
      {"UTMACCTL", &M::decode_nothing},
  };
  return entries;
}

// [to], [from]{, brings}: a lane whose predicate does not hold stores zeros.
void MachineDecoder::decode_ldgsts(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const int bytes = instruction.has(".128") ? 16 : instruction.has(".64") ? 8 : 4;
  const Address to = shared_address(o.at(0)), from = global_address(o.at(1), Place::global);
  const Operand& brings = o.at(2);
  const bool fills = instruction.has(".ZFILL"), always = is_true(brings) && !brings.inverted;
  const uint32_t data = temporary(bytes);
  const Handler load = engine().load(bytes, false, bytes, 1);
  if (always && !fills)
    memory_operation(from, Use::load, bytes, load, {data});
  else
    load_less(from, flag(brings), fills, bytes, data);
  memory_operation(to, Use::store, bytes, engine().store(bytes, bytes, 1), {data});
}

// .ZFILL: the lowest bits of the address count the bytes that are missing at the end.
void MachineDecoder::load_less(Address from, uint32_t brings, bool fills, int bytes,
                               uint32_t data) {
  add(Row{&clear_copy, &clear_copy}, {data}, 0, uint64_t(bytes));
  uint32_t whole = brings, brought = no_operand;
  if (fills) {
    const uint32_t at = temporary(8), low = temporary(4), missing = temporary(4),
                   all = constant(uint64_t(bytes), 4);
    add("add.u64", {at, from.operand, constant(uint64_t(from.offset), 8)});
    add("!low", {low, at});
    add("and.b32", {missing, low, constant(uint64_t(bytes - 1), 4)});
    add("and.b64", {at, at, constant(~uint64_t(bytes - 1), 8)});
    from = {from.place, at, true, 0};
    brought = temporary(4);
    add("sub.u32", {brought, all, missing});
    add("!select4", {brought, brought, constant(0, 4), brings});
    whole = temporary(0);
    add("setp.ge.u32", {whole, brought, all});
  }
  // The load has a guard of its own, which is to hold for no lane that the instruction's leaves out.
  const uint32_t loads = temporary(0), everybody = constant(~0u, 0);
  const size_t first = program.operations.size();
  add("mov.pred", {loads, whole});
  if (current->guarded) add("and.pred", {loads, loads, flag(current->guard)});
  for (size_t o = first; o < program.operations.size(); ++o)
    program.operations[o].guard = everybody;
  memory_operation(from, Use::load, bytes, engine().load(bytes, false, bytes, 1), {data});
  program.operations.back().guard = loads;
  if (!fills) return;
  add(Row{&copy_partly, &copy_partly}, {data, brought}, from.offset, uint64_t(bytes));
  program.operations.back().operand[address_operand] = from.operand;
}

}  // namespace headroom::sim
