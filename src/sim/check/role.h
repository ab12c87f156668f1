// What an instruction does to the order of memory accesses, by its modifiers: of PTX (its manual, "Memory
// Consistency Model"), and of machine code, as ptxas writes the same.
//
//   ld.global.u32               weak          atom.acq_rel.gpu.global.add.u32   acquire, release, gpu
//   ld.volatile.global.u32      strong, sys   membar.gl                         fence, gpu
//   LDG.E.STRONG.GPU            strong, gpu   MEMBAR.ALL.GPU                    fence, gpu
#pragma once
#include <cstdint>

#include "ptx/module.h"
#include "sass/module.h"

namespace headroom::sim::check {

// Clusters and the system count as gpu. Machine code does not say which accesses to shared memory are
// volatile: `polled` is a load that must be (Program::polled).
enum class Scope : uint8_t { none, block, gpu, polled };

struct Role {
  Scope scope = Scope::none;  // none: a weak access, or no access
  bool acquires = false, releases = false, fences = false;
  bool copies = false;   // cp.async: what it writes is there after a wait
  bool may_set = false;  // what such a load waits for
  bool crosses = false;  // fence.proxy.async: what threads wrote is there for bulk copies and wgmma
};

Role role_of(const ptx::Instruction&);
Role role_of(const sass::Instruction&);
// The load of a loop that ends in ATOMS.CAST, which is how machine code does most atomics in shared memory.
bool begins_atomic(const sass::Function&, uint32_t instruction);

}  // namespace headroom::sim::check
