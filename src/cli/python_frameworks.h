// Which frameworks for kernels the first Python of PATH has, by their packages' versions, and whether their kernels
// run here. Nothing is imported; nothing is told where there are none.
//
//   ok    torch  2.15.0; kernels run, what needs cuBLAS, cuDNN and the like is refused at the call
//   none  cupy   14.0.1
#pragma once
#include <vector>

#include "report/doctor_document.h"

namespace headroom {

std::vector<CheckUp> python_frameworks();

}  // namespace headroom
