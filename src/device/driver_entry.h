// The one question that a face has to another: cudart's cudaGetDriverEntryPoint hands out functions of
// the driver API. The face driver/ answers it (driver/entry.cpp); neither includes the other.
//
//   driver_entry("cuCtxSynchronize", 12000)   what it is for programs of CUDA 12.0; null: there is none
#pragma once
#include <string_view>

namespace headroom::device {

void* driver_entry(std::string_view symbol, int version);

}  // namespace headroom::device
