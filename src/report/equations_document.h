// Equations of a launch as a report shows them: formula, numbers, and where each constant is from.
#pragma once
#include "model/explanation.h"
#include "report/document.h"

namespace headroom {

Document equations_document(const Machine&, const ExplainedLaunch&);

}  // namespace headroom
