// The special registers a kernel reads, as vectors like any other register: written when a warp
// starts.
#include <algorithm>

#include "sim/machinery.h"
#include "sim/warp.h"

namespace headroom::sim {

void fill_specials(Warp& warp, const Program& program) {
  const BlockState& block = *warp.block;
  const Machinery& machinery = *block.machinery;
  const Dim3 grid = machinery.launch->grid, shape = machinery.launch->block;
  std::byte* base = warp.base + program.specials_at;
  for (const SpecialSlot& slot : program.specials) {
    uint32_t* out = reinterpret_cast<uint32_t*>(base + slot.offset);
    auto each = [&](auto value) {
      for (int lane = 0; lane < lanes; ++lane) out[lane] = uint32_t(value(uint32_t(lane)));
    };
    auto same = [&](uint64_t value) { std::fill(out, out + lanes, uint32_t(value)); };
    const uint32_t first = warp.index * lanes;
    switch (slot.special) {
      case Special::tid_x: each([&](uint32_t lane) { return (first + lane) % shape.x; }); break;
      case Special::tid_y:
        each([&](uint32_t lane) { return (first + lane) / shape.x % shape.y; });
        break;
      case Special::tid_z:
        each([&](uint32_t lane) { return (first + lane) / shape.x / shape.y; });
        break;
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
      case Special::nwarpid: same(block.warps.size()); break;
      case Special::smid: same(block.sm); break;
      case Special::nsmid: same(uint64_t(machinery.limits.sm_count)); break;
      case Special::lanemask_eq: each([](uint32_t lane) { return 1u << lane; }); break;
      case Special::lanemask_le: each([](uint32_t lane) { return (2u << lane) - 1; }); break;
      case Special::lanemask_lt: each([](uint32_t lane) { return (1u << lane) - 1; }); break;
      case Special::lanemask_ge: each([](uint32_t lane) { return ~((1u << lane) - 1); }); break;
      case Special::lanemask_gt: each([](uint32_t lane) { return ~((2u << lane) - 1); }); break;
      case Special::dynamic_shared: same(machinery.launch->dynamic_shared); break;
      case Special::total_shared: same(machinery.shared_bytes); break;
      case Special::zero: same(0); break;
    }
  }
}

}  // namespace headroom::sim
