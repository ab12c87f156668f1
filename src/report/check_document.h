// What `headroom check` says: the findings, what could not be checked, and one line that sums up.
//
//   finding: race: the store of offset 132 of shared memory and the load by thread (0,0,0) are in no order
//   …
//   headroom check: ./app: 1 finding (1 race); 12 launches of 3 kernels; exit code 0
#pragma once
#include <string>
#include <vector>

#include "model/explanation.h"
#include "report/distinct.h"
#include "report/document.h"

namespace headroom {

struct CheckReport {
  Explanation run;
  std::vector<DistinctFinding> findings;  // those that no rule suppressed
  std::vector<DistinctFinding> suppressed;
  std::vector<std::string> unused_rules;  // that suppressed nothing
};

Document check_document(const CheckReport&);
// {"schema": "headroom-check/1", "program": …, "findings": [{"class": "race", …, "launches": 3}], …}
std::string check_json(const CheckReport&);

}  // namespace headroom
