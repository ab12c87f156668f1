// Register allocation by linear scan: the virtual registers of a function get registers of a warp
// in its frame. Those that are never live together share one, so that the frame stays in the cache
// however many virtual registers the compiler numbered.
//
//   %f18 live until the FMA that makes %f20   ->   both at frame + 3712
//
// Only registers of one width share (a lane's column must not move), and a register written behind
// a guard or by some lanes keeps what the others have: per-lane flow is a path of the control-flow
// graph like any other.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "sim/program.h"

namespace headroom::sim {

inline constexpr int lane_register_bytes(ptx::Type type) {
  return type == ptx::Type::pred ? 0 : ptx::size_of(type);
}

// How many leading operands an instruction writes (0 or 1; a list or pair counts as one).
int written_operands(const ptx::Instruction&);
// Its result is its addend too (wgmma's d): read and written.
bool adds_onto(const ptx::Instruction&);
// A product of matrices or a move of one: for all lanes of the warp together.
bool is_matrix(const ptx::Instruction&);

// Ends of straight line, and instructions that must start one.
bool is_terminator(const ptx::Instruction&);
bool starts_basic_block(const ptx::Instruction&);  // .sync among the lanes of a warp

struct RegisterAllocation {
  std::vector<uint32_t> at;  // by register: byte offset in the frame
  uint32_t bytes = 0;        // of all of them
  std::vector<Columns> columns;
  std::vector<uint32_t> unset;  // registers that may be read before they are written
};
// `leaders`: first instructions of the straight lines, sorted, [0] == 0.
RegisterAllocation allocate_registers(const ptx::Function&, const std::vector<int>& leaders);

// The bytes of a register of a warp: 32 lanes, predicates one word.
constexpr uint32_t warp_register_bytes(int lane_bytes) {
  return lane_bytes == 0 ? 4 : uint32_t(lane_bytes) * 32;
}

}  // namespace headroom::sim
