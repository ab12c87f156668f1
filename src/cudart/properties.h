// The machine in the words of cudaDeviceProp.
#pragma once
#include <cstdint>

#include "cudart/api.h"
#include "machine/machine.h"

namespace headroom::cudart {

// `device` is its number among the simulated ones.
cudaDeviceProp properties_of(const Machine&, int device, uint64_t memory_bytes);

// The value cudaDeviceGetAttribute gives; false for an attribute nobody knows.
bool attribute_of(const Machine&, const cudaDeviceProp&, cudaDeviceAttr, int& value);

}  // namespace headroom::cudart
