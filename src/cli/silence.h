// Of a run in which no CUDA call was seen: why that may be.
//
//   explain_silence(program, report)    caveat: no CUDA call was seen; a program that it started may …
#pragma once
#include <string>

#include "model/explanation.h"

namespace headroom {

// Nothing of a program that failed: it has said why.
void explain_silence(const std::string& program, Explanation&);

}  // namespace headroom
