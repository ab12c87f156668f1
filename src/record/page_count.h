// How much of device memory was touched, by pages of 64 KiB from its base on.
//
//   {3, 2048}   all of the fourth page
#pragma once
#include <cstdint>

namespace headroom {

struct PageCount {
  static constexpr uint64_t bytes = 64 * 1024;
  uint64_t page;
  uint32_t sectors;
};

}  // namespace headroom
