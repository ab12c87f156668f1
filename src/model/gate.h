// --fail-if: a bound on how a figure may change, and what breaks it.
//
//   gate_of("global_load_sectors > +0 %")  ->  Gate{metric, Operator::more, 0, in per cent}
//   gate_of("registers >= 8")              ->  Gate{…, Operator::at_least, 8, absolute}
//   judge({gate}, comparison)              ->  Judgement{violations {copy(float*): 4096 -> 16384}, unknown {}}
//
// Exact figures are compared without tolerance. Measured times that tie (rank_test.h) have not
// changed; too few of them, figures that a record lacks, counters of two engines and kernels that
// the new record lacks cannot be judged.
#pragma once
#include "model/comparison.h"

namespace headroom {

enum class Operator : unsigned char { more, at_least, less, at_most };

struct Gate {
  std::string text;
  size_t metric = 0;
  Operator compares = Operator::more;
  double bound = 0;
  bool in_percent = false;
  bool holds(const Change&) const;
};

// Throws Error{"--fail-if '…'", …}.
Gate gate_of(const std::string& text);

struct Violation {
  std::string gate, kernel;
  size_t launches = 0;  // 0: of the program's calls
  Change change;
};

struct Judgement {
  std::vector<Violation> violations;
  std::vector<std::string> unknown;  // what could not be compared, and why
};

Judgement judge(const std::vector<Gate>&, const Comparison&);

}  // namespace headroom
