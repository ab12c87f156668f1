// Bytes that nobody wrote, where they decide a branch or an address, or where a value computed of
// them is stored to global memory or used by an atomic. To copy them is no fault.
//
//   __shared__ int flag;  if (flag) …     uninitialised: the load, and the branch it decides
//
// Values go with their warp from register to register (values.h), and over memory (unwritten.h).
// Those that pass through calls of functions, matrices and textures count as written.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/finding.h"
#include "sim/check/unwritten.h"
#include "sim/check/values.h"
#include "sim/observer.h"
#include "sim/warp.h"

namespace headroom::sim::check {

class Initialised {
 public:
  Unwritten memory;  // by host address: also the shared and local memory of blocks that run

  void begin(const Program&, bool follows);  // a launch; false: only what it writes is seen
  bool steps(const Warp&, uint32_t basic_block);
  void step(const Warp&, const Operation&);
  void see(const Access&);
  void see(const Copied&);
  void see(const Taken&);
  void see(const Ended&);
  std::vector<Finding> finish();

 private:
  struct OfBlock {
    uint64_t linear = ~0ull;
    std::vector<std::unique_ptr<Values>> warps;  // null: it holds nothing unwritten
    std::vector<uint32_t> entered;
  };
  struct Origin {
    Finding finding;
    bool is_told = false;
  };
  OfBlock& of(const BlockState& block) {
    if (recent_ == &block && recent_block_->linear == block.linear) [[likely]]
      return *recent_block_;
    return find(block);
  }
  OfBlock& find(const BlockState&);
  void start(const BlockState&);
  std::unique_ptr<Values>& values_of(const Warp& warp) { return of(*warp.block).warps[warp.index]; }
  const Flow& flow(uint32_t instruction);
  bool all_written(const Access&);
  void load(const Access&);
  void store(const Access&);
  void modify(const Access&);
  Level origin(const Access&, uint32_t lane, uint64_t address);
  void tell(Level, const char* use, uint32_t instruction, const Warp&, uint32_t lane);

  const Program* program_ = nullptr;
  bool follows_ = false;
  std::vector<bool> loads_;  // by basic block
  std::vector<std::unique_ptr<Flow>> flows_;
  std::unordered_map<const BlockState*, OfBlock> blocks_;
  const BlockState* recent_ = nullptr;
  OfBlock* recent_block_ = nullptr;
  uint32_t last_step_ = ~0u;
  std::array<std::array<Level, 16>, lanes> moved_{};  // by the load of an asynchronous copy
  std::vector<Origin> origins_;
  std::unordered_map<uint32_t, Level> origin_of_;  // by instruction
};

}  // namespace headroom::sim::check
