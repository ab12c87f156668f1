// What the toolkit's device runtime (libcudadevrt) calls for a cooperative grid: cudaCGGetIntrinsicHandle and
// cudaCGSynchronize end in functions of the system. The handle is the place where blocks meet (Memory::grid_workspace),
// 0 where the launch is not cooperative. They meet as those of cooperative_groups.h do:
//
//   barrier;  thread 0: before = atomic add of 1, or of block 0 what makes the upper bit change when
//   all have come;  loop until the upper bit is another one than before;  barrier
#include "sim/decode_sass/decoder.h"

namespace headroom::sim {
namespace {

constexpr uint32_t handle_register = 4;  // R4: the handle, then the result
constexpr uint32_t preserved = 6;        // a register that a function called may change
constexpr int64_t met_at = 8;  // in the workspace, where cooperative_groups.h has other words
constexpr uint32_t all_have_come = 0x80000000;

}  // namespace

uint32_t MachineDecoder::product(Special x, Special y, Special z) {
  const uint32_t all = temporary(4);
  add("mul.lo.u32", {all, areas.special(x), areas.special(y)});
  add("mul.lo.u32", {all, all, areas.special(z)});
  return all;
}

// A predicate: one of them is not 0.
uint32_t MachineDecoder::any_of(Special x, Special y, Special z) {
  const uint32_t all = temporary(4), any = temporary(0);
  add("or.b32", {all, areas.special(x), areas.special(y)});
  add("or.b32", {all, all, areas.special(z)});
  add("setp.ne.u32", {any, all, constant(0, 4)});
  return any;
}

void MachineDecoder::decode_grid_handle() {
  open_system_call(System::grid_handle);
  add("!mov4", {reg(handle_register), areas.special(Special::grid_workspace_low)});
  add("!mov4", {reg(handle_register + 1), areas.special(Special::grid_workspace_high)});
  go_back();
}

void MachineDecoder::decode_grid_sync() {
  const auto place = [&] {
    const uint32_t at = wide(reg(handle_register), reg(handle_register + 1));
    return Address{Place::global, at, true, met_at};
  };
  const auto meet = [&] {
    program.basic_blocks.back().barrier = constant(0, 4);
    close_basic_block(Terminator::barrier);
  };
  program.facts.ordered = true;
  open_system_call(System::grid_sync);
  meet();

  open_basic_block();
  program.basic_blocks.back().predicate = any_of(Special::tid_x, Special::tid_y, Special::tid_z);
  const size_t others = program.basic_blocks.size() - 1;
  close_basic_block(Terminator::branch);

  open_basic_block();
  const uint32_t adds = temporary(4),
                 not_first = any_of(Special::ctaid_x, Special::ctaid_y, Special::ctaid_z);
  add("sub.u32", {adds, constant(all_have_come + 1, 4),
                  product(Special::nctaid_x, Special::nctaid_y, Special::nctaid_z)});
  add("selp.b32", {adds, constant(1, 4), adds, not_first});
  memory_operation(place(), Use::atomic, 4, engine().atomic("add", "u32", true),
                   {reg(preserved), adds});
  close_basic_block(Terminator::fall_through);

  open_basic_block();
  const uint32_t now = temporary(4), waits = temporary(0);
  memory_operation(place(), Use::load, 4, engine().load(4, false, 4, 1), {now});
  const uint32_t read = uint32_t(program.operations.size() - 1);
  add("xor.b32", {now, now, reg(preserved)});
  add("setp.lt.u32", {waits, now, constant(all_have_come, 4)});
  program.basic_blocks.back().predicate = waits;
  close_basic_block(Terminator::branch);
  BasicBlock& loop = program.basic_blocks.back();
  loop.target = uint32_t(program.basic_blocks.size() - 1);
  loop.back_edge = loop.spins = loop.waits_for_blocks = true;
  loop.waits_on = read;

  program.basic_blocks[others].target = uint32_t(program.basic_blocks.size());
  open_basic_block();
  meet();

  open_basic_block();
  add("!mov4", {reg(handle_register), constant(0, 4)});
  go_back();
}

}  // namespace headroom::sim
