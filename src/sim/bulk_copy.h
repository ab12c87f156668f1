// Bulk copies: cp.async.bulk and cp.reduce.async.bulk, plain and of boxes of a tensor. A lane that
// runs one copies at once, then tells the barrier in shared memory how many bytes came.
//
//   cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];
//   operands of the list: {shared %r1, global %rd1, size %r2, barrier %r3}
#pragma once
#include <string_view>
#include <vector>

#include "sim/program.h"

namespace headroom::sim {

// A bulk operation's operands stand in Program::operand_list from Operation::extra on, in this
// order; those an instruction lacks are no_operand. Addresses and maps are 64 bits wide, the others
// 32.
enum BulkOperand : uint32_t {
  bulk_shared,  // address in shared memory; between blocks of a cluster: the destination
  bulk_global,  // address in global memory, of the tensor map (generic), or of the shared source
  bulk_size,
  bulk_barrier,
  bulk_blocks,                        // of the cluster, a bit each: a copy for every one
  bulk_coordinate,                    // five of them
  bulk_offset = bulk_coordinate + 5,  // three, of im2col
  bulk_operands = bulk_offset + 3
};

inline constexpr uint32_t bulk_im2col = 1;  // in Operation::site: the box is a column of pixels

// Reductions: Operation::operand[1] is room for 32 elements of Operation::bytes, Operation::move
// does them, and Operation::offset is the index of the operation (tensors: their map knows the
// type).
void bulk_load(Warp&, const Operation&);     // global -> shared
void bulk_store(Warp&, const Operation&);    // shared -> global
void bulk_between(Warp&, const Operation&);  // shared -> shared of a block of the cluster
void tensor_load(Warp&, const Operation&);
void tensor_store(Warp&, const Operation&);

inline constexpr std::string_view reductions[] = {"add", "min", "max", "inc",
                                                  "dec", "and", "or",  "xor"};
inline constexpr int64_t no_reduction = -1;

// --- what bulk_copy.cpp and tensor_copy.cpp share

uint64_t bulk_operand(const Warp&, const Operation&, BulkOperand, int lane, bool wide);
bool has_operand(const Warp&, const Operation&, BulkOperand);
// The addresses of a shared address in each block that gets a copy.
std::vector<uint64_t> destinations(const Warp&, const Operation&, int lane, uint64_t shared);
// What asynchronously stores into a cluster's memory is illegal where the launch has no cluster
// (H200), though the address may be of the block's own.
void require_cluster(const Warp&, const Operation&);
void require_aligned(uint64_t value, uint64_t alignment, const char* what, const Operation&,
                     int lane);
Use use_of(const Operation&);  // of what it writes: store, or atomic where it reduces
// Elements of `from` into those of `to`, by its atomic operation.
void reduce_into(Warp&, const Operation&, std::byte* to, const std::byte* from, uint64_t bytes);

}  // namespace headroom::sim
