// Blocks of a cluster: resident together, they see each other's shared memory and meet at the
// cluster's barrier. A block launched without one is a cluster of its own.
//
//   mapa.shared::cluster.u32 %r2, %r1, 1;   %r1 = 0x40: word 16 of this block
//                                           %r2 = 0x02000040: word 16 of block 1 of the cluster
//
// An address of shared memory below 16 MiB is one's own block's; block r of the cluster is
// (r + 1) · 16 MiB further.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/program.h"

namespace headroom::sim {

inline constexpr int rank_shift = 24;
inline constexpr uint64_t rank_bits = 0xff'000000;  // of a shared address
inline constexpr uint32_t cluster_barrier = 64;     // beyond the barriers of a block

struct Cluster {
  unsigned x = 0, y = 0, z = 0;     // its place in the grid of clusters
  std::vector<BlockState*> blocks;  // by rank
  // Its barrier: threads that live, those of them that arrived, and which (by rank and warp).
  uint32_t live = 0, arrived = 0;
  std::vector<std::vector<uint32_t>> pending;
};

// Of a shared address: the block whose memory it means, null if the cluster has no such block; and
// the offset there.
const BlockState* owner_of_shared(const BlockState& mine, uint64_t address);
inline uint64_t shared_offset(uint64_t address) { return address & ~rank_bits; }
// The same of an address that may be generic, for observers.
inline uint64_t block_offset(uint64_t address) { return address & ((1u << rank_shift) - 1); }

// Where it points, for messages: "offset 8192 of 4096 bytes of block 1 of the cluster".
std::string describe_shared(const BlockState& mine, uint64_t address, uint64_t size);

void begin_cluster(Cluster&);                         // its blocks have started
void arrive_at_cluster(Warp&, uint32_t instruction);  // barrier.cluster.arrive, by Warp::mask
bool wait_for_cluster(Warp&, uint32_t group);         // true: it may go on at once
void leave_cluster(Warp&, uint32_t mask);             // lanes exit the kernel

}  // namespace headroom::sim
