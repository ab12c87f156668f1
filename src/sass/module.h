// The machine code of a program: its functions with their instructions, basic blocks and relocations,
// and its constants.
//
//   saxpy.cubin --> Module{sm_90, {Function{"_Z5saxpyifPfS_", kernel, 40 instructions, 3 blocks}},
//                          {Bank{0, "_Z5saxpyifPfS_", 552 bytes}}}
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sass/instruction.h"

namespace headroom::sass {

// A value that the driver puts into the code: bytes of the instruction at `offset`.
struct Relocation {
  uint64_t offset = 0;
  uint32_t type = 0;  // R_CUDA_…, as the ELF file numbers it
  std::string symbol;
  std::optional<int64_t> addend;  // absent: it stands in the code
};

// A straight line, entered at its first instruction and left at its last. A call goes on behind
// itself; the function called is entered at a block of its own, to which no edge leads.
struct BasicBlock {
  uint32_t first = 0, last = 0;  // instructions [first, last)
  std::vector<uint32_t> next;    // blocks it may go on to; none behind an exit or a return
  bool elsewhere = false;        // goes on where the code does not tell: a jump through a register,
                                 // the section's end
  friend bool operator==(const BasicBlock&, const BasicBlock&) = default;
};

struct Symbol {  // a function inside a kernel's section: what the compiler did not inline
  std::string name;
  uint64_t offset = 0, bytes = 0;
};

struct SourceLine {  // of the instructions from here on
  uint64_t offset = 0;
  uint32_t file = 0;  // index into Module::files
  uint32_t line = 0;
};

struct Function {
  std::string name;  // of the section
  bool kernel = false;
  // Each 16 bytes after the one before; one without an opcode has an unknown encoding.
  std::vector<Instruction> instructions;
  std::vector<BasicBlock> blocks;
  std::vector<Relocation> relocations;
  std::vector<Symbol> symbols;
  std::vector<SourceLine> lines;  // by offset; empty without -lineinfo
};

struct Bank {  // constants; of a kernel, or of all where `kernel` is empty
  int number = 0;
  std::string kernel;
  std::vector<std::byte> content;
  std::vector<Relocation> relocations;  // addresses that the driver writes into it
  std::vector<Symbol> symbols;          // the variables that lie in it
};

struct Module {
  int architecture = 0;
  bool linked = true;  // false: a part of a program, as -rdc=true leaves it
  std::vector<Function> functions;
  std::vector<Bank> banks;
  std::vector<std::string> files;
};

// Where the jumps through a register lead: offsets in the section, by the offset of the jump.
using IndirectTargets = std::map<uint64_t, std::vector<uint64_t>>;

// `entries`: offsets of functions that begin inside the section.
std::vector<BasicBlock> find_blocks(const std::vector<Instruction>&, const IndirectTargets& = {},
                                    const std::vector<uint64_t>& entries = {});

}  // namespace headroom::sass
