// What both decoders share: rows by their spelling; where operands lie that are no registers, in the
// areas of constants and special registers of the warp's block; the ends of straight lines.
//
//   areas.constant(0x3f800000, 4)   1.0f in 32 lanes       areas.special(Special::tid_x)
//   place_operands(program)         every operand an offset from the beginning of the warp's block
#pragma once
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim {

// Rows by spelling and number of operands: "fma.rn.f32/4".
const Row* find_row(std::string_view spelling, int operands);

// Where an access lies: base register (or no_operand), constant offset, and, of kernel parameters, the
// bytes between lanes.
struct Address {
  Place place;
  uint32_t operand;
  bool wide;  // 64 bits
  int64_t offset = 0;
  uint64_t stride = 0;
};

// The operation of a row, of an access. Empty where its operands are too many.
std::optional<Operation> row_operation(const Row&, const std::vector<uint32_t>& operands);
std::optional<Operation> access_operation(const Address&, Use, int bytes, Handler move,
                                          const std::vector<uint32_t>& data);

struct OperandAreas {
  Program& program;
  std::map<std::pair<uint64_t, int>, uint32_t> constant_at{};  // (bits, bytes a lane) -> offset
  std::map<Special, uint32_t> special_at{};

  uint32_t constant(uint64_t bits, int bytes);  // operand; bytes 0: a predicate
  uint32_t special(Special);
};

// How far a call of each operation of a basic block goes, whose operations are the last ones; a chain
// that reaches the terminator stops there.
void chain_operations(Program&, const BasicBlock&);

// From here on an operand is an offset from the beginning of the warp's block. `frames`: bytes of
// the frames of all functions.
void place_operands(Program&, uint32_t frames);

}  // namespace headroom::sim
