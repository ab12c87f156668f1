// The machine in the words of cudaDeviceProp.
#pragma once
#include <cstdint>

#include "machine/machine.h"
#include "runtime/api.h"

namespace headroom::runtime {

// `device` is its number among the simulated ones.
cudaDeviceProp properties_of(const Machine&, int device, uint64_t memory_bytes);

// The value cudaDeviceGetAttribute gives; false for an attribute nobody knows.
bool attribute_of(const Machine&, const cudaDeviceProp&, cudaDeviceAttr, int& value);

}  // namespace headroom::runtime
