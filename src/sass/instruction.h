// One machine instruction as data: what its 128 bits say, with the names that NVIDIA's disassembler
// gives them.
//
//   0x0000001102117212 0x000fe200078efe10 -->
//     Instruction{LOP3, {.LUT}, {R17, R2, R17, R16, 0xfe, !PT}, Control{stall 1, no barrier}}
//
// Registers are numbered as the hardware numbers them: 255 is RZ, 63 URZ, 7 PT or UPT.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace headroom::sass {

inline constexpr uint64_t instruction_bytes = 16;
inline constexpr uint16_t zero_register = 255, zero_uniform = 63, true_predicate = 7;
inline constexpr uint8_t no_barrier = 7, no_slot = 3;

struct Encoding {
  uint64_t low = 0, high = 0;
  friend bool operator==(const Encoding&, const Encoding&) = default;
};

// When the instruction may issue, set by the assembler; undocumented, see docs/machine_code.md.
struct Control {
  uint8_t stall = 0;  // cycles before the warp's next instruction
  bool yield = false;
  uint8_t write_barrier = no_barrier;  // counts down when the result is there
  uint8_t read_barrier = no_barrier;   // … when the sources have been read
  uint8_t wait_mask = 0;               // barriers that must be 0 before it issues
  uint8_t reuse = 0;                   // of the register reads a, b, c: kept for the next one
  friend bool operator==(const Control&, const Control&) = default;
};

enum class OperandKind : uint8_t {
  reg,
  uniform,  // register
  predicate,
  uniform_predicate,
  barrier,  // B0 …: of convergence
  immediate,
  real,        // an immediate that is a number with a fraction
  constant,    // c[bank][offset]
  memory,      // [register + uniform + offset]
  special,     // SR_TID.X: index
  label,       // value: where to, from the beginning of the section
  descriptor,  // desc[UR4], alone
  matrix,      // gdesc[UR4]: descriptor of a matrix in shared memory
  word,        // a name: 2D, PR, SB0
};

enum class Real : uint8_t { f16x2, bf16x2, f32, f64 };

struct Operand {
  OperandKind kind = OperandKind::reg;
  bool written = false;  // by the instruction: a pair or more of registers where it says so
  bool hidden = false;   // is not printed: RZ or PT where forms leave it out
  bool negative = false, absolute = false, inverted = false;  // -R1, |R1|, ~R1 and !P1
  bool reuse = false;
  uint8_t slot = no_slot;           // of a register that is read as source a, b, c: 0, 1, 2
  uint16_t index = 0;               // of the register or predicate; of a constant its bank
  int64_t value = 0;                // of an immediate, a label; offset of a constant or of memory;
                                    // of a word: 1 where its index is printed behind it
  Real real = Real::f32;            // of a real: `value` has its bits, of an f64 the upper half
  uint16_t base = zero_register;    // constant, memory: register of the address
  uint16_t uniform = zero_uniform;  // … and uniform register
  bool has_uniform = false;         // … named, though it may be URZ
  bool has_base = false;            // … named, though it may be RZ
  bool wide = false;                // memory: base, or uniform where there is none, is a pair
  bool tells_width = false;         // memory: .64 or .U32 is printed behind the base
  uint8_t scale = 1;                // memory: factor of the base
  uint16_t descriptor = zero_uniform;  // memory: desc[UR4] in front
  bool has_descriptor = false;
  std::string_view text;                   // of a word, a special register
  std::vector<std::string_view> suffixes;  // ".H0_H0", ".tnspA"
};

struct Instruction {
  Encoding encoding;
  Control control;
  bool guarded = false;
  Operand guard;  // @P0, @!UP1
  std::string_view opcode;
  std::vector<std::string_view> modifiers;  // with their dots, in the order they are printed
  std::vector<Operand> operands;

  bool has(std::string_view modifier) const {
    for (const std::string_view each : modifiers)
      if (each == modifier) return true;
    return false;
  }
};

}  // namespace headroom::sass
