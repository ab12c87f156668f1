#include "sim/check/marks.h"

#include <bit>

#include "sim/check/checker.h"
#include "sim/cluster.h"
#include "sim/described_matrix.h"
#include "sim/machinery.h"
#include "sim/mbarrier_operations.h"

namespace headroom::sim::check {
namespace {

Checker* checker_of(const Warp& warp) { return warp.block->machinery->checker; }

struct Where {
  const BlockState& owner;
  uint64_t offset;
};

// Of the barrier: one's own block's, or of another one of the cluster.
Where place_of(const Warp& warp, const Operation& operation, int lane) {
  const std::byte* at = warp.base + operation.operand[1];
  const uint64_t base = operation.extra & wide_address
                            ? reinterpret_cast<const uint64_t*>(at)[lane]
                            : reinterpret_cast<const uint32_t*>(at)[lane];
  const uint64_t address = base + uint64_t(operation.offset);
  const BlockState* owner = owner_of_shared(*warp.block, address);
  return {owner ? *owner : *warp.block, block_offset(address)};
}

// An access to the barrier of each lane; those of one block's together.
void tell(const Warp& warp, const Operation& operation, Use use) {
  if (!checker_of(warp)) return;
  uint64_t address[lanes] = {};
  const BlockState* owner[lanes] = {};
  each_lane(warp, [&](int lane) {
    const Where where = place_of(warp, operation, lane);
    address[lane] = where.offset;
    owner[lane] = &where.owner;
  });
  for (uint32_t left = warp.mask, same = 0; left; left &= ~same) {
    const BlockState* whose = owner[std::countr_zero(left)];
    same = 0;
    for (int lane = 0; lane < lanes; ++lane) same |= uint32_t(owner[lane] == whose) << lane;
    observe(warp, operation,
            {Place::shared, use, same, sizeof(uint64_t), false, nullptr, false,
             whose == warp.block ? nullptr : whose},
            address);
  }
}

}  // namespace

void mark_fence(Warp& warp, const Operation& operation) {
  if (Checker* checker = checker_of(warp)) checker->fence(warp, operation.instruction);
}

void mark_warp_sync(Warp& warp, const Operation&) {
  if (Checker* checker = checker_of(warp)) checker->synced(warp);
}

// PTX leaves it undefined. Machine code looks at it itself, and a GPU ends the launch (machine_rows.cpp).
void mark_members(Warp& warp, const Operation& operation) {
  const uint32_t* named = reinterpret_cast<const uint32_t*>(warp.base + operation.operand[0]);
  each_lane(warp, [&](int lane) {
    if (!(named[lane] >> lane & 1))
      throw Fault{"illegal_mask",
                  "a lane of a warp is not in the mask that it gives (__syncwarp, a vote, a "
                  "shuffle)",
                  715,
                  std::nullopt,
                  operation.instruction,
                  lane};
  });
}

void mark_copy_commit(Warp& warp, const Operation&) {
  if (Checker* checker = checker_of(warp)) checker->committed(warp);
}

void mark_copy_wait(Warp& warp, const Operation& operation) {
  if (Checker* checker = checker_of(warp)) checker->waited(warp, uint32_t(operation.extra));
}

void mark_arrival(Warp& warp, const Operation& operation) {
  mark_change(warp, operation);
  if (Checker* checker = checker_of(warp))
    each_lane(warp, [&](int lane) {
      const Where where = place_of(warp, operation, lane);
      checker->met(warp, uint32_t(lane), true, where.owner, where.offset);
    });
}

void mark_wait(Warp& warp, const Operation& operation) {
  Checker* checker = checker_of(warp);
  if (!checker) return;
  const uint32_t over = *reinterpret_cast<const uint32_t*>(warp.base + operation.operand[0]);
  each_lane(warp, [&](int lane) {
    if (over >> lane & 1)
      checker->met(warp, uint32_t(lane), false, *warp.block,
                   place_of(warp, operation, lane).offset);
  });
}

void mark_end(Warp& warp, const Operation& operation) {
  Checker* checker = checker_of(warp);
  if (!checker) return;
  each_lane(warp, [&](int lane) {
    checker->begins(warp, operation, uint32_t(lane), place_of(warp, operation, lane).offset);
  });
}

void mark_making(Warp& warp, const Operation& operation) {
  mark_end(warp, operation);
  tell(warp, operation, Use::store);
}

void mark_change(Warp& warp, const Operation& operation) {
  Checker* checker = checker_of(warp);
  if (!checker) return;
  each_lane(warp, [&](int lane) {
    const Where where = place_of(warp, operation, lane);
    checker->changes(where.owner, where.offset);
  });
}

void mark_use(Warp& warp, const Operation& operation) { tell(warp, operation, Use::atomic); }

void mark_bulk_commit(Warp& warp, const Operation&) {
  if (Checker* checker = checker_of(warp)) checker->committed(warp, Asynchronous::Groups::copies);
}

void mark_bulk_wait(Warp& warp, const Operation& operation) {
  const auto groups =
      operation.offset ? Asynchronous::Groups::copies_read : Asynchronous::Groups::copies;
  if (Checker* checker = checker_of(warp)) checker->waited(warp, groups, uint32_t(operation.extra));
}

void mark_product(Warp& warp, const Operation& operation) {
  Checker* checker = checker_of(warp);
  if (!checker || !warp.mask) return;
  const Program& program = *warp.block->machinery->program;
  const MatrixOperation& matrix = program.matrices[size_t(operation.offset)];
  const uint32_t* a = program.operand_list.data() + operation.extra + matrix.registers_d;
  const uint32_t* b = a + (matrix.a_described ? 1 : matrix.registers_a);
  const uint64_t size = warp.block->machinery->shared_bytes;
  std::vector<uint32_t> units;
  const auto add = [&](uint32_t operand, const UnitsOf& part) {
    const auto* descriptor = reinterpret_cast<const uint64_t*>(warp.base + operand);
    each_unit(Described(descriptor[std::countr_zero(warp.mask)]), part,
              [&](int, int, uint64_t address) {
                if (address + unit_bytes <= size) units.push_back(uint32_t(address / unit_bytes));
              });
  };
  const int bits = matrix.a == Number::b1 ? 32 : bits_of(matrix.a),
            k = matrix.a == Number::b1 ? matrix.k / 32 : matrix.k;
  if (matrix.a_described)
    add(*a, {bits, matrix.a_across, int(warp.index % 4) * matrix.m, matrix.m,
             matrix.group ? k / 2 : k});
  add(*b, {bits, matrix.b_across, 0, matrix.n, k});
  checker->product(warp, operation, std::move(units));
}

void mark_product_commit(Warp& warp, const Operation&) {
  if (Checker* checker = checker_of(warp)) checker->committed(warp, Asynchronous::Groups::products);
}

void mark_product_fence(Warp&, const Operation&) {}

void mark_product_wait(Warp& warp, const Operation& operation) {
  if (Checker* checker = checker_of(warp))
    checker->waited(warp, Asynchronous::Groups::products, uint32_t(operation.extra));
}

}  // namespace headroom::sim::check
