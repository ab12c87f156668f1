// Sorting by CUB's merge sort, from one array to another, and with the same order as the study.
//
//   const Cub cub(request);
//   cub.sort(request);        // asynchronous, on the default stream
#pragma once
#include <string>

#include "studies/common/buffer.h"
#include "studies/merge_sort/merge_sort.h"

namespace merge_sort {

// Of whole numbers, with values or without.
class Cub {
 public:
  explicit Cub(const Request&);
  void sort(const Request&) const;
  static std::string version();  // "CUB 3.0.1"

 private:
  study::DeviceBuffer<char> room_;
};

}  // namespace merge_sort
