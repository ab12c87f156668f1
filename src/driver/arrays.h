// Formats of elements, as the API names them and as the device takes them.
#pragma once
#include <optional>

#include "device/array.h"
#include "driver/driver.h"

namespace headroom::driver {

struct NamedFormat {
  CUarray_format format{};
  unsigned channels = 0;
};
std::optional<Format> format_of(NamedFormat);  // empty: block formats and the like
NamedFormat told(const Format&);

}  // namespace headroom::driver
