#include "sim/warp.h"

#include <bit>
#include <cstring>

#include "sim/finding_of.h"
#include "sim/machinery.h"

namespace headroom::sim {
namespace {

constexpr const char* places[] = {"global", "const", "shared", "local", "param", "param", "global"};
constexpr const char* uses[] = {"load", "store", "atomic"};

std::string access_name(Place place, Use use) {
  return std::string(places[int(place)]) + "_" + uses[int(use)];
}
std::string access_words(const Step& step, Place place, Use use) {
  return std::to_string(step.bytes) + "-byte " + places[int(place)] + " " + uses[int(use)];
}

Fault illegal_access(const Warp& warp, const Step& step, Place place, Use use, uint64_t address,
                     int lane) {
  const Machinery& machinery = *warp.block->machinery;
  const bool device = place == Place::global || place == Place::constant;
  const uint64_t size = place == Place::shared  ? machinery.shared_bytes
                        : place == Place::local ? warp.local_stride
                                                : machinery.arguments.size();
  const std::string where =
      device ? machinery.memory->describe(address)
             : "offset " + std::to_string(address) + " of " + std::to_string(size) + " bytes";
  return {"illegal_" + access_name(place, use),
          access_words(step, place, use) + ": " + where,
          device ? 700 : 719,
          address,
          step.instruction,
          lane};
}

}  // namespace

void start_warp(Warp& warp, const Program& program, BlockState& block, uint32_t index) {
  const Launch& launch = *block.machinery->launch;
  const uint64_t threads = launch.block.count(), first = uint64_t(index) * lanes;
  const uint32_t mask = threads - first >= lanes ? all_lanes : (1u << (threads - first)) - 1;
  warp.block = &block;
  warp.index = index;
  warp.live = mask;
  warp.current = warp.splits = warp.waits = 0;
  warp.impatient = false;
  warp.convergences.clear();
  warp.steps = 0;
  warp.frames.resize(1);
  warp.frames[0].live = mask;
  warp.groups.assign(1, Group{});
  warp.groups[0].mask = mask;
  warp.groups[0].run = program.functions[0].entry;
  fill_specials(warp, program);
}

void check_global(Warp& warp, const Step& step, Place place, Use use,
                  const LaneAddresses& address) {
  Machinery& machinery = *warp.block->machinery;
  const uint64_t bytes = step.bytes;
  const Memory::Block* found = nullptr;
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (found && found->contains(address[lane], bytes) && address[lane] % bytes == 0) continue;
    found = machinery.memory->find(address[lane]);
    if (found && found->contains(address[lane], bytes) && address[lane] % bytes == 0) continue;
    found = nullptr;
    if (address[lane] % bytes || !machinery.memory->mapped(address[lane], bytes))
      refuse_access(warp, step, place, use, address);
    if (!machinery.strayed[step.site]) {  // once an instruction
      machinery.strayed[step.site] = true;
      machinery.strays.push_back({finding_of(
          illegal_access(warp, step, place, use, address[lane], lane), *machinery.program, warp)});
      machinery.strays.back().cuda_error = 0;
      machinery.strays.back().kind = "out_of_bounds_" + access_name(place, use);
      machinery.strays.back().what += "; a GPU lets it pass, as the page of memory is mapped";
    }
  }
  if (found) machinery.recent[step.site] = *found;
}

void refuse_access(Warp& warp, const Step& step, Place place, Use use,
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
    const bool legal = device ? (block && block->contains(a, step.bytes)) ||
                                    machinery.memory->mapped(a, step.bytes)
                              : a < size && size - a >= step.bytes;
    if (!legal) throw illegal_access(warp, step, place, use, a, lane);
    if (a % step.bytes) {
      throw Fault{"misaligned_" + access_name(place, use),
                  access_words(step, place, use) + " at an address that is no multiple of " +
                      std::to_string(step.bytes),
                  716,
                  a,
                  step.instruction,
                  lane};
    }
  }
  throw Fault{
      "illegal_access", "an access outside its space", 700, address[0], step.instruction, 0};
}

}  // namespace headroom::sim
