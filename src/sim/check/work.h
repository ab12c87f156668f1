// A piece of work of a stream: a launch, a copy, a fill, an allocation or a free.
//
//   {7, {5, 6}, 5, "stream 9"}   the seventh; 5 and 6 came earlier, and nothing says that they are over
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::sim::check {

struct Work {
  uint32_t id = 0;                  // 0: none
  std::vector<uint32_t> unordered;  // earlier ones, ascending
  uint32_t oldest = 0;              // older ones come before all that is still to come
  std::string stream;               // "stream 9", "the default stream"
};

// What pending work has done to a page of 4 KiB, to all of it that an allocation has.
struct HostPage {
  uint64_t begin = 0;
  bool written = false;  // else read alone, or partly written
};

}  // namespace headroom::sim::check
