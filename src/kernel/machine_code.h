// The machine code of a cubin as data.
//
//   read_machine_code({file, "saxpy.cubin"}) --> sass::Module{sm_90, {Function{"_Z5saxpyifPfS_", …}}}
//
// An ELF file of machine 190: section .text.NAME is a kernel, or a function that is called through
// its address, .nv.constantN.NAME are its constants, .nv.info.NAME notes about it. Not documented by
// NVIDIA; checked against nvdisasm (scripts/prove/machine_code.py).
#pragma once
#include "kernel/bytes.h"
#include "sass/module.h"

namespace headroom {

// Throws Error for what is no cubin, truncated, or of an architecture that is not read (below 75 or
// above 90).
sass::Module read_machine_code(const Bytes& cubin);

// Whether the executor runs machine code of this compute capability, as 90.
bool runs_machine_code(int cc);
// Whether a machine of `cc` runs such code: of its own major version, and no higher a minor one (CUDA
// programming guide, "Binary Compatibility").
constexpr bool is_compatible(int architecture, int cc) {
  return architecture / 10 == cc / 10 && architecture <= cc;
}

}  // namespace headroom
