// What a program says of a box to copy, as the device takes it.
#pragma once
#include "device/copy.h"
#include "driver/driver.h"

namespace headroom::driver {

// invalid_value: an address is of other memory than the program says.
Status read_box(const Session&, const CUDA_MEMCPY2D&, CopyWork& out);
Status read_box(const Session&, const CUDA_MEMCPY3D&, CopyWork& out);

}  // namespace headroom::driver
