// The device's properties in the words of cudaDeviceProp.
#pragma once
#include "cudart/api.h"
#include "device/properties.h"

namespace headroom::cudart {

cudaDeviceProp told(const Properties&);

}  // namespace headroom::cudart
