// Bulk copies become one operation each, whose operands stand in a list (bulk_copy.h). Groups of
// them are complete when they are committed, as every copy ends at once; prefetches bring nothing
// nearer.
#include <algorithm>

#include "sim/bulk_copy.h"
#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {
namespace {

// Which of `reductions` an instruction asks for.
int64_t reduction_of(const ptx::Instruction& instruction) {
  if (!instruction.has(".reduce")) return no_reduction;
  for (size_t r = 0; r < std::size(reductions); ++r) {
    if (instruction.has("." + std::string(reductions[r]))) return int64_t(r);
  }
  return no_reduction;
}

bool starts_with(const std::vector<std::string>& modifiers, std::string_view prefix) {
  return std::any_of(modifiers.begin(), modifiers.end(),
                     [&](const std::string& m) { return m.starts_with(prefix); });
}

}  // namespace

uint32_t FunctionDecoder::address64(const Operand& operand, Place place) {
  const Address at = address(operand, place);
  uint32_t wide = at.operand;
  if (!at.wide) {
    wide = temporary(8);
    resize(wide, 8, at.operand, 4, false);
  }
  if (at.offset == 0) return wide;
  const uint32_t sum = temporary(8);
  add("add.u64", {sum, wide, shared.constant(uint64_t(at.offset), 8)});
  return sum;
}

void FunctionDecoder::bulk_operation(Handler handler, const std::vector<uint32_t>& operands,
                                     int64_t reduction, Handler move, int bytes, uint32_t mark) {
  const uint64_t first = program.operand_list.size();
  program.operand_list.insert(program.operand_list.end(), operands.begin(), operands.end());
  add(Row{handler, handler}, {no_operand, reduction < 0 ? no_operand : temporary(8)}, reduction,
      first);
  Operation& operation = program.operations.back();
  operation.move = move;
  operation.bytes = uint8_t(bytes);
  operation.site = mark;
}

// cp[.reduce].async.bulk[.tensor.dim].to.from… [to], [from]{, size}{, [mbar]}{, {offsets}}{, mask}…
void FunctionDecoder::decode_bulk_copy(const Instruction& instruction) {
  if (instruction.has(".prefetch")) return;
  for (const char* later : {".cp_mask", ".tile::gather4", ".im2col::w", ".im2col::w::128",
                            ".cta_group::1", ".cta_group::2"}) {
    if (instruction.has(later))
      unsupported(instruction, std::string(later) + " is not of sm_90: it is not executed");
  }
  std::vector<std::string> spaces;  // to, from
  for (const std::string& modifier : instruction.modifiers) {
    if (modifier == ".global" || modifier.starts_with(".shared")) spaces.push_back(modifier);
  }
  const bool stores = spaces.at(0) == ".global", between = spaces.at(1) != ".global" && !stores;
  const bool tensor = instruction.has(".tensor");
  program.facts.more_inputs |= tensor;
  if (stores && spaces.at(1) == ".global")
    unsupported(instruction, "a bulk copy between these spaces");
  if (stores != instruction.has(".bulk_group"))
    unsupported(instruction, stores ? "copies to global memory belong to a .bulk_group"
                                    : "copies to shared memory end at an mbarrier");
  if (tensor && between) unsupported(instruction, "a tensor copy between blocks");

  const std::vector<Operand>& operands = instruction.operands;
  std::vector<uint32_t> list(bulk_operands, no_operand);
  const Operand& to = operands.at(0);
  const Operand& from = operands.at(1);
  const Place other = tensor ? Place::generic : between ? Place::shared : Place::global;
  list[bulk_shared] = address64(stores ? from : to, Place::shared);
  list[bulk_global] = address64(stores ? to : from, other);
  if (tensor) {
    uint32_t n = bulk_coordinate;
    for (const Operand& coordinates : (stores ? to : from).items) {  // one list
      for (const Operand& coordinate : coordinates.items) {
        if (n == bulk_offset) unsupported(instruction, "a tensor has at most 5 dimensions");
        list[n++] = input(coordinate, 4);
      }
    }
    const auto rank = uint32_t(
        instruction.modifiers.at(size_t(starts_with(instruction.modifiers, ".reduce")) + 3)[1] -
        '0');
    if (n - bulk_coordinate != rank)
      unsupported(instruction, "as many coordinates as dimensions are needed");
  }
  size_t next = 2;
  if (!tensor) list[bulk_size] = input(operands.at(next++), 4);
  if (!stores) list[bulk_barrier] = address64(operands.at(next++), Place::shared);
  if (instruction.has(".im2col")) {
    const Operand& offsets = operands.at(next++);
    for (size_t d = 0; d < offsets.items.size() && d < 3; ++d)
      list[bulk_offset + d] = input(offsets.items[d], 4);
  }
  if (instruction.has(".multicast::cluster")) list[bulk_blocks] = input(operands.at(next++), 4);

  const int64_t reduction = reduction_of(instruction);
  Handler move = nullptr;
  int bytes = 8;
  if (reduction >= 0 && !tensor) {
    const ptx::Type type = instruction.type();
    bytes = size_of(type);
    const bool adds_floats = type == ptx::Type::f32 && reductions[reduction] == "add";
    move = engine().atomic(reductions[reduction],
                           adds_floats ? "f32 with subnormals" : name_of(type), false);
    if (!move) unsupported(instruction, "no such reduction");
  }
  const Handler handler = tensor    ? stores ? &tensor_store : &tensor_load
                          : between ? &bulk_between
                          : stores  ? &bulk_store
                                    : &bulk_load;
  bulk_operation(handler, list, reduction, move, bytes,
                 starts_with(instruction.modifiers, ".im2col") ? bulk_im2col : 0);
  const bool floats = instruction.type() == ptx::Type::f32 ||
                      instruction.type() == ptx::Type::f64 ||
                      instruction.type() == ptx::Type::f16 || instruction.type() == ptx::Type::bf16;
  program.facts.ordered |= reduction >= 0 && (floats || tensor);
}

}  // namespace headroom::sim
