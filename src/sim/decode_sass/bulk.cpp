// Bulk copies, plain and of boxes of a tensor: one operation each, once a warp (bulk_copy.h). Their
// uniform registers hold
//
//   UBLKCP.S.G [UR8], [UR4], UR6     {UR8 place, UR9 barrier}, {UR4, UR5} of global memory
//   UBLKCP.G.S [UR8], [UR4], UR6     {UR8, UR9} of global memory, UR4 place
//   UBLKCP.S.S [UR8], [UR4], UR6     {UR8 place, UR9 barrier} in any block, UR4 place
//   UTMALDG.2D [UR8], [UR4], UR6     {UR8 place, UR9 barrier, UR10, UR11 coordinates}, {UR4, UR5} map
//   UTMASTG.2D [UR8], [UR4]          {UR8 place, UR9, UR10 coordinates}, {UR4, UR5} map
//
// UR6 has two halves: the size in units of 16 bytes, or offsets of im2col; and the blocks that get it.
#include "sim/bulk_copy.h"
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/one_lane.h"

namespace headroom::sim {
namespace {

int rank_of(const sass::Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers)
    if (modifier.size() == 3 && modifier[2] == 'D') return modifier[1] - '0';
  return 0;
}

struct Element {
  std::string_view modifier, name;
  int bytes;
};
constexpr Element elements[] = {
    {".S32", "s32", 4}, {".U64", "u64", 8},   {".S64", "s64", 8}, {".F16", "f16", 2},
    {".F32", "f32", 4}, {".BF16", "bf16", 2}, {".F64", "f64", 8}, {"", "u32", 4},
};

const Element& element_of(const sass::Instruction& instruction) {
  for (const Element& element : elements)
    if (instruction.has(element.modifier)) return element;
  return elements[std::size(elements) - 1];
}

int64_t index_of(std::string_view reduction) {
  for (size_t r = 0; r < std::size(reductions); ++r)
    if (reductions[r] == reduction) return int64_t(r);
  return no_reduction;
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::bulk_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"UBLKCP", &M::decode_bulk},          {"UBLKRED", &M::decode_bulk},
      {"UTMALDG", &M::decode_tensor_copy},  {"UTMASTG", &M::decode_tensor_copy},
      {"UTMAREDG", &M::decode_tensor_copy}, {"UBLKPF", &M::decode_nothing},
      {"UTMAPF", &M::decode_nothing},
  };
  return entries;
}

// tensormap.replace writes single words of a map as hardware lays it out. Ours has another layout
// (tensor_map.h), and the words' stores look like any others: PTX tells.
void MachineDecoder::refuse_changed_maps() const {
  if (!program.module.module) return;
  for (const ptx::Function& each : program.module.module->functions) {
    if (each.entry && each.name != function.name) continue;
    for (const ptx::Instruction& instruction : each.body)
      if (instruction.opcode == "tensormap" && instruction.has(".replace"))
        unsupported("a tensor map that the device changes");
  }
}

std::string_view MachineDecoder::reduction_name(const Instruction& instruction) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {".ADD", "add"}, {".MIN", "min"}, {".MAX", "max"}, {".INC", "inc"},
      {".DEC", "dec"}, {".AND", "and"}, {".OR", "or"},   {".XOR", "xor"}};
  for (const auto& [modifier, name] : names)
    if (instruction.has(modifier)) return name;
  return {};
}

uint32_t MachineDecoder::half_of(uint32_t word, bool upper) {
  const uint32_t half = temporary(4);
  if (upper)
    add("shr.u32", {half, word, constant(16, 4)});
  else
    add("and.b32", {half, word, constant(0xffff, 4)});
  return half;
}

void MachineDecoder::bulk_operation(Handler handler, const std::vector<uint32_t>& operands,
                                    int64_t reduction) {
  const uint64_t first = program.operand_list.size();
  program.operand_list.insert(program.operand_list.end(), operands.begin(), operands.end());
  add(Row{handler, handler}, {no_operand, reduction < 0 ? no_operand : temporary(8)}, reduction,
      first);
  program.operations.back().bytes = 8;
}

void MachineDecoder::decode_bulk(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const Operand &to = o.at(0), &from = o.at(1);
  const bool stores = instruction.modifiers.at(0) == ".G",
             between = !stores && instruction.modifiers.at(1) == ".S";
  std::vector<uint32_t> list(bulk_operands, no_operand);
  const Operand& global = stores ? to : from;
  list[bulk_shared] = cluster_pair(uniform_reg(stores ? from.uniform : to.uniform));
  list[bulk_global] = between ? cluster_pair(uniform_reg(from.uniform))
                              : wide(uniform_reg(global.uniform), uniform_reg(global.uniform + 1u));
  if (!stores) list[bulk_barrier] = cluster_pair(uniform_reg(to.uniform + 1u));
  const uint32_t size = word(o.at(2)), bytes = temporary(4);
  add("shl.b32", {bytes, half_of(size, false), constant(4, 4)});
  list[bulk_size] = bytes;
  if (instruction.has(".MULTICAST")) list[bulk_blocks] = half_of(size, true);

  const int64_t reduction = index_of(reduction_name(instruction));
  bulk_operation(between  ? &in_one_lane<&bulk_between>
                 : stores ? &in_one_lane<&bulk_store>
                          : &in_one_lane<&bulk_load>,
                 list, reduction);
  if (reduction >= 0) reduce_in_bulk(instruction);
}

void MachineDecoder::reduce_in_bulk(const Instruction& instruction) {
  const Element& element = element_of(instruction);
  const std::string_view name = reduction_name(instruction);
  const bool bitwise = name == "and" || name == "or" || name == "xor";
  const std::string type = bitwise ? "b" + std::to_string(8 * element.bytes)
                           : element.name == "f32" && name == "add" ? "f32 with subnormals"
                                                                    : std::string(element.name);
  Operation& operation = program.operations.back();
  operation.move = engine().atomic(name, type, false);
  if (!operation.move) unsupported("no such reduction");
  operation.bytes = uint8_t(element.bytes);
  program.facts.ordered |= element.name.find('f') != std::string_view::npos;
}

void MachineDecoder::decode_tensor_copy(const Instruction& instruction) {
  program.facts.more_inputs = true;
  const auto& o = instruction.operands;
  const bool loads = instruction.opcode == "UTMALDG";
  const uint32_t at = o.at(0).uniform, map = o.at(1).uniform;
  const int rank = rank_of(instruction);
  if (rank < 1 || rank > 5 || instruction.has(".1")) unsupported();
  std::vector<uint32_t> list(bulk_operands, no_operand);
  list[bulk_shared] = cluster_pair(uniform_reg(at));
  list[bulk_global] = generic(wide(uniform_reg(map), uniform_reg(map + 1)));
  if (loads) list[bulk_barrier] = cluster_pair(uniform_reg(at + 1));
  for (int d = 0; d < rank; ++d)
    list[bulk_coordinate + uint32_t(d)] = uniform_reg(at + (loads ? 2u : 1u) + uint32_t(d));
  const bool im2col = instruction.has(".IM2COL"), many = instruction.has(".MULTICAST");
  const bool more = o.size() > 2 && o[2].kind == Kind::uniform;
  if (loads && (im2col || many) && !more) unsupported();
  if (many) list[bulk_blocks] = half_of(word(o[2]), true);
  if (loads && im2col) im2col_offsets(word(o[2]), rank - 2, list);
  const int64_t reduction = index_of(reduction_name(instruction));
  bulk_operation(loads ? &in_one_lane<&tensor_load> : &in_one_lane<&tensor_store>, list, reduction);
  program.operations.back().site = im2col ? bulk_im2col : 0;
  program.facts.ordered |= reduction >= 0;
}

// Offsets share 16 bits: one of 16, two of 8, three of 5.
void MachineDecoder::im2col_offsets(uint32_t packed, int count, std::vector<uint32_t>& list) {
  if (count < 1) unsupported();
  const uint32_t bits = count == 1 ? 16 : count == 2 ? 8 : 5;
  for (uint32_t n = 0; n < uint32_t(count); ++n) {
    const uint32_t offset = temporary(4);
    add("shr.u32", {offset, packed, constant(n * bits, 4)});
    add("and.b32", {offset, offset, constant((1u << bits) - 1, 4)});
    list[bulk_offset + n] = offset;
  }
}

}  // namespace headroom::sim
