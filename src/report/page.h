// The page of a run: one file of HTML that needs no other and asks no network. It stands on its own
// feet: without its script it is the report as text has it; the script puts a table to sort, a
// roofline and drawings of each kernel in its place (src/report/page/).
//
//   headroom run --html page.html -- ./saxpy
#pragma once
#include <string>

#include "model/explanation.h"

namespace headroom {

std::string run_page(const Explanation&);

}  // namespace headroom
