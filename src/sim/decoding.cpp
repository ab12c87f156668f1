#include "sim/decoding.h"

#include <algorithm>
#include <cstring>

#include "sim/register_allocation.h"

namespace headroom::sim {

const Row* find_row(std::string_view spelling, int operands) {
  // Never destroyed: a program may launch kernels after everything else has ended.
  static const RowTable& table = *[] {
    auto* rows = new RowTable;
    engine().add_rows(*rows);
    return rows;
  }();
  return table.find(spelling, operands);
}

std::optional<Operation> row_operation(const Row& row, const std::vector<uint32_t>& operands) {
  Operation operation{};
  if (operands.size() > std::size(operation.operand)) return std::nullopt;
  std::fill(std::begin(operation.operand), std::end(operation.operand), no_operand);
  std::copy(operands.begin(), operands.end(), operation.operand);
  operation.full = row.full;
  operation.part = row.part;
  operation.chains = row.chains;
  operation.guard = no_operand;
  return operation;
}

std::optional<Operation> access_operation(const Address& address, Use use, int bytes, Handler move,
                                          const std::vector<uint32_t>& data) {
  if (data.size() > address_operand) return std::nullopt;
  std::optional<Operation> operation = row_operation(Row{}, data);
  operation->operand[address_operand] = address.operand;
  operation->move = move;
  operation->bytes = uint8_t(bytes);
  operation->offset = address.offset;
  operation->extra = address.stride;
  operation->accesses = true;
  operation->place = address.place;
  operation->use = use;
  operation->wide = address.wide;
  return operation;
}

uint32_t OperandAreas::constant(uint64_t bits, int bytes) {
  const auto [entry, added] = constant_at.try_emplace({bits, bytes}, 0);
  if (added) {
    entry->second = uint32_t((program.constants.size() + 63) / 64 * 64);
    program.constants.resize(entry->second + warp_register_bytes(bytes));
    std::byte* at = program.constants.data() + entry->second;
    if (bytes == 0) std::memcpy(at, &bits, 4);
    for (int lane = 0; bytes && lane < lanes; ++lane)
      std::memcpy(at + lane * bytes, &bits, size_t(std::min(bytes, 8)));
  }
  return operand_at(Area::constant, entry->second);
}

uint32_t OperandAreas::special(Special special) {
  const auto [entry, added] = special_at.try_emplace(special, program.special_bytes);
  if (added) {
    program.specials.push_back({special, program.special_bytes});
    program.special_bytes += warp_register_bytes(4);
  }
  return operand_at(Area::special, entry->second);
}

void chain_operations(Program& program, const BasicBlock& basic_block) {
  std::vector<Operation>& operations = program.operations;
  for (uint32_t o = basic_block.last; o-- > basic_block.first;)
    operations[o].together =
        1 + (operations[o].chains && o + 1 < basic_block.last ? operations[o + 1].together : 0);
  if (basic_block.last == basic_block.first || !operations[basic_block.last - 1].chains) return;
  Operation stop{};
  stop.full = stop.part = engine().stop;
  stop.guard = no_operand;
  operations.push_back(stop);
}

void place_operands(Program& program, uint32_t frames) {
  program.constants_at = frames;
  program.specials_at = frames + uint32_t((program.constants.size() + 63) / 64 * 64);
  program.warp_bytes = program.specials_at + (program.special_bytes + 63) / 64 * 64;
  const uint32_t area[] = {0, program.constants_at, program.specials_at};
  auto place = [&](uint32_t& operand) {
    if (operand != no_operand) operand = area[operand & 3] + (operand & ~3u);
  };
  for (Operation& operation : program.operations) {
    for (uint32_t& operand : operation.operand) place(operand);
    place(operation.guard);
  }
  for (uint32_t& operand : program.operand_list) place(operand);
  for (BasicBlock& basic_block : program.basic_blocks) {
    for (uint32_t* operand : {&basic_block.predicate, &basic_block.members, &basic_block.barrier,
                              &basic_block.threads, &basic_block.reduce})
      place(*operand);
  }
}

}  // namespace headroom::sim
