#include "sim/bulk_copy.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "record/launch.h"
#include "sim/cluster.h"
#include "sim/machinery.h"
#include "sim/mbarrier_operations.h"
#include "sim/observer.h"
#include "sim/spaces.h"

namespace headroom::sim {
namespace {

uint32_t place_of(const Warp& warp, const Operation& operation, BulkOperand which) {
  return warp.block->machinery->program->operand_list[operation.extra + which];
}

struct Sides {
  uint64_t shared, global, size;
};

// Reads and checks what all plain bulk copies have.
Sides sides_of(const Warp& warp, const Operation& operation, int lane) {
  const Sides sides{bulk_operand(warp, operation, bulk_shared, lane, true),
                    bulk_operand(warp, operation, bulk_global, lane, true),
                    bulk_operand(warp, operation, bulk_size, lane, false)};
  require_aligned(sides.size, 16, "the size", operation, lane);
  require_aligned(sides.shared, 16, "the address in shared memory", operation, lane);
  require_aligned(sides.global, 16, "the other address", operation, lane);
  return sides;
}

}  // namespace

Use use_of(const Operation& operation) {
  return operation.offset == no_reduction ? Use::store : Use::atomic;
}

bool has_operand(const Warp& warp, const Operation& operation, BulkOperand which) {
  return place_of(warp, operation, which) != no_operand;
}

uint64_t bulk_operand(const Warp& warp, const Operation& operation, BulkOperand which, int lane,
                      bool wide) {
  const std::byte* column = warp.base + place_of(warp, operation, which);
  return wide ? reinterpret_cast<const uint64_t*>(column)[lane]
              : reinterpret_cast<const uint32_t*>(column)[lane];
}

std::vector<uint64_t> destinations(const Warp& warp, const Operation& operation, int lane,
                                   uint64_t shared) {
  if (!has_operand(warp, operation, bulk_blocks)) return {shared};
  std::vector<uint64_t> all;
  const uint64_t offset = block_offset(shared);
  uint64_t blocks = bulk_operand(warp, operation, bulk_blocks, lane, false) & 0xffff;
  for (; blocks; blocks &= blocks - 1)
    all.push_back((uint64_t(std::countr_zero(blocks)) + 1) << rank_shift | offset);
  return all;
}

void require_cluster(const Warp& warp, const Operation& operation) {
  if (warp.block->machinery->launch->shape.cluster) return;
  throw Fault{"illegal_instruction",
              "an asynchronous store into shared memory of a cluster, in a launch without clusters",
              715,
              std::nullopt,
              operation.instruction,
              std::countr_zero(warp.mask)};
}

void require_aligned(uint64_t value, uint64_t alignment, const char* what,
                     const Operation& operation, int lane) {
  if (value % alignment == 0) return;
  throw Fault{"misaligned_bulk_copy",
              fmt::format("a bulk copy needs multiples of {}: {} is {}", alignment, what, value),
              716,
              value,
              operation.instruction,
              lane};
}

void reduce_into(Warp& warp, const Operation& operation, std::byte* to, const std::byte* from,
                 uint64_t bytes) {
  const uint32_t all = warp.mask;
  const uint64_t size = operation.bytes;
  warp.addresses.layout = HostAddresses::scattered;
  for (uint64_t done = 0; done < bytes; done += lanes * size) {
    const uint64_t count = std::min<uint64_t>((bytes - done) / size, lanes);
    std::memcpy(warp.base + operation.operand[1], from + done, count * size);
    for (uint64_t i = 0; i < count; ++i)
      warp.addresses.host[i] = reinterpret_cast<uint64_t>(to + done + i * size);
    warp.mask = count == lanes ? all_lanes : (1u << count) - 1;
    operation.move(warp, operation);
  }
  warp.mask = all;
}

void bulk_load(Warp& warp, const Operation& operation) {
  each_lane(warp, [&](int lane) {
    const Sides sides = sides_of(warp, operation, lane);
    if (sides.size == 0) return;
    const std::byte* from =
        resolve_global(warp, lane, sides.global, sides.size, "load", operation.instruction);
    observe(Copied{warp, operation, lane, Place::global, Use::load, sides.global, sides.size});
    for (const uint64_t to : destinations(warp, operation, lane, sides.shared)) {
      std::memcpy(resolve_shared(warp, lane, to, sides.size, "store", operation.instruction), from,
                  sides.size);
      observe(Copied{warp, operation, lane, Place::shared, Use::store, block_offset(to), sides.size,
                     owner_of_shared(*warp.block, to)});
    }
    const uint64_t barrier = bulk_operand(warp, operation, bulk_barrier, lane, true);
    for (const uint64_t told : destinations(warp, operation, lane, barrier))
      complete_transactions(warp, operation, lane, told, int64_t(sides.size));
  });
}

void bulk_store(Warp& warp, const Operation& operation) {
  each_lane(warp, [&](int lane) {
    const Sides sides = sides_of(warp, operation, lane);
    if (sides.size == 0) return;
    const std::byte* from =
        resolve_shared(warp, lane, sides.shared, sides.size, "load", operation.instruction);
    std::byte* to =
        resolve_global(warp, lane, sides.global, sides.size, "store", operation.instruction);
    observe(Copied{warp, operation, lane, Place::shared, Use::load, block_offset(sides.shared),
                   sides.size});
    observe(
        Copied{warp, operation, lane, Place::global, use_of(operation), sides.global, sides.size});
    if (operation.offset == no_reduction)
      std::memcpy(to, from, sides.size);
    else
      reduce_into(warp, operation, to, from, sides.size);
  });
}

void bulk_between(Warp& warp, const Operation& operation) {
  require_cluster(warp, operation);
  each_lane(warp, [&](int lane) {
    const Sides sides = sides_of(warp, operation, lane);
    if (sides.size == 0) return;
    const std::byte* from =
        resolve_shared(warp, lane, sides.global, sides.size, "load", operation.instruction);
    std::byte* to =
        resolve_shared(warp, lane, sides.shared, sides.size, "store", operation.instruction);
    if (operation.offset == no_reduction)
      std::memmove(to, from, sides.size);
    else
      reduce_into(warp, operation, to, from, sides.size);
    observe(Copied{warp, operation, lane, Place::shared, Use::load, block_offset(sides.global),
                   sides.size});
    observe(Copied{warp, operation, lane, Place::shared, use_of(operation),
                   block_offset(sides.shared), sides.size,
                   owner_of_shared(*warp.block, sides.shared)});
    complete_transactions(warp, operation, lane,
                          bulk_operand(warp, operation, bulk_barrier, lane, true),
                          int64_t(sides.size));
  });
}

}  // namespace headroom::sim
