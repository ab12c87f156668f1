#include "sim/spaces.h"

#include <string>

#include "sim/cluster.h"
#include "sim/finding_of.h"
#include "sim/machinery.h"

namespace headroom::sim {
namespace {

constexpr const char* place_names[] = {"global", "const", "shared", "local",
                                       "param",  "param", "global"};

// Measured on an H200: a block gets shared memory in such pieces.
constexpr uint64_t shared_unit = 128;

bool is_device(Place place) { return place == Place::global || place == Place::constant; }

// The block that a shared address means: null if the cluster has no such one, or 2^32 is exceeded.
const BlockState* owner_of(const Warp& warp, uint64_t address) {
  if (shared_offset_of(address) < 0) return warp.block;
  return address >> 32 ? nullptr : owner_of_shared(*warp.block, address);
}

Verdict judge_shared(const Warp& warp, uint64_t address, uint64_t bytes) {
  const Machinery& machinery = *warp.block->machinery;
  const BlockState* owner = owner_of(warp, address);
  if (!owner || !owner->live || bytes > window_size) return Verdict::faults;
  const int64_t size = int64_t(machinery.shared_bytes), first = shared_offset_of(address),
                end = first + int64_t(bytes);
  if (first >= 0 && end <= size) return Verdict::legal;
  return first >= -int64_t(shared_before(machinery)) &&
                 end <= size + int64_t(shared_behind(machinery))
             ? Verdict::passes
             : Verdict::faults;
}

// Bytes of a place that is none of the device's memory.
uint64_t bytes_of_place(const Warp& warp, Place place) {
  const Machinery& machinery = *warp.block->machinery;
  return place == Place::shared  ? machinery.shared_bytes
         : place == Place::local ? warp.local_bytes
                                 : machinery.arguments.size();
}

std::string describe(const Warp& warp, Place place, uint64_t address) {
  if (is_device(place)) {
    const Machinery& machinery = *warp.block->machinery;
    const bool shut = machinery.memory->find(address) &&
                      !machinery.memory->find(address, machinery.limits.device);
    return machinery.memory->describe(address) +
           (shut ? ", of a device whose memory this one may not use (cudaDeviceEnablePeerAccess)"
                 : "");
  }
  const uint64_t size = bytes_of_place(warp, place);
  if (place == Place::shared && shared_offset_of(address) >= 0)
    return describe_shared(*warp.block, address, size);
  const int64_t offset = place == Place::shared ? shared_offset_of(address) : int64_t(address);
  if (offset >= 0)
    return "offset " + std::to_string(offset) + " of " + std::to_string(size) + " bytes";
  return std::to_string(0 - uint64_t(offset)) + " bytes before the " + std::to_string(size) +
         " bytes of the " + (place == Place::shared ? "block" : "thread");
}

// The bank of constants that a machine instruction names; null of others.
const ConstantBank* bank_of(const Program& program, uint32_t instruction) {
  const InstructionAt& at = program.instructions[instruction];
  if (!at.code) return nullptr;
  for (const sass::Operand& operand : at.code->instructions[at.index].operands)
    for (const ConstantBank& bank : program.banks)
      if (operand.kind == sass::OperandKind::constant && bank.number == int(operand.index))
        return &bank;
  return nullptr;
}

std::string describe(const ConstantBank& bank, uint64_t address) {
  return "offset " + std::to_string(address - bank.at) + " of the " +
         std::to_string(bank.content.size()) + " bytes of bank " + std::to_string(bank.number);
}

// As measured on an H200.
int error_of(const Warp& warp, Place place, uint64_t address) {
  if (place == Place::parameter || place == Place::frame) return 719;
  if (place != Place::shared) return 700;
  const int64_t offset = shared_offset_of(address);
  if (offset < -int64_t(shared_before(*warp.block->machinery))) return 715;
  return owner_of(warp, address) == warp.block ? 700 : 719;
}

const char* reason_that_it_passes(const Warp& warp, Place place, uint64_t address) {
  if (is_device(place))
    return address < warp.block->machinery->memory->base()
               ? "; a GPU may let it pass, where other memory lies in that page"
               : "; a GPU lets it pass, as the page of memory is mapped";
  return shared_offset_of(address) < 0
             ? "; a GPU lets it pass, as memory of the system lies there"
             : "; a GPU lets it pass, as blocks get shared memory in units of 128 bytes";
}

std::byte* checked(const Warp& warp, Place place, int lane, uint64_t address, uint64_t bytes,
                   const char* use, uint32_t instruction) {
  const Verdict verdict = judge(warp, place, address, bytes);
  const bool told = verdict == Verdict::passes && has_strayed(warp, instruction);
  if (verdict != Verdict::legal && !told) {
    const Fault fault = illegal_access(warp, place, address, bytes, use, instruction, lane);
    if (verdict == Verdict::faults) throw fault;
    note_stray(warp, place, fault);
  }
  if (place == Place::shared)
    return owner_of(warp, address)->shared + (shared_offset_of(address) < 0
                                                  ? shared_offset_of(address)
                                                  : int64_t(shared_offset(address)));
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace

SpaceAddress space_of(uint64_t generic) {
  const uint64_t window = (generic + window_margin) >> 32 << 32;
  switch (window) {
    case shared_window: return {Place::shared, generic - window};
    case local_window: return {Place::local, generic - window};
    case param_window: return {Place::parameter, generic - window};
    default: return {Place::global, generic};
  }
}

int64_t shared_offset_of(uint64_t address) {
  const bool wraps = address >> 32 == 0 && (address & rank_bits) == rank_bits;
  const int64_t offset = wraps ? int64_t(int32_t(address)) : int64_t(address);
  return offset < 0 ? offset : int64_t(address >> 32 ? address : shared_offset(address));
}

uint64_t shared_before(const Machinery& machinery) { return machinery.limits.reserved_shared; }
uint64_t shared_behind(const Machinery& machinery) {
  return (shared_unit - machinery.shared_bytes % shared_unit) % shared_unit;
}

Verdict judge(const Warp& warp, Place place, uint64_t address, uint64_t bytes) {
  if (place == Place::shared) return judge_shared(warp, address, bytes);
  if (is_device(place)) {
    const Machinery& machinery = *warp.block->machinery;
    const Memory& memory = *machinery.memory;
    const Memory::Block* block = memory.find(address, machinery.limits.device);
    if (block && block->contains(address, bytes)) return Verdict::legal;
    return memory.mapped(address, bytes, machinery.limits.device) ? Verdict::passes
                                                                  : Verdict::faults;
  }
  const uint64_t size = bytes_of_place(warp, place);
  return address < size && size - address >= bytes ? Verdict::legal : Verdict::faults;
}

Fault illegal_access(const Warp& warp, Place place, uint64_t address, uint64_t bytes,
                     const char* use, uint32_t instruction, int lane) {
  const ConstantBank* bank =
      place == Place::parameter ? bank_of(*warp.block->machinery->program, instruction) : nullptr;
  const std::string name = bank ? "const" : place_names[int(place)];
  return {"illegal_" + name + "_" + use,
          std::to_string(bytes) + "-byte " + name + " " + use + ": " +
              (bank ? describe(*bank, address) : describe(warp, place, address)),
          bank ? 700 : error_of(warp, place, address),
          address,
          instruction,
          lane};
}

bool has_strayed(const Warp& warp, uint32_t instruction) {
  return warp.block->linear >= warp.block->machinery->strayed[instruction];
}

namespace {

void note(const Warp& warp, uint32_t instruction, Finding finding) {
  Machinery& machinery = *warp.block->machinery;
  machinery.strayed[instruction] = warp.block->linear;
  machinery.strays.push_back({warp.block->linear, instruction, std::move(finding)});
}

}  // namespace

void note_stray(const Warp& warp, Place place, const Fault& fault) {
  if (has_strayed(warp, fault.instruction)) return;
  Finding finding = finding_of(fault, *warp.block->machinery->program, warp);
  finding.cuda_error = 0;
  finding.kind.replace(0, finding.kind.find('_'), "out_of_bounds");
  finding.what += reason_that_it_passes(warp, place, *fault.address);
  note(warp, fault.instruction, std::move(finding));
}

void note_neighbour(const Warp& warp, const Fault& fault) {
  note(warp, fault.instruction, finding_of(fault, *warp.block->machinery->program, warp));
}

std::byte* resolve_shared(const Warp& warp, int lane, uint64_t address, uint64_t bytes,
                          const char* use, uint32_t instruction) {
  return checked(warp, Place::shared, lane, address, bytes, use, instruction);
}

std::byte* resolve_global(const Warp& warp, int lane, uint64_t address, uint64_t bytes,
                          const char* use, uint32_t instruction) {
  return checked(warp, Place::global, lane, address, bytes, use, instruction);
}

std::byte* resolve_generic(const Warp& warp, int lane, uint64_t address, uint64_t bytes,
                           const char* use, uint32_t instruction) {
  const auto [place, offset] = space_of(address);
  if (place == Place::shared || place == Place::global)
    return checked(warp, place, lane, offset, bytes, use, instruction);
  if (judge(warp, place, offset, bytes) != Verdict::legal)
    throw illegal_access(warp, place, offset, bytes, use, instruction, lane);
  if (place == Place::local) return warp.local + uint64_t(lane) * warp.local_stride + offset;
  return const_cast<std::byte*>(warp.block->machinery->arguments.data()) + offset;
}

}  // namespace headroom::sim
