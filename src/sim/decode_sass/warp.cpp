// Special registers, and instructions whose lanes look at each other.
#include <string>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/register_allocation.h"

namespace headroom::sim {
namespace {

struct Named {
  std::string_view name;
  Special special;
};
constexpr Named specials[] = {
    {"SR_LANEID", Special::laneid},
    {"SR_VIRTUALSMID", Special::smid},  // as ptxas reads %smid
    {"SR_TID.X", Special::tid_x},
    {"SR_TID.Y", Special::tid_y},
    {"SR_TID.Z", Special::tid_z},
    {"SR_CTAID.X", Special::ctaid_x},
    {"SR_CTAID.Y", Special::ctaid_y},
    {"SR_CTAID.Z", Special::ctaid_z},
    {"SR_EQMASK", Special::lanemask_eq},
    {"SR_LTMASK", Special::lanemask_lt},
    {"SR_LEMASK", Special::lanemask_le},
    {"SR_GTMASK", Special::lanemask_gt},
    {"SR_GEMASK", Special::lanemask_ge},
    {"SR_SMEMSZ", Special::aggregated_shared},
    {"SR_VIRTCFG", Special::virtual_config},
    {"SR_VIRTID", Special::virtual_id},
    {"SR_CgaCtaId", Special::shared_rank},
    {"SRZ", Special::zero},
};

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::warp_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"S2R", &M::decode_s2r},     {"S2UR", &M::decode_s2r},      {"CS2R", &M::decode_s2r},
      {"SHFL", &M::decode_shfl},   {"VOTE", &M::decode_vote},     {"VOTEU", &M::decode_vote},
      {"MATCH", &M::decode_match}, {"REDUX", &M::decode_redux},   {"ELECT", &M::decode_elect},
      {"R2UR", &M::decode_r2ur},   {"RPCMOV", &M::decode_rpcmov},
  };
  return entries;
}

// Rows of 4 bytes; clocks are read where they stand.
uint32_t MachineDecoder::special_register(const Operand& operand, int bytes) {
  for (const Named& known : specials)
    if (known.name == operand.text) return areas.special(known.special);
  // Where a thread's stack ends that grows down: its local memory begins at 0.
  if (operand.text == "SR_LMEMHIOFF") return areas.special(Special::zero);
  const auto window = [&](uint64_t at) { return constant(at >> 32, 4); };
  if (operand.text == "SR_SWINHI") return window(shared_window);
  if (operand.text == "SR_LWINHI") return window(local_window);
  struct Clock {
    std::string_view name;
    const char* word;
    const char* pair;
  };
  static constexpr Clock clocks[] = {{"SR_CLOCKLO", "!%clock", "!%clock64"},
                                     {"SR_CLOCKHI", "!%clock_hi", nullptr},
                                     {"SR_GLOBALTIMERLO", "!%globaltimer_lo", "!%globaltimer"},
                                     {"SR_GLOBALTIMERHI", "!%globaltimer_hi", nullptr}};
  for (const Clock& clock : clocks) {
    if (clock.name != operand.text || (bytes == 8 && !clock.pair)) continue;
    const uint32_t now = temporary(bytes);
    add(bytes == 8 ? clock.pair : clock.word, {now});
    program.facts.ordered = program.facts.more_inputs = true;
    return now;
  }
  unsupported("a special register that is not executed yet");
}

void MachineDecoder::decode_s2r(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool is_pair = instruction.opcode == "CS2R" && !instruction.has(".32");
  const bool is_clock =
      o.at(1).text.starts_with("SR_CLOCK") || o[1].text.starts_with("SR_GLOBALTIMER");
  const uint32_t from = special_register(o[1], is_pair && is_clock ? 8 : 4);
  if (instruction.opcode == "S2UR" &&
      (o[1].text.starts_with("SR_TID") || o[1].text == "SR_LANEID" || o[1].text.ends_with("MASK")))
    unsupported();  // lanes differ in it
  if (!is_pair) return add("!mov4", {out(o[0]), from});
  if (is_clock) return add("!mov8", {out_pair(o[0]), from});
  add("!mov4", {out_at(o[0], 0), from});
  add("!mov4", {out_at(o[0], 1), constant(0, 4)});
}

// A register of 64 bits that calls return by, and that code also keeps words in.
void MachineDecoder::decode_rpcmov(const Instruction& instruction) {
  if (rpc_at == 0) {
    rpc_at = (frame_bytes + 63) / 64 * 64;
    frame_bytes = rpc_at + 2 * warp_register_bytes(4);
  }
  constexpr int upper_half = 31;  // bit of the encoding
  const bool upper = instruction.encoding.low >> upper_half & 1;
  const uint32_t half = operand_at(Area::frame, rpc_at + (upper ? warp_register_bytes(4) : 0));
  const auto& o = instruction.operands;
  if (o.at(0).kind == Kind::reg) return add("!mov4", {out(o[0]), half});
  add("!mov4", {half, word(o.at(1))});
}

// p, d, a, b, c: c = segment mask << 8 | clamp
void MachineDecoder::decode_shfl(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(2)), b = word(o.at(3)), c = word(o.at(4));
  std::string mode;
  for (const char* each : {".IDX", ".UP", ".DOWN", ".BFLY"})
    if (instruction.has(each)) mode = lowercase(each);
  add("shfl.sync" + mode + ".b32",
      {out(o.at(1)), out_flag(o.at(0)), a, b, c, constant(all_lanes, 4)});
}

// d, p, q: ballots of the lanes that run
void MachineDecoder::decode_vote(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool of_warp = instruction.opcode == "VOTEU";
  uniform = false;  // it reads every lane's predicate
  const uint32_t q = flag(o.at(2)), everybody = constant(all_lanes, 4);
  const char* kind = instruction.has(".ALL") ? "all" : instruction.has(".ANY") ? "any" : "equal";
  if (of_warp) {
    if (o[0].index != sass::zero_uniform) add("!uniform_ballot", {out(o[0]), q});
    if (!is_true(o[1])) add("!uniform_" + std::string(kind), {out_flag(o[1]), q});
    return;
  }
  const uint32_t ballots = temporary(4), vote = temporary(0);
  add("vote.sync.ballot.b32", {ballots, q, everybody});
  add(std::string("vote.sync.") + (kind[0] == 'e' ? "uni" : kind) + ".pred", {vote, q, everybody});
  if (o[0].index != sass::zero_register) add("!mov4", {out(o[0]), ballots});
  if (!is_true(o[1])) add("mov.pred", {out_flag(o[1]), vote});
}

void MachineDecoder::decode_match(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool is_wide = instruction.has(".U64"), has_flag = o.at(0).kind == Kind::predicate;
  const Operand &to = o.at(has_flag ? 1 : 0), &from = o.at(has_flag ? 2 : 1);
  const std::string type = is_wide ? ".b64" : ".b32";
  const uint32_t a = is_wide ? pair(from) : word(from), everybody = constant(all_lanes, 4);
  if (instruction.has(".ANY")) return add("match.any.sync" + type, {out(to), a, everybody});
  add("match.all.sync" + type, {out(to), has_flag ? out_flag(o[0]) : temporary(0), a, everybody});
}

void MachineDecoder::decode_redux(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string type = instruction.has(".S32") ? ".s32" : ".u32";
  const std::string row = instruction.has(".OR")    ? "or.b32"
                          : instruction.has(".XOR") ? "xor.b32"
                          : instruction.has(".SUM") ? "add" + type
                          : instruction.has(".MIN") ? "min" + type
                          : instruction.has(".MAX") ? "max" + type
                                                    : "and.b32";
  const uint32_t all = temporary(4);
  uniform = false;
  add("redux.sync." + row, {all, word(o.at(1)), constant(all_lanes, 4)});
  add("!uniform", {out(o.at(0)), all});
}

// p, d, q: p holds in the lowest lane that runs
void MachineDecoder::decode_elect(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t leader = temporary(4), elected = temporary(0);
  add("elect.sync", {leader, elected, constant(all_lanes, 4)});
  if (!is_true(o.at(2)) || o[2].inverted) add("and.pred", {elected, elected, flag(o[2])});
  if (o.at(1).index != sass::zero_uniform) add("!uniform", {out(o[1]), leader});
  if (!is_true(o.at(0))) add("mov.pred", {out_flag(o[0]), elected});
}

// p, d, a: the value of the first lane that runs; p: the lanes that have another. .OR: beside those
// of p, as the upper word of a pair may differ where the lower one does not.
void MachineDecoder::decode_r2ur(const Instruction& instruction) {
  const auto& o = instruction.operands;
  uniform = false;
  const uint32_t a = word(o.at(2));
  if (!is_true(o.at(0))) {
    const uint32_t others = instruction.has(".OR") ? temporary(0) : out_flag(o[0]);
    add("!differing", {others, a});
    if (instruction.has(".OR")) add("or.pred", {out_flag(o[0]), out_flag(o[0]), others});
  }
  add("!uniform", {out(o.at(1)), a});
}

}  // namespace headroom::sim
