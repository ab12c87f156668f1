// The kernels of an image with what each takes from an SM.
//
//   image_kernels("./saxpy", h200, {})
//     ->  {{"saxpy(int, float, float*)", Resources{registers 12, …}}}
#pragma once
#include <string>
#include <vector>

#include "cli/kernel_pattern.h"
#include "kernel/kernel.h"
#include "machine/machine.h"
#include "model/occupancy.h"

namespace headroom {

struct ImageKernel {
  std::string name, mangled;
  Resources resources;
};

// From the PTX that would run on the machine; from machine code where there is no PTX. Throws Error
// when no kernel matches.
std::vector<ImageKernel> image_kernels(const std::string& path, const Machine&,
                                       const KernelPattern&);

// The shape with the kernel's registers and shared memory where the user gave none.
BlockShape with_resources(BlockShape, const Resources&);

}  // namespace headroom
