// A machine register holds one value after the other. A web is one of them: the writes that can be
// read at one place, and all their reads.
//
//   FLO R6, UR6            web 1
//   ISETP.EQ P0, R6, R13   web 1
//   SHFL.IDX R6, R11, R6   reads web 1, writes web 2
#pragma once
#include <cstdint>
#include <vector>

#include "sim/program.h"
#include "sim/waiting_loops.h"

namespace headroom::sim {

struct InstructionRegisters {
  std::vector<LoopRegister> registers;
  bool guarded = false;  // what it writes may be what was there
};

class Webs {
 public:
  // Of the instructions of these basic blocks, all of a program; there are `registers` registers.
  Webs(const std::vector<BasicBlock>&, const std::vector<InstructionRegisters>&, size_t registers);

  // The webs of an instruction's registers, in their order.
  const uint32_t* of(uint32_t instruction) const { return webs_.data() + first_[instruction]; }
  size_t count() const { return parent_.size(); }
  int register_of(uint32_t web) const { return register_[web]; }

 private:
  using State = std::vector<uint32_t>;  // by register
  uint32_t find(uint32_t);
  bool join(uint32_t& one, uint32_t other);
  template <class F>
  void pass(const std::vector<InstructionRegisters>&, uint32_t first, uint32_t last, State&, F&&);

  std::vector<uint32_t> first_, webs_;  // webs_: of each register of each instruction
  std::vector<uint32_t> parent_;
  std::vector<int> register_;
};

}  // namespace headroom::sim
