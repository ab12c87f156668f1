// A warp's turn ends before a store that warps running abreast would have read past, as with PTX
// (decode_ptx/overwrites.h). What an address is of the thread's index the PTX tells better than
// machine code; which machine instruction a store of it became nothing tells, so that all stores of
// its space count. Most kernels have none.
#include "sim/decode_ptx/overwrites.h"

#include "sim/decode_sass/decoder.h"

namespace headroom::sim {

void MachineDecoder::find_overwrites() {
  if (!program.module.module || options.axes == 0) return;
  for (const ptx::Function& source : program.module.module->functions) {
    if (source.entry && source.name != program.kernel) continue;
    for (const int index : overwriting_stores(source, options.axes)) {
      const ptx::Instruction& store = source.body[size_t(index)];
      const bool shared = store.has(".shared") || store.has(".shared::cta"),
                 global = store.has(".global");
      overwrites_shared |= shared || !global;
      overwrites_global |= global || !shared;
    }
  }
}

bool MachineDecoder::overwrites(const Instruction& instruction) const {
  if (instruction.opcode == "STS") return overwrites_shared;
  if (instruction.opcode == "STG") return overwrites_global;
  return instruction.opcode == "ST" && (overwrites_shared || overwrites_global);
}

// A basic block of its own, so that those who branch to the store pass it as well.
void MachineDecoder::end_turn() {
  open_basic_block();
  current_index = uint32_t(program.instructions.size());
  close_basic_block(Terminator::fall_through);
  program.basic_blocks.back().ends_turn = true;
}

}  // namespace headroom::sim
