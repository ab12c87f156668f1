// Which bytes of a warp's registers nobody wrote, or follow from such, and by which load they came:
// a byte for each byte of its block of registers.
//
//   values.load(part, lane, byte, origin)   a load has read a byte that nobody wrote
//   values.pass(flow, warp, mask)           what an instruction makes of it, before it runs
//   values.of(part, lane)                   0: written; else an origin, with `computed`
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/check/flow.h"
#include "sim/check/unwritten.h"

namespace headroom::sim::check {

inline Level both(Level a, Level b) { return a ? Level(a | (b & is_computed)) : b; }

class Values {
 public:
  explicit Values(uint32_t warp_bytes) : levels_(warp_bytes) {}

  void pass(const Flow&, const Warp&, uint32_t mask);
  Level of(const Part&, uint32_t lane) const;  // of all its bytes together
  Level byte(const Part&, uint32_t lane, uint32_t byte) const;
  void set(const Part&, uint32_t lane, uint32_t byte, Level);
  void set(const Part&, uint32_t lane, Level);  // all its bytes
  bool all_written() const;

 private:
  void computes(const Flow&, uint32_t lane);
  void copies(const Flow&, uint32_t lane);
  void selects(const Flow&, const Warp&, uint32_t lane);
  void masks(const Flow&, const Warp&, uint32_t lane);
  void shifts(const Flow&, const Warp&, uint32_t lane);
  void permutes(const Flow&, const Warp&, uint32_t lane);
  void widens(const Flow&, uint32_t lane);
  void bitwise(const Flow&, const Warp&, uint32_t lane);
  void funnels(const Flow&, const Warp&, uint32_t lane);
  void places(const Flow&, uint32_t lane);
  void packs(const Flow&, uint32_t lane);
  void halves(const Flow&, uint32_t lane);
  void compares(const Flow&, const Warp&, uint32_t lane);
  void exchanges(const Flow&, const Warp&, uint32_t mask);
  void gathers(const Flow&, uint32_t mask);

  std::vector<Level> levels_;
  std::unordered_map<uint32_t, std::array<Level, lanes>> predicates_;  // by place
};

// What a lane's register or constant holds now.
uint64_t value_of(const Part&, const Warp&, uint32_t lane);

}  // namespace headroom::sim::check
