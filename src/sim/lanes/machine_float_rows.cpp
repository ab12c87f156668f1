// Operations of machine code on floats that no PTX instruction is alone: what operands select and
// sign, and the choice that DSETP.MIN makes.
//
//   HADD2 R0, R1.H1_H1, R2   !high_twice t, R1;  add.rn.f16x2 R0, t, R2
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/meaning/float.h"
#include "sim/meaning/half.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

uint32_t low_twice(uint32_t a) { return (a & 0xffff) * 0x10001; }
uint32_t high_twice(uint32_t a) { return (a >> 16) * 0x10001; }
float widen_low(uint32_t a) { return widen(half{uint16_t(a)}); }
float widen_high(uint32_t a) { return widen(half{uint16_t(a >> 16)}); }

// Signs of f64: a NaN keeps its own.
uint64_t signed64(uint64_t a, uint64_t kept, uint64_t flipped) {
  return is_nan(float_of<double>(a)) ? a : (a & kept) ^ flipped;
}

// Whether the first of two is the minimum or maximum: rather a number, and of two NaNs the second.
bool first_is_min(double a, double b) {
  return is_nan(b) ? !is_nan(a) : !is_nan(a) & (ordered(a) < ordered(b));
}
bool first_is_max(double a, double b) {
  return is_nan(b) ? !is_nan(a) : !is_nan(a) & (ordered(a) > ordered(b));
}
bool both_nan(double a, double b) { return is_nan(a) & is_nan(b); }

constexpr std::pair<std::string_view, Row> rows[] = {
    {"!low_twice", Lift<&low_twice>::row},
    {"!high_twice", Lift<&high_twice>::row},
    {"!widen_low", Lift<&widen_low>::row},
    {"!widen_high", Lift<&widen_high>::row},
    {"!signed64", Lift<&signed64>::row},
    {"!first_is_min", Lift<&first_is_min>::seldom},
    {"!first_is_max", Lift<&first_is_max>::seldom},
    {"!both_nan", Lift<&both_nan>::seldom},
};

}  // namespace

void machine_float_rows(RowTable& table) {
  for (const auto& [spelling, row] : rows) table.add(spelling, row);
}

}  // namespace headroom::sim::HEADROOM_ISA
