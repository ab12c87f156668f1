// Constants that an instruction names by its own address or by a uniform register, which all lanes have: FFMA R0, R0, c[0x3][0x1234], R1;
// ULDC.64 UR4, c[0x3][UR6+0x10]. They come by the
// immediate constant cache of the sub-partition, of lines of 64 bytes.
//
//   ImmediateConstants constants(4);    // sub-partitions
//   constants.wait(0, line, 100)     -> 367: the warp waits until then, others may issue
//   constants.wait(0, line, 120)     -> 367: it is on its way
//   constants.wait(0, line, 400)     -> 400: it is there
//   constants.wait(1, line, 500)     -> 553: the SM has had it, the other sub-partition has not
//
// Parameters of the launch (bank 0) are taken to be there: what their first use takes is part of what starting a launch takes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sass/instruction.h"

namespace headroom {

inline constexpr uint64_t no_line = ~0ull;

// In which the instruction's constant lies; no_line: it has none, or a register says where.
uint64_t constant_line(const sass::Instruction&);
// ULDC R4, c[0x3][UR6]
bool is_constant_by_uniform(const sass::Instruction&);
uint64_t constant_line(uint64_t sector);  // of an access of its

class ImmediateConstants {
 public:
  explicit ImmediateConstants(size_t parts) : parts_(parts) {}
  // Until when the instruction cannot issue; `now`: it can.
  double wait(size_t part, uint64_t line, double now);

 private:
  struct Line {
    uint64_t line = no_line;
    double from = 0;  // when it comes, or came
  };
  // The last one used first. 32 lines are kept, 64 are not (results/h200/operand_constants.json); as of the cache of LDC's constants.
  using Lines = std::array<Line, 48>;

  std::vector<Lines> parts_;
  double free_ = 0;                           // the way by which lines come to all of them
  std::unordered_map<uint64_t, double> had_;  // by the SM, and since when: lines that come together
};

}  // namespace headroom
