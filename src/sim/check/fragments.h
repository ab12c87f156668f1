// Registers that a warp's wgmma works on: they may be neither read nor written until the product is
// waited for, and what threads wrote there needs a wgmma.fence before. Copies from register to register
// are the compiler's: what holds of the one holds of the other. So are constants, which it
// makes wherever it wants to.
//
//   wgmma.fence; wgmma.mma_async… {%f1, …}, …;  wgmma.commit_group;
//   add.f32 %f2, %f1, %f0;          race_wgmma: no wgmma.wait_group comes before
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "record/finding.h"
#include "sim/program.h"

namespace headroom::sim::check {

class Fragments {
 public:
  void begin(const Program&);  // a launch
  bool steps() const { return !uses_.empty(); }
  void enter() { last_ = no_instruction; }   // a basic block begins
  void step(const Warp&, const Operation&);  // before it runs
  std::vector<Finding> finish();

 private:
  static constexpr uint32_t no_instruction = ~0u;
  struct Uses {  // registers of the kernel
    enum Kind : uint8_t {
      nothing,
      other,
      copy,
      constant,
      product,
      fence,
      commit,
      wait
    } kind = nothing;
    uint32_t groups_left = 0;
    std::vector<uint32_t> reads, writes;  // of a product: operands and sums
  };
  struct Held {                         // of a register
    uint32_t written = no_instruction;  // how many fences came before
    uint32_t group = no_instruction;    // of the product that works on it
    uint32_t product = 0;               // its instruction
    bool is_sum = false;
  };
  struct OfWarp {
    uint32_t fences = 0, groups = 0, done = 0;
    std::vector<Held> held;
  };
  struct OfBlock {
    uint64_t linear = ~0ull;
    std::vector<OfWarp> warps;
  };
  Uses uses_of(const ptx::Instruction&) const;
  const Uses& uses(uint32_t instruction);
  OfWarp& of(const Warp&);
  bool runs(const Warp&, const ptx::Instruction&) const;
  void note(const Warp&, uint32_t instruction, const char* what, const char* advice,
            uint32_t product);

  const Program* program_ = nullptr;
  std::vector<std::unique_ptr<Uses>> uses_;  // by instruction; empty: the kernel has no wgmma
  std::unordered_map<const BlockState*, OfBlock> blocks_;
  uint32_t last_ = no_instruction;
  std::map<std::pair<uint32_t, uint32_t>, size_t> told_;  // by both instructions
  std::vector<Finding> findings_;
};

}  // namespace headroom::sim::check
