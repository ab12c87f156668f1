// The special registers a kernel reads, as vectors like any other register: written when a warp
// starts.
#include <algorithm>

#include "record/launch.h"
#include "sim/cluster.h"
#include "sim/machinery.h"
#include "sim/warp.h"

namespace headroom::sim {
namespace {

struct Thread {
  uint32_t x, y, z;
};

// The next thread of a block. A division a lane would take as long as a short kernel.
void advance(Thread& thread, const Dim3& block) {
  if (++thread.x != block.x) return;
  thread.x = 0;
  if (++thread.y != block.y) return;
  thread.y = 0;
  ++thread.z;
}

// A warp runs in the same place in one block after the other.
bool is_of_the_block(Special special) {
  switch (special) {
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
    case Special::clusterid_x:
    case Special::clusterid_y:
    case Special::clusterid_z:
    case Special::smid: return true;
    default: return false;
  }
}

}  // namespace

void fill_specials(Warp& warp, const Program& program, bool again) {
  const BlockState& block = *warp.block;
  const Machinery& machinery = *block.machinery;
  const LaunchShape& launch = machinery.launch->shape;
  const Dim3 grid = launch.grid, shape = launch.block, together = launch.cluster_size();
  const Cluster& cluster = *block.cluster;
  const uint32_t before = warp.index * lanes;
  const Thread first = {before % shape.x, before / shape.x % shape.y, before / shape.x / shape.y};
  std::byte* base = warp.base + program.specials_at;
  for (const SpecialRegister& reg : program.specials) {
    if (again && !is_of_the_block(reg.special)) continue;
    uint32_t* out = reinterpret_cast<uint32_t*>(base + reg.offset);
    auto each = [&](auto value) {
      for (int lane = 0; lane < lanes; ++lane) out[lane] = uint32_t(value(uint32_t(lane)));
    };
    auto same = [&](uint64_t value) { std::fill(out, out + lanes, uint32_t(value)); };
    auto threads = [&](uint32_t Thread::*part) {
      Thread thread = first;
      for (int lane = 0; lane < lanes; ++lane, advance(thread, shape)) out[lane] = thread.*part;
    };
    switch (reg.special) {
      case Special::tid_x: threads(&Thread::x); break;
      case Special::tid_y: threads(&Thread::y); break;
      case Special::tid_z: threads(&Thread::z); break;
      case Special::ntid_x: same(shape.x); break;
      case Special::ntid_y: same(shape.y); break;
      case Special::ntid_z: same(shape.z); break;
      case Special::ctaid_x: same(block.x); break;
      case Special::ctaid_y: same(block.y); break;
      case Special::ctaid_z: same(block.z); break;
      case Special::nctaid_x: same(grid.x); break;
      case Special::nctaid_y: same(grid.y); break;
      case Special::nctaid_z: same(grid.z); break;
      case Special::laneid: each([](uint32_t lane) { return lane; }); break;
      case Special::warpid: same(warp.index); break;
      case Special::nwarpid: same(uint64_t(machinery.limits.warps_per_sm)); break;
      case Special::smid: same(block.sm); break;
      case Special::nsmid: same(uint64_t(machinery.limits.sm_count)); break;
      case Special::lanemask_eq: each([](uint32_t lane) { return 1u << lane; }); break;
      case Special::lanemask_le: each([](uint32_t lane) { return (2u << lane) - 1; }); break;
      case Special::lanemask_lt: each([](uint32_t lane) { return (1u << lane) - 1; }); break;
      case Special::lanemask_ge: each([](uint32_t lane) { return ~((1u << lane) - 1); }); break;
      case Special::lanemask_gt: each([](uint32_t lane) { return ~((2u << lane) - 1); }); break;
      case Special::dynamic_shared: same(launch.dynamic_shared); break;
      case Special::total_shared: same(machinery.shared_bytes); break;
      case Special::aggregated_shared:
        same(machinery.shared_bytes + machinery.limits.reserved_shared);
        break;
      case Special::reserved_shared: same(machinery.limits.reserved_shared); break;
      case Special::reserved_shared_end: same(288); break;  // seen on an H200
      case Special::clusterid_x: same(cluster.x); break;
      case Special::clusterid_y: same(cluster.y); break;
      case Special::clusterid_z: same(cluster.z); break;
      case Special::nclusterid_x: same(grid.x / together.x); break;
      case Special::nclusterid_y: same(grid.y / together.y); break;
      case Special::nclusterid_z: same(grid.z / together.z); break;
      case Special::cluster_ctaid_x: same(block.x % together.x); break;
      case Special::cluster_ctaid_y: same(block.y % together.y); break;
      case Special::cluster_ctaid_z: same(block.z % together.z); break;
      case Special::cluster_nctaid_x: same(together.x); break;
      case Special::cluster_nctaid_y: same(together.y); break;
      case Special::cluster_nctaid_z: same(together.z); break;
      case Special::cluster_ctarank: same(block.rank); break;
      case Special::cluster_nctarank: same(together.count()); break;
      case Special::is_explicit_cluster: same(launch.cluster ? ~0u : 0); break;
      case Special::grid_workspace_high: same(machinery.grid_workspace >> 32); break;
      case Special::grid_workspace_low: same(machinery.grid_workspace); break;
      case Special::virtual_config: same(uint64_t(machinery.limits.warps_per_sm) << 8); break;
      case Special::virtual_id: same(uint64_t(warp.index) << 8); break;
      case Special::shared_rank: same(launch.cluster_size().count() > 1 ? block.rank : 0); break;
      case Special::zero: same(0); break;
    }
  }
}

}  // namespace headroom::sim
