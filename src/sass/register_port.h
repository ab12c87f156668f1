// Registers that instructions read, by bank: the even registers and the odd ones. A bank gives one register a
// cycle; a source with .reuse stays in a cache that has a place for every slot (source a, b, c) and bank, until
// an instruction reads another register there.
//
//   FFMA R10, R4, R10, R6          of_bank {3, 0}: 3 cycles
//   FFMA R10, R4.reuse, R11, R6    of_bank {2, 1}: 2 cycles; then
//   FFMA R12, R4, R13, R6          of_bank {1, 1}, 1 reused: 1 cycle
//
// A model: that two registers of one bank take two cycles was seen of FFMA on an H200, and that kept ones take
// none (results/register_banks.json); the cache's shape is R. Huerta et al., "Analyzing Modern NVIDIA GPU
// cores", arXiv:2503.20481.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "sass/instruction.h"

namespace headroom::sass {

struct RegisterRead {
  uint16_t number = zero_register;
  uint8_t slot = 0;
  bool kept = false;  // .reuse
};
using RegisterReads = std::array<RegisterRead, 4>;  // by slot; the second of a pair last

// Sources of 32 bits, and both registers of the pair that IMAD.WIDE adds.
RegisterReads register_reads(const Instruction&);

struct PortUse {
  std::array<uint8_t, 2> of_bank{};  // registers that the even and the odd bank give
  uint8_t reused = 0;                // sources that the cache gives
  int cycles() const { return std::max({1, int(of_bank[0]), int(of_bank[1])}); }
};

// As the instructions of one warp follow one another; another warp's make it forget.
class RegisterPort {
 public:
  void forget() {
    kept_ = nothing;
    is_empty_ = true;
  }
  bool is_empty() const { return is_empty_; }  // nothing was kept
  PortUse read(const RegisterReads&);

 private:
  using Kept = std::array<std::array<uint16_t, 2>, 3>;  // register, by slot and bank
  static constexpr uint16_t none = zero_register;
  static constexpr Kept nothing = {{{none, none}, {none, none}, {none, none}}};
  Kept kept_ = nothing;
  bool is_empty_ = true;
};

}  // namespace headroom::sass
