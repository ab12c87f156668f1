// What a host program needs of machine code that comes without PTX, in the terms of PTX: kernels with
// their parameters and bounds, variables with what they hold at the start. Functions have no body.
//
//   app.cubin --> ptx::Module{sm_90, {".global big, 400 B", ".const table, 12 B = …"},
//                             {".entry _Z1kPfi(.param 8 B, .param 4 B) .maxntid 128"}}
//
// Variables have the names that CubinSymbols gives them.
#pragma once
#include "kernel/bytes.h"
#include "ptx/module.h"

namespace headroom {

// Throws Error for what is no cubin, or damaged.
ptx::Module cubin_module(const Bytes& cubin);

}  // namespace headroom
