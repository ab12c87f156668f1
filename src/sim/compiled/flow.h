// From basic block to basic block in compiled code, where all lanes of a warp stay together: what lanes/run.h does between
// them, without going back to it. Whatever it does not know it leaves, at the end of the basic block that it has come to
// (Warp::chained).
//
//   block 3: … @P0 BRA block 3   ->   code of block 3; P0 of all lanes? entries of block 3 += 1, jump to its code;
//                                     of none? that of block 4; of some? back to run_warp, which parts them
#pragma once
#include <vector>

#include "sim/compiled/vectors.h"

namespace headroom::sim::compiled {

class Flow {
 public:
  Flow(x86::Assembler& a, const std::vector<BasicBlock>& basic_blocks);

  // From its code that of another basic block is entered.
  bool goes_on(uint32_t basic_block) const;
  // Code that begins with the basic block's first operation.
  void begins(uint32_t basic_block, const asmjit::Label& entry) { entry_[basic_block] = entry; }
  void write_empty();  // code of basic blocks that have no operations
  // Behind the code for its last operations, when all registers are in memory: `at` is the operation that
  // operation_register has. Returns to run_warp where it cannot go on.
  void write(uint32_t basic_block, uint32_t at);

  // Its branch may lead back to itself, and `first` is its first operation. Behind its operations, with base_register: goes to `otherwise` unless all lanes go
  // round again; what is counted of it if they do.
  bool is_loop(uint32_t basic_block, uint32_t first) const;
  void unless_again(uint32_t basic_block, const asmjit::Label& otherwise);
  void count_again(uint32_t basic_block);

 private:
  bool is_entered(uint32_t basic_block) const { return !basic_blocks_[basic_block].by_teams; }
  bool ends_here(const BasicBlock&) const;
  void enter(uint32_t basic_block, uint32_t at);
  void count_entered(uint32_t basic_block);
  void count_taken(uint32_t basic_block);
  void leave();

  x86::Assembler& a_;
  const std::vector<BasicBlock>& basic_blocks_;
  std::vector<asmjit::Label> entry_;
};

}  // namespace headroom::sim::compiled
