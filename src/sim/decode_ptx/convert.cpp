// Conversions that no row says by itself: modifiers without effect are left out, .sat of a float
// result is an operation of its own, and between f16 and bf16 lies f32.
#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {
namespace {

using ptx::Type;

bool is_float(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64;
}

struct Conversion {
  Type to, from;
  std::string rounding;
  bool flush = false, saturate = false;

  std::string spelled() const {
    return "cvt" + rounding + (flush ? ".ftz" : "") + (saturate ? ".sat" : "") + "." +
           std::string(name_of(to)) + "." + std::string(name_of(from));
  }
};

// Widening is exact, integers are never subnormal.
Conversion plain(Conversion c) {
  const bool from_bfloat = c.from == Type::bf16 && size_of(c.to) > 2 && is_float(c.to);
  if (from_bfloat) c.rounding.clear();
  if (!is_float(c.from)) c.flush = false;
  return c;
}

}  // namespace

void FunctionDecoder::decode_cvt(const Instruction& instruction) {
  if (decode_row(instruction, instruction.spelled())) return;
  Conversion c{instruction.type(0), instruction.type(1), "", instruction.has(".ftz"),
               instruction.has(".sat")};
  for (const char* rounding : {".rni", ".rzi", ".rmi", ".rpi", ".rn", ".rz", ".rm", ".rp"})
    if (instruction.has(rounding)) c.rounding = rounding;
  c = plain(c);
  if (decode_row(instruction, c.spelled())) return;
  if (!is_float(c.to) || (!is_float(c.from) && !c.saturate))
    unsupported(instruction, "the emulator has no meaning for this form yet");
  const bool between = size_of(c.to) == 2 && size_of(c.from) == 2 && c.to != c.from;
  uint32_t at = input(instruction.operands.at(1), size_of(c.from));
  if (between) {
    const uint32_t wide = temporary(4);
    add("cvt.f32." + std::string(name_of(c.from)), {wide, at});
    at = wide;
    c.from = Type::f32;
    if (c.rounding.empty()) c.rounding = ".rn";
  }
  const uint32_t result = output(instruction.operands.at(0), size_of(c.to));
  const bool clamp = c.saturate && !find_row(c.spelled(), 2);
  if (clamp) c.saturate = false;
  const uint32_t unclamped = clamp ? temporary(size_of(c.to)) : result;
  add(c.spelled(), {unclamped, at});
  const std::string type(name_of(c.to));
  if (clamp) add("cvt.sat." + type + "." + type, {result, unclamped});
  finish_outputs();
}

}  // namespace headroom::sim
