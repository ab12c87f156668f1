// The one question that a face has to another: cudart's cudaGetDriverEntryPoint hands out functions of
// the driver API. The face driver/ answers it (driver/entry.cpp); neither includes the other.
//
//   driver_entry("cuCtxSynchronize")   its function; null: there is none
#pragma once
#include <string_view>

namespace headroom::device {

void* driver_entry(std::string_view symbol);

}  // namespace headroom::device
