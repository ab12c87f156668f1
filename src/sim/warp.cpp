#include "sim/warp.h"

#include <bit>
#include <cstring>

#include "record/launch.h"
#include "sim/cluster.h"
#include "sim/finding_of.h"
#include "sim/machinery.h"

namespace headroom::sim {
namespace {

constexpr const char* places[] = {"global", "const", "shared", "local", "param", "param", "global"};
constexpr const char* uses[] = {"load", "store", "atomic"};

std::string access_name(Place place, Use use) {
  return std::string(places[int(place)]) + "_" + uses[int(use)];
}
std::string access_words(const Operation& operation, Place place, Use use) {
  return std::to_string(operation.bytes) + "-byte " + places[int(place)] + " " + uses[int(use)];
}

Fault illegal_access(const Warp& warp, const Operation& operation, Place place, Use use,
                     uint64_t address, int lane) {
  const Machinery& machinery = *warp.block->machinery;
  const bool device = place == Place::global || place == Place::constant;
  const uint64_t size = place == Place::shared  ? machinery.shared_bytes
                        : place == Place::local ? warp.local_stride
                                                : machinery.arguments.size();
  const std::string where = device                   ? machinery.memory->describe(address)
                            : place == Place::shared ? describe_shared(*warp.block, address, size)
                                                     : "offset " + std::to_string(address) +
                                                           " of " + std::to_string(size) + " bytes";
  return {"illegal_" + access_name(place, use),
          access_words(operation, place, use) + ": " + where,
          device ? 700 : 719,
          address,
          operation.instruction,
          lane};
}

}  // namespace

void start_warp(Warp& warp, const Program& program, BlockState& block, uint32_t index) {
  const Launch& launch = *block.machinery->launch;
  const uint64_t threads = launch.shape.block.count(), first = uint64_t(index) * lanes;
  const uint32_t mask = threads - first >= lanes ? all_lanes : (1u << (threads - first)) - 1;
  warp.block = &block;
  warp.index = index;
  warp.live = mask;
  warp.current = warp.splits = warp.waits = 0;
  warp.impatient = false;
  warp.convergence_barriers.clear();
  warp.basic_blocks_entered = 0;
  warp.frames.resize(1);
  warp.frames[0].live = mask;
  warp.groups.assign(1, Group{});
  warp.groups[0].mask = mask;
  warp.groups[0].basic_block = program.functions[0].entry;
  fill_specials(warp, program);
}

void check_global(Warp& warp, const Operation& operation, Place place, Use use,
                  const LaneAddresses& address) {
  Machinery& machinery = *warp.block->machinery;
  const uint64_t bytes = operation.bytes;
  const Memory::Block* found = nullptr;
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (found && found->contains(address[lane], bytes) && address[lane] % bytes == 0) continue;
    found = machinery.memory->find(address[lane]);
    if (found && found->contains(address[lane], bytes) && address[lane] % bytes == 0) continue;
    found = nullptr;
    if (address[lane] % bytes || !machinery.memory->mapped(address[lane], bytes))
      refuse_access(warp, operation, place, use, address);
    if (warp.block->linear < machinery.strayed[operation.site]) {  // once an instruction
      machinery.strayed[operation.site] = warp.block->linear;
      Finding finding = finding_of(illegal_access(warp, operation, place, use, address[lane], lane),
                                   *machinery.program, warp);
      finding.cuda_error = 0;
      finding.kind = "out_of_bounds_" + access_name(place, use);
      finding.what += "; a GPU lets it pass, as the page of memory is mapped";
      machinery.strays.push_back({warp.block->linear, operation.site, std::move(finding)});
    }
  }
  if (found) machinery.recent[operation.site] = *found;
}

void refuse_access(Warp& warp, const Operation& operation, Place place, Use use,
                   const LaneAddresses& address) {
  Machinery& machinery = *warp.block->machinery;
  const bool device = place == Place::global || place == Place::constant;
  const uint64_t size = place == Place::shared  ? machinery.shared_bytes
                        : place == Place::local ? warp.local_stride
                                                : machinery.arguments.size();
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t a = address[lane];
    const Memory::Block* block = device ? machinery.memory->find(a) : nullptr;
    const BlockState* owner = place == Place::shared ? owner_of_shared(*warp.block, a) : warp.block;
    const uint64_t offset = place == Place::shared ? shared_offset(a) : a;
    const bool legal =
        device ? (block && block->contains(a, operation.bytes)) ||
                     machinery.memory->mapped(a, operation.bytes)
               : owner && owner->live && offset < size && size - offset >= operation.bytes;
    if (!legal) throw illegal_access(warp, operation, place, use, a, lane);
    if (a % operation.bytes) {
      throw Fault{"misaligned_" + access_name(place, use),
                  access_words(operation, place, use) + " at an address that is no multiple of " +
                      std::to_string(operation.bytes),
                  716,
                  a,
                  operation.instruction,
                  lane};
    }
  }
  throw Fault{"illegal_access", "an access outside its space", 700,
              address[0],       operation.instruction,         0};
}

}  // namespace headroom::sim
