// Which loops of a decoded kernel wait for what others do: BasicBlock::spins and
// BasicBlock::changes.
//
//   LoopCode        instructions as loops see them: of PTX (decode_ptx/waiting_loops.cpp), of machine
//                   code (decode_sass/waiting_loops.cpp)
#pragma once
#include <cstdint>
#include <vector>

#include "sim/program.h"

namespace headroom::sim {

// What a thread keeps where the compiler gave it no register, or reads for its block.
enum class Kept : uint8_t { nowhere, shared, local, generic };

struct LoopStep {
  // It reads what others write: at its source, or so if the loop has a fence.
  bool reads = false, reads_if_fenced = false;
  // … or if nothing else can be why the loop has it: it reads one place, changes no memory and
  // passes no barrier of the block.
  bool reads_if_fixed = false;
  bool meets = false;        // … which this is
  bool reads_alone = false;  // … seen by no other block, or only by those of its cluster, which
                             // one host thread runs
  bool reads_clock = false;
  bool swaps = false;         // compares and swaps
  bool takes_result = false;  // of the function called before
  bool fences = false, sleeps = false;
  // May change what others, or the loop itself, read of memory. Atomics are watched as they happen.
  bool changes = false;
  bool loads = false, stores = false, branches = false, ends = false;
  Kept kept = Kept::nowhere;  // loads and stores: where
};

struct LoopRegister {
  int reg;
  bool written;
};

class LoopCode {
 public:
  virtual ~LoopCode() = default;
  // Basic blocks with the ways between them as PTX has them: a call goes on behind itself.
  virtual const std::vector<BasicBlock>& basic_blocks() const = 0;
  // `instruction`: index into Program::instructions.
  virtual LoopStep step(uint32_t instruction, const BasicBlock&) const = 0;
  virtual void add_registers(uint32_t instruction, std::vector<LoopRegister>&) const = 0;
  // Of the function with that basic block.
  virtual size_t registers(uint32_t basic_block) const = 0;
  virtual std::vector<Columns> columns(uint32_t basic_block, int reg) const = 0;

  struct Function {
    uint32_t begin, end;     // basic blocks
    bool is_called = false;  // its loops are those of another one of the list as well
  };
  std::vector<Function> functions;  // as CallSite::function counts
};

void mark_waiting_loops(Program&, const LoopCode&);

}  // namespace headroom::sim
