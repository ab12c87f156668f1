// Arrays (device/array.h) in the words of the API.
#pragma once
#include <optional>

#include "cudart/api.h"
#include "device/array.h"

namespace headroom::cudart {

std::optional<Format> format_of(const cudaChannelFormatDesc&);  // none: channels of another kind
cudaChannelFormatDesc told(const Format&);

}  // namespace headroom::cudart
