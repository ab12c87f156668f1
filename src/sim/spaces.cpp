#include "sim/spaces.h"

#include <string>

#include "sim/cluster.h"
#include "sim/machinery.h"

namespace headroom::sim {

std::byte* resolve_shared(const Warp& warp, int lane, uint64_t address, uint64_t bytes,
                          const char* use, uint32_t instruction) {
  const uint64_t size = warp.block->machinery->shared_bytes, offset = shared_offset(address);
  const BlockState* owner = owner_of_shared(*warp.block, address);
  const bool inside = offset < size && size - offset >= bytes;
  if (owner && owner->live && inside) return owner->shared + offset;
  throw Fault{"illegal_shared_" + std::string(use),
              std::to_string(bytes) + "-byte shared " + use + ": " +
                  describe_shared(*warp.block, address, size),
              719,
              address,
              instruction,
              lane};
}

std::byte* resolve_global(const Warp& warp, int lane, uint64_t address, uint64_t bytes,
                          const char* use, uint32_t instruction) {
  const Memory& memory = *warp.block->machinery->memory;
  const Memory::Block* block = memory.find(address);
  if (block && block->contains(address, bytes)) return reinterpret_cast<std::byte*>(address);
  throw Fault{"illegal_global_" + std::string(use),
              std::to_string(bytes) + "-byte global " + use + ": " + memory.describe(address),
              700,
              address,
              instruction,
              lane};
}

std::byte* resolve_generic(const Warp& warp, int lane, uint64_t address, uint64_t bytes,
                           const char* use, uint32_t instruction) {
  const uint64_t window = address / window_size * window_size, offset = address - window;
  if (window == local_window && offset + bytes <= warp.local_stride)
    return warp.local + uint64_t(lane) * warp.local_stride + offset;
  const Machinery& machinery = *warp.block->machinery;
  if (window == param_window && offset + bytes <= machinery.arguments.size())
    return const_cast<std::byte*>(machinery.arguments.data()) + offset;
  if (window == shared_window) return resolve_shared(warp, lane, offset, bytes, use, instruction);
  return resolve_global(warp, lane, address, bytes, use, instruction);
}

}  // namespace headroom::sim
