#include "sim/banks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "sim/stack.h"

namespace headroom::sim {

uint64_t arguments_at(const sass::Module& code, const std::string& kernel) {
  for (const sass::Bank& bank : code.banks)
    if (bank.number == 0 && bank.kernel == kernel && !bank.symbols.empty())
      return bank.symbols.back().offset;
  return code.architecture >= 90 ? 0x210 : 0x160;
}

namespace {

struct Field {
  uint32_t at;
  uint64_t value;
  uint32_t bytes = 4;
};

uint64_t bank_at(const Program& program, int number) {
  for (const ConstantBank& bank : program.banks)
    if (bank.number == number) return bank.at;
  return 0;
}

// Generic addresses of __constant__ variables count from here: from the memory of the first, where
// they lie there as in their bank, else from what the launch has of the bank.
uint64_t constants_window(const Program& program) {
  for (const ConstantBank& bank : program.banks) {
    if (bank.number != 3 || bank.variables.empty()) continue;
    const auto begin = [](const ConstantBank::Variable& v) { return v.address - v.offset; };
    const uint64_t first = begin(bank.variables.front());
    if (std::ranges::all_of(bank.variables, [&](const auto& v) { return begin(v) == first; }))
      return first;
  }
  return param_window + bank_at(program, 3);
}

// Of sm_90: compared with special registers read on an H200 (tests/golden/forms/special.ptx).
std::vector<Field> fields_of(const Program& program, const Launch& launch, const Limits& limits,
                             uint64_t grid_workspace) {
  const LaunchShape& shape = launch.shape;
  const bool is_new = program.code->architecture >= 90;
  std::vector<Field> fields = {
      {0x0, shape.block.x},    {0x4, shape.block.y},
      {0x8, shape.block.z},    {0xc, shape.grid.x},
      {0x10, shape.grid.y},    {0x14, shape.grid.z},
      {0x20, local_window, 8}, {0x28, local_bytes_of_lane(program, limits)}};
  const uint64_t arguments =
      param_window + bank_at(program, 0) + arguments_at(*program.code, shape.kernel);
  const uint32_t registers = is_new ? 0x44 : 0x8c;  // %envreg1, behind it %envreg2
  fields.push_back({registers, grid_workspace >> 32});
  fields.push_back({registers + 4, grid_workspace});
  if (!is_new) {
    fields.push_back({0x18, shared_window, 8});
    fields.push_back({0x40, arguments, 8});
    fields.push_back({0x50, constants_window(program), 8});
  } else {
    fields.push_back({0x2c, shape.dynamic_shared});
    fields.push_back({0x68, 288});
    fields.push_back({0xd0, constants_window(program), 8});
    fields.push_back({0x198, arguments, 8});
    fields.push_back({0x1a0, arguments + program.facts.parameter_bytes - 1, 8});
    fields.push_back({0x114, limits.reserved_shared});
    fields.push_back({0x13c, 0xffff'ffff});
  }
  return fields;
}

// What code computes the special registers of clusters from: %cluster_nctaid and its reciprocals, by
// which %ctaid is divided, %nclusterid, %cluster_nctarank. Of sm_90, from what ptxas makes of these.
std::vector<Field> fields_of_clusters(const LaunchShape& shape) {
  const Dim3 together = shape.cluster_size();
  const auto reciprocal = [](unsigned n) {
    return uint64_t(std::bit_cast<uint32_t>(1.0f / float(n)));
  };
  return {{0x140, shape.cluster.has_value()},
          {0x144, together.x},
          {0x148, together.y},
          {0x14c, together.z},
          {0x150, reciprocal(together.x)},
          {0x154, reciprocal(together.y)},
          {0x158, reciprocal(together.z)},
          {0x15c, shape.grid.x / together.x},
          {0x160, shape.grid.y / together.y},
          {0x164, shape.grid.z / together.z},
          {0x188, together.count()}};
}

// ptxas aligns a parameter by its place in the bank: one of 128 bytes' alignment that begins PTX's
// parameters is at 0x280, not at 0x210.
void place_arguments(const Program& program, const Launch& launch, uint64_t begin,
                     std::span<std::byte> bank) {
  const auto copy = [&](uint64_t to, uint64_t from, uint64_t bytes) {
    if (to < bank.size() && from < launch.arguments.size())
      std::memcpy(bank.data() + to, launch.arguments.data() + from,
                  std::min({bytes, launch.arguments.size() - from, bank.size() - to}));
  };
  const ptx::Function* source = program.functions.front().source;
  if (!source) return copy(begin, 0, launch.arguments.size());
  uint64_t from = 0, to = begin;
  for (const ptx::Variable& parameter : source->parameters) {
    const uint64_t align = uint64_t(std::max(1, parameter.align));
    from = (from + align - 1) / align * align;
    to = (to + align - 1) / align * align;
    copy(to, from, parameter.bytes);
    from += parameter.bytes;
    to += parameter.bytes;
  }
}

}  // namespace

std::vector<std::byte> banks_of(const Program& program, const Launch& launch, const Limits& limits,
                                uint64_t grid_workspace) {
  uint64_t size = 0;
  for (const ConstantBank& bank : program.banks)
    size = std::max<uint64_t>(size, bank.at + bank.content.size());
  std::vector<std::byte> all(size + 16);  // a wide read of the last one stays inside
  for (const ConstantBank& bank : program.banks) {
    std::byte* at = all.data() + bank.at;
    std::copy(bank.content.begin(), bank.content.end(), at);
    for (const ConstantBank::Variable& variable : bank.variables)
      std::memcpy(at + variable.offset, reinterpret_cast<const void*>(variable.address),
                  variable.bytes);
    if (bank.number != 0) continue;
    std::vector<Field> fields = fields_of(program, launch, limits, grid_workspace);
    if (program.code->architecture >= 90)
      for (const Field& field : fields_of_clusters(launch.shape)) fields.push_back(field);
    for (const Field& field : fields) {
      if (field.at + field.bytes <= bank.content.size())
        std::memcpy(at + field.at, &field.value, field.bytes);
    }
    place_arguments(program, launch, arguments_at(*program.code, launch.shape.kernel),
                    {at, bank.content.size()});
  }
  return all;
}

void place_launch_constants(const Program& program, const std::vector<std::byte>& banks,
                            std::byte* constants) {
  for (const LaunchConstant& each : program.launch_constants) {
    for (int lane = 0; lane < lanes; ++lane)
      std::memcpy(constants + each.constant + uint32_t(lane) * each.bytes, banks.data() + each.from,
                  each.bytes);
  }
}

}  // namespace headroom::sim
