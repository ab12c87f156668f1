// What a played warp takes for all that it executes, where its trace is how it began and parts of what it did later: what lies between
// two parts at the pace of the nearer one. What comes first in a part is left out of its pace, as caches hold what was used before the gap.
//
//   instructions 0 … 999, 1250 … 1374 of 1375, in 700 and 250 cycles   ->   700 + 125 x 0.7 + 125 x 2 + 250
#pragma once
#include <cstdint>
#include <vector>

#include "record/trace.h"

namespace headroom {

class PlayedParts {
 public:
  PlayedParts(const TracedWarp&, double begin);
  // The warp has come to an entry; true: with which a part begins.
  bool pass(uint32_t entry, double now);
  void go_on(double now) { parts_[at_].begin = now; }  // with that part

  struct Part {
    uint32_t mark = 0, end = 0;  // entries: from where its pace counts, and behind its last one
    double begin = 0, marked = 0, ended = 0;  // when
    double traced = 0, rest = 0;              // instructions: its own; others that go at its pace
    double counted = 1;                       // share of its own that is behind the mark
  };
  const std::vector<Part>& parts() const { return parts_; }
  double cycles() const;  // of what was played
  double whole() const;   // of all that the warp executes

 private:
  std::vector<Part> parts_;
  size_t at_ = 0;
};

struct SmRun;
// What all that the played warps execute takes, by what was played of it.
double whole_of_parts(const SmRun&, size_t resident);

}  // namespace headroom
