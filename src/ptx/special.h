// The special registers of PTX: %tid.x, %laneid, %clock64, …  Source: PTX ISA 9.0, chapter 10.
#pragma once
#include <string_view>

namespace headroom::ptx {

bool is_special(std::string_view name);

}  // namespace headroom::ptx
