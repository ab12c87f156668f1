// What else the asynchronous parts of an SM do: changes of tensor maps, stores into other blocks of
// the cluster.
#include <algorithm>

#include "sim/decode_ptx/decoder.h"
#include "sim/remote_store.h"
#include "sim/tensor_map_operations.h"

namespace headroom::sim {

// tensormap.replace.tile.field{.space}.b1024.type [addr]{, dimension}, value
// tensormap.cp_fenceproxy… [global], [shared], 128
void FunctionDecoder::decode_tensor_map(const Instruction& instruction) {
  program.facts.more_inputs = program.facts.more_outputs = true;
  const std::vector<Operand>& operands = instruction.operands;
  if (!instruction.has(".replace")) {
    const uint32_t to = address64(operands.at(0), Place::global);
    return add(Row{&copy_tensor_map, &copy_tensor_map},
               {to, address64(operands.at(1), Place::shared)});
  }
  const auto field = std::find(std::begin(tensor_map_fields), std::end(tensor_map_fields),
                               std::string_view(instruction.modifiers.at(2)).substr(1));
  const bool in_shared = instruction.has(".shared") || instruction.has(".shared::cta");
  const uint32_t map = address64(operands.at(0), in_shared                    ? Place::shared
                                                 : instruction.has(".global") ? Place::global
                                                                              : Place::generic);
  const Operand* dimension = operands.size() == 3 ? &operands[1] : nullptr;
  if (dimension && dimension->kind != Kind::immediate)
    unsupported(instruction, "the dimension must be a constant");
  add(Row{&replace_in_tensor_map, &replace_in_tensor_map}, {map, input(operands.back(), 8)},
      field - std::begin(tensor_map_fields), dimension ? dimension->bits : 0);
  program.operations.back().site = in_shared;
}

// st.async{.vec}.type [a], b, [mbar];   red.async.op.type [a], b, [mbar]
void FunctionDecoder::decode_remote_store(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  const int bytes = size_of(instruction.type());
  const bool reduces = instruction.opcode == "red";
  const std::vector<Operand> whole =
      operands.at(1).kind == Kind::list ? operands[1].items : std::vector<Operand>{operands.at(1)};
  if (whole.size() != size_t(vector_length(instruction)) || whole.size() > 4)
    unsupported(instruction, "a vector of another length");
  std::vector<uint32_t> list(6, no_operand);
  for (size_t n = 0; n < whole.size(); ++n) list[n + (reduces ? 1 : 0)] = input(whole[n], bytes);
  list[4] = address64(operands.at(2), Place::shared);
  list[5] = address64(operands.at(0), Place::shared);
  Handler move = nullptr;
  if (reduces) {
    for (const char* operation : {"add", "min", "max", "inc", "dec", "and", "or", "xor"}) {
      if (instruction.has("." + std::string(operation)))
        move = engine().atomic(operation, name_of(instruction.type()), false);
    }
    if (!move) unsupported(instruction, "no such reduction");
  }
  const Handler handler = reduces ? &reduce_remotely : &store_remotely;
  add(Row{handler, handler}, list, 0, whole.size());
  program.operations.back().bytes = uint8_t(bytes);
  program.operations.back().move = move;
}

}  // namespace headroom::sim
