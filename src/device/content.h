// A copy of what lies in sectors of device memory.
//
//   const Content before(session.memory, touched.loaded);
//   …                                                        before.is_there(): nobody has changed it
//                                                            before.put(): as it was again
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/memory.h"
#include "sim/touched.h"

namespace headroom::device {

class Content {
 public:
  Content(const sim::Memory&, const sim::SectorPages&);
  bool is_there() const;
  void put() const;
  uint64_t bytes() const { return bytes_.size() + runs_.size() * sizeof(Run); }

 private:
  struct Run {
    std::byte* place;
    uint64_t bytes;
  };
  std::vector<Run> runs_;
  std::vector<std::byte> bytes_;  // of all, one after the other
};

}  // namespace headroom::device
