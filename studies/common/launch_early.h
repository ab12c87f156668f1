// Launches one after the other whose starts overlap (sm_90): the blocks of a launch come as soon as all of the one before
// have, and wait for what it writes.
//
//   launch_early(kernel, grid, block, shared, arguments…);        // on the default stream
//
//   __global__ void kernel(…) {
//     wait_for_launch_before();                                   // before anything is read or written
//
// Source: CUDA Programming Guide, "Programmatic Dependent Launch and Synchronization".
#pragma once
#include <utility>

#include "studies/common/check.h"

namespace study {

__device__ inline void wait_for_launch_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

inline cudaLaunchAttribute early() {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  return attribute;
}

template <typename... Parameters, typename... Arguments>
void launch_early(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared,
                  Arguments&&... arguments) {
  cudaLaunchAttribute attribute = early();
  cudaLaunchConfig_t launch{};
  launch.gridDim = grid;
  launch.blockDim = block;
  launch.dynamicSmemBytes = shared;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&launch, kernel, std::forward<Arguments>(arguments)...));
}

}  // namespace study
