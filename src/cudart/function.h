// What a kernel takes, in the terms the API asks in.
#pragma once
#include <cstdint>

#include "cudart/registry.h"
#include "cudart/session.h"
#include "model/occupancy.h"

namespace headroom::cudart {

struct Footprint {
  Resources resources;
  uint64_t static_shared = 0;        // bytes per block
  uint64_t max_dynamic_shared = 0;   // bytes allowed now
  int bound_threads = 0;             // __launch_bounds__; 0: none
  int max_threads = 0;               // per block, by bounds and registers
  uint64_t local = 0, constant = 0;  // bytes
};

// The dynamic shared memory a kernel may ask for without opting in: 48 KiB less its static.
inline constexpr uint64_t shared_without_opt_in = 48 * 1024;

// A call about one kernel: finds it, or returns what CUDA returns for a function that is none.
cudaError_t with_kernel(const void* function,
                        const std::function<cudaError_t(Session&, Kernel&)>& body);

cudaError_t set_attribute(Session&, Kernel&, cudaFuncAttribute, int value);

Footprint footprint_of(Session&, Kernel&);
BlockShape shape_of(const Footprint&, int threads, uint64_t dynamic_shared);
uint64_t shared_per_block_opt_in(const Machine&);  // bytes

}  // namespace headroom::cudart
