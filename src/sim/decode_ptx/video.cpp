// Video instructions: which operation on which parts of its operands, packed into one word.
//
//   vadd.u32.s32.u32.sat d.b1, a.h0, b, c   ->   Video{add, saturated, d_part 2, a_parts 5}
#include "sim/meaning/video.h"

#include <bit>

#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {
namespace {

using meaning::Video, meaning::VideoOperation, meaning::VideoSecond;

constexpr std::pair<std::string_view, VideoOperation> operations[] = {
    {"vadd", VideoOperation::add},         {"vsub", VideoOperation::sub},
    {"vabsdiff", VideoOperation::absdiff}, {"vmin", VideoOperation::min},
    {"vmax", VideoOperation::max},         {"vavrg", VideoOperation::avrg},
    {"vshl", VideoOperation::shl},         {"vshr", VideoOperation::shr},
    {"vmad", VideoOperation::mad},         {"vset", VideoOperation::set}};
constexpr std::string_view relations[] = {".eq", ".ne", ".lt", ".le", ".gt", ".ge"};

// "b2" -> 3, "h1" -> 6: a part of one word.
int part(const std::string& selector) {
  if (selector.empty()) return 0;
  return selector[1] - '0' + (selector[0] == 'b' ? 1 : 5);
}
// "h32" -> parts 2 and 3, the lowest last; of each `bits` bits.
int parts(const std::string& selector, const char* otherwise, int bits) {
  const std::string digits = selector.empty() ? otherwise : selector.substr(1);
  int out = 0;
  for (const char digit : digits) out = out << bits | (digit - '0');
  return out;
}
// "b320" -> elements 3, 2 and 0
int mask(const std::string& selector, int all) {
  int out = selector.empty() ? (1 << all) - 1 : 0;
  for (const char digit : selector.substr(std::min<size_t>(1, selector.size())))
    out |= 1 << (digit - '0');
  return out;
}

}  // namespace

void FunctionDecoder::decode_video(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  std::string opcode = instruction.opcode;
  Video v;
  if (opcode.back() == '2' || opcode.back() == '4') {
    v.parts = uint64_t(opcode.back() - '0');
    opcode.pop_back();
  }
  for (const auto& [name, operation] : operations)
    if (name == opcode) v.operation = operation;
  const bool types_of_set =
      v.operation == VideoOperation::set && instruction.type(2) == ptx::Type::none;
  const int first = types_of_set ? 0 : 1;  // vset has no type of its result: it is a's
  auto is_signed = [&](int nth) { return instruction.type(nth) == ptx::Type::s32; };
  v.d_signed = is_signed(0), v.a_signed = is_signed(first), v.b_signed = is_signed(first + 1);
  v.saturate = instruction.has(".sat"), v.wrap = instruction.has(".wrap");
  v.plus_one = instruction.has(".po");
  v.scale = instruction.has(".shr7") ? 7 : instruction.has(".shr15") ? 15 : 0;
  v.second = instruction.has(".add")   ? VideoSecond::add
             : instruction.has(".min") ? VideoSecond::min
             : instruction.has(".max") ? VideoSecond::max
                                       : VideoSecond::none;
  for (size_t r = 0; r < std::size(relations); ++r)
    if (instruction.has(relations[r])) v.relation = uint64_t(r);
  const std::string &d = operands[0].selector, &a = operands[1].selector, &b = operands[2].selector;
  const int all = int(v.parts);
  v.d_part = uint64_t(all == 1 ? part(d) : mask(d, all));
  v.a_parts = uint64_t(all == 1 ? part(a) : all == 2 ? parts(a, "10", 2) : parts(a, "3210", 3));
  v.b_parts = uint64_t(all == 1 ? part(b) : all == 2 ? parts(b, "32", 2) : parts(b, "7654", 3));
  auto read = [&](size_t n) {
    if (n >= operands.size()) return shared.constant(0, 4);
    Operand plain = operands[n];
    plain.negated = false;  // vmad's minus signs are part of the operation
    return input(plain, 4);
  };
  v.negate_product = operands[1].negated != operands[2].negated;
  v.negate_c = operands.size() > 3 && operands[3].negated;
  const std::vector<uint32_t> in = {read(1), read(2), read(3)};
  add("!video", {output(operands[0], 4), in[0], in[1], in[2]}, 0, std::bit_cast<uint64_t>(v));
  finish_outputs();
}

}  // namespace headroom::sim
