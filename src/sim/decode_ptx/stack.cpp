// alloca, stacksave, stackrestore: what a thread takes of its local memory (stack.h). A function
// that takes some gives it back when it returns.
#include "sim/stack.h"

#include <bit>

#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {

// In a basic block of its own: the function's first label may lead back to what follows.
void FunctionDecoder::begin_stack_frame() {
  open_basic_block();
  if (index == 0) {
    add(Row{&begin_stack, &begin_stack}, {});
  } else {
    allocation.columns.push_back({frame_at + frame_bytes, 8, 1});
    stack_before = operand_at(Area::frame, frame_at + frame_bytes);
    frame_bytes += 8 * lanes;
    add(Row{&save_stack, &save_stack}, {*stack_before});
  }
  close_basic_block(Terminator::fall_through, current_index);
}

// alloca.size ptr, size{, immAlign};   stacksave.size d;   stackrestore.size a
void FunctionDecoder::decode_stack(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  if (instruction.opcode == "stackrestore")
    return add(Row{&restore_stack, &restore_stack}, {input(operands.at(0), 8)});
  if (instruction.opcode == "stacksave") {
    add(Row{&save_stack, &save_stack}, {output(operands.at(0), 8)});
    return finish_outputs();
  }
  const uint64_t align = operands.size() > 2 ? operands[2].bits : 8;
  if (!std::has_single_bit(align) || align > 1 << 23)
    unsupported(instruction, "the alignment must be a power of two up to 2^23");
  const uint32_t size = input(operands.at(1), 8);
  add(Row{&take_stack, &take_stack}, {output(operands.at(0), 8), size}, 0,
      std::max<uint64_t>(align, 8));
  finish_outputs();
}

}  // namespace headroom::sim
