// What an instruction of PTX does to the order of memory accesses, by its modifiers (PTX manual,
// "Memory Consistency Model").
//
//   ld.global.u32               weak          atom.acq_rel.gpu.global.add.u32   acquire, release, gpu
//   ld.volatile.global.u32      strong, sys   membar.gl                         fence, gpu
#pragma once
#include <cstdint>

#include "ptx/module.h"

namespace headroom::sim::check {

enum class Scope : uint8_t { none, block, gpu };  // clusters and the system count as gpu

struct Role {
  Scope scope = Scope::none;  // none: a weak access, or no access
  bool acquires = false, releases = false, fences = false;
  bool copies = false;   // cp.async: what it writes is there after a wait
  bool crosses = false;  // fence.proxy.async: what threads wrote is there for bulk copies and wgmma
};

Role role_of(const ptx::Instruction&);

}  // namespace headroom::sim::check
