// Sorting by moderngpu's merge sort, with the same order as the study. It sorts in place.
//
//   Moderngpu moderngpu;
//   moderngpu.prepare(request);     // the input comes to where the result will be
//   moderngpu.sort(request);        // asynchronous, on the default stream
//
// Without moderngpu's headers (-DMODERNGPU, and where they are) `is_here` is false, and nothing is sorted.
#pragma once
#include <memory>

#include "studies/merge_sort/merge_sort.h"

namespace merge_sort {

class Moderngpu {
 public:
  static const bool is_here;

  Moderngpu();
  ~Moderngpu();
  void prepare(const Request&) const;
  void sort(const Request&) const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace merge_sort
