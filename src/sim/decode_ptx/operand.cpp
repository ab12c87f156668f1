#include <bit>

#include "sim/decode_ptx/decoder.h"
#include "sim/undefined.h"

namespace headroom::sim {
namespace {

struct SpecialName {
  std::string_view name;
  Special special;
};
constexpr SpecialName special_names[] = {
    {"%tid.x", Special::tid_x},
    {"%tid.y", Special::tid_y},
    {"%tid.z", Special::tid_z},
    {"%ntid.x", Special::ntid_x},
    {"%ntid.y", Special::ntid_y},
    {"%ntid.z", Special::ntid_z},
    {"%ctaid.x", Special::ctaid_x},
    {"%ctaid.y", Special::ctaid_y},
    {"%ctaid.z", Special::ctaid_z},
    {"%nctaid.x", Special::nctaid_x},
    {"%nctaid.y", Special::nctaid_y},
    {"%nctaid.z", Special::nctaid_z},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::zero},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%dynamic_smem_size", Special::dynamic_shared},
    {"%total_smem_size", Special::total_shared},
    {"%clusterid.x", Special::clusterid_x},
    {"%clusterid.y", Special::clusterid_y},
    {"%clusterid.z", Special::clusterid_z},
    {"%nclusterid.x", Special::nclusterid_x},
    {"%nclusterid.y", Special::nclusterid_y},
    {"%nclusterid.z", Special::nclusterid_z},
    {"%cluster_ctaid.x", Special::cluster_ctaid_x},
    {"%cluster_ctaid.y", Special::cluster_ctaid_y},
    {"%cluster_ctaid.z", Special::cluster_ctaid_z},
    {"%cluster_nctaid.x", Special::cluster_nctaid_x},
    {"%cluster_nctaid.y", Special::cluster_nctaid_y},
    {"%cluster_nctaid.z", Special::cluster_nctaid_z},
    {"%cluster_ctarank", Special::cluster_ctarank},
    {"%cluster_nctarank", Special::cluster_nctarank},
    {"%is_explicit_cluster", Special::is_explicit_cluster},
    {"%envreg1", Special::grid_workspace_high},
    {"%envreg2", Special::grid_workspace_low},
    {"%tid.w", Special::zero},
    {"%ctaid.w", Special::zero},
    {"%aggr_smem_size", Special::aggregated_shared},
    {"%reserved_smem_offset_end", Special::reserved_shared_end},
    {"%reserved_smem_offset_cap", Special::reserved_shared},
    {"%current_graph_exec", Special::zero},
};
// Counters of performance and parameters of the environment, numbered: this machine has none.
bool always_zero(std::string_view name) {
  return name.starts_with("%pm") || name.starts_with("%envreg") ||
         name.starts_with("%reserved_smem_offset_");
}
constexpr std::pair<std::string_view, int> clocks[] = {
    {"%clock", 4},       {"%clock_hi", 4},       {"%clock64", 8},
    {"%globaltimer", 8}, {"%globaltimer_lo", 4}, {"%globaltimer_hi", 4}};

// An immediate as the instruction means it: a double literal in an f32 instruction is a float.
uint64_t immediate_bits(const ptx::Operand& operand, int bytes) {
  uint64_t bits = operand.bits;
  if (operand.immediate_type == ptx::Type::f64 && bytes == 4)
    bits = std::bit_cast<uint32_t>(float(std::bit_cast<double>(bits)));
  if (operand.immediate_type == ptx::Type::f32 && bytes == 8)
    bits = std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(bits))));
  if (bytes == 0) return bits ? ~0u : 0;
  return bytes >= 8 ? bits : bits & ((1ull << (8 * bytes)) - 1);
}

}  // namespace

uint32_t FunctionDecoder::temporary(int bytes) {
  std::vector<uint32_t>& pool = temporaries[bytes];
  const size_t n = temporaries_used[bytes]++;
  if (n == pool.size()) {
    frame_bytes = (frame_bytes + 63) / 64 * 64;
    pool.push_back(operand_at(Area::frame, frame_at + frame_bytes));
    frame_bytes += warp_register_bytes(bytes);
  }
  return pool[n];
}

void FunctionDecoder::resize(uint32_t to, int to_bytes, uint32_t from, int from_bytes,
                             bool is_signed) {
  static constexpr const char* names[2][4] = {{"u8", "u16", "u32", "u64"},
                                              {"s8", "s16", "s32", "s64"}};
  auto name = [&](int bytes) {
    return std::string(names[is_signed][std::countr_zero(unsigned(bytes))]);
  };
  add("cvt." + name(to_bytes) + "." + name(from_bytes), {to, from});
}

namespace {

// Neither a predicate nor 128 bits.
bool resizable(int from_bytes, int to_bytes) {
  return from_bytes > 0 && from_bytes <= 8 && to_bytes > 0 && to_bytes <= 8;
}

}  // namespace

uint32_t FunctionDecoder::input(const Operand& operand, int bytes) {
  switch (operand.kind) {
    case Kind::reg: {
      const int held = register_bytes(operand.reg);
      const uint32_t at = register_operand(operand.reg);
      if (held == bytes) {
        if (!operand.negated) return at;
        if (bytes != 0) unsupported(*current, "a negated register that is no predicate");
        const uint32_t inverse = temporary(0);
        add("not.pred", {inverse, at});
        return inverse;
      }
      if (!resizable(held, bytes))
        unsupported(*current, "operand '" + function.registers[size_t(operand.reg)].name +
                                  "' has the wrong type");
      const uint32_t resized = temporary(bytes);
      resize(resized, bytes, at, held, false);
      return resized;
    }
    case Kind::immediate: return shared.constant(immediate_bits(operand, bytes), bytes);
    case Kind::special: {
      for (const SpecialName& known : special_names) {
        if (known.name != operand.name) continue;
        const uint32_t at = shared.special(known.special);
        const bool predicate = known.special == Special::is_explicit_cluster;
        if (predicate != (bytes == 0) || bytes > 8)
          unsupported(*current, "special register " + operand.name + " has the wrong type");
        if (bytes == 4 || predicate) return at;
        const uint32_t resized = temporary(bytes);
        resize(resized, bytes, at, 4, false);
        return resized;
      }
      for (const auto& [name, held] : clocks) {
        if (name != operand.name) continue;
        const uint32_t now = temporary(held);
        add("!" + std::string(name), {now});
        program.facts.ordered = program.facts.more_inputs = true;
        if (held == bytes) return now;
        if (!resizable(held, bytes))
          unsupported(*current, "special register " + operand.name + " has the wrong type");
        const uint32_t resized = temporary(bytes);
        resize(resized, bytes, now, held, false);
        return resized;
      }
      if (always_zero(operand.name)) return shared.constant(0, bytes);
      if (operand.name == "WARP_SZ") return shared.constant(lanes, bytes);
      unsupported(*current, "special register " + operand.name);
    }
    case Kind::symbol: return symbol_operand(operand, bytes);
    default: unsupported(*current, "an operand of this kind here");
  }
}

uint32_t FunctionDecoder::output(const Operand& operand, int bytes) {
  if (operand.kind == Kind::sink) return temporary(bytes);
  if (operand.kind != Kind::reg) unsupported(*current, "a destination that is no register");
  const int held = register_bytes(operand.reg);
  const uint32_t at = register_operand(operand.reg);
  if (held == bytes) return at;
  if (!resizable(held, bytes))
    unsupported(*current, "destination '" + function.registers[size_t(operand.reg)].name +
                              "' has the wrong type");
  const std::string_view type = name_of(current->type());
  const uint32_t narrow = temporary(bytes);
  resizes.push_back({at, held, narrow, bytes, !type.empty() && type[0] == 's'});
  return narrow;
}

void FunctionDecoder::finish_outputs() {
  for (const Resize& r : resizes) resize(r.to, r.to_bytes, r.from, r.from_bytes, r.is_signed);
  resizes.clear();
}

std::optional<uint64_t> FunctionDecoder::symbol_address(const std::string& name) const {
  for (const std::string& key : {function.name + "/" + name, name}) {
    const auto in_shared = shared.shared_at.find(key);
    if (in_shared != shared.shared_at.end()) return in_shared->second;
  }
  const auto parameter = kernel_parameters.find(name);
  if (parameter != kernel_parameters.end()) return parameter->second;
  const auto global = program.module.addresses.find(name);
  if (global != program.module.addresses.end()) return global->second;
  return std::nullopt;
}

uint32_t FunctionDecoder::symbol_operand(const Operand& operand, int bytes) {
  const auto local = locals.find(operand.name);
  if (local != locals.end()) {
    const uint32_t at = temporary(bytes);
    add(bytes == 8 ? "!local8" : "!local4", {at}, int64_t(local->second) + operand.offset);
    return at;
  }
  const auto address = symbol_address(operand.name);
  if (!address) {
    const Undefined why = undefined_variable(operand.name);
    unsupported(*current, why.what, why.hint);
  }
  return shared.constant((*address + uint64_t(operand.offset)) & (bytes == 4 ? 0xffffffffu : ~0ull),
                         bytes);
}

std::vector<const ptx::Operand*> FunctionDecoder::flat(const Instruction& instruction) const {
  std::vector<const Operand*> out;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Kind::list) {
      for (const Operand& item : operand.items) out.push_back(&item);
    } else {
      out.push_back(&operand);
    }
  }
  return out;
}

void FunctionDecoder::unsupported(const Instruction& instruction, const std::string& what,
                                  const std::string& hint) const {
  throw Error{shared.module.name + ":" + std::to_string(instruction.span.line),
              "kernel '" + program.kernel + "': " + ptx::print(instruction, function) + ": " + what,
              hint};
}

}  // namespace headroom::sim
