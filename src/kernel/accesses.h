// Whether machine code accesses memory as its PTX does. ptxas may join accesses to neighbouring
// addresses into a wider one, or leave some out: a count made on PTX is then no lower bound.
//
//   PTX      64 × ld.shared.f32          machine code   32 × LDS, 8 × LDS.128      not kept
//   PTX       2 × ld.global.f32          machine code    8 × LDG (a loop unrolled)     kept
//
// Only instructions are compared, not how often each ran: as many or more, and on average none
// wider.
#pragma once
#include <optional>
#include <string>

#include "kernel/bytes.h"
#include "ptx/module.h"

namespace headroom {

struct AccessSites {
  struct Sites {
    int count = 0, bytes = 0;  // instructions, and what one lane of each moves, added up
  };
  Sites shared_loads, shared_stores, global_loads, global_stores;  // generic ones are global
};

// Of a kernel and of the functions it calls.
AccessSites accesses_of(const ptx::Module&, const std::string& kernel);
// Of a kernel's machine code for sm_70 and later: the section .text.KERNEL of a cubin.
AccessSites accesses_of(const Bytes& machine_code);

bool kept(const AccessSites& ptx, const AccessSites& machine_code);

// For a kernel of a PTX text and the cubin that ptxas made of it; absent: the cubin cannot be read
// that way.
std::optional<bool> accesses_kept(const ptx::Module&, const Bytes& cubin,
                                  const std::string& kernel);

}  // namespace headroom
