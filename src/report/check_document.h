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
  // Classes that were asked for, and not looked for in these kernels.
  struct NotChecked {
    std::vector<std::string> classes, kernels;
    std::string why;
  };
  std::vector<NotChecked> not_checked;
};

// The program came to no CUDA call, and ended as if all were well.
bool saw_nothing(const CheckReport&);

Document check_document(const CheckReport&);
// {"schema": "headroom-check/1", "program": …, "findings": [{"class": "race", …, "launches": 3}], …}
std::string check_json(const CheckReport&);

}  // namespace headroom
