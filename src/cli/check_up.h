// Looks at all that headroom works with; changes nothing.
#pragma once
#include <vector>

#include "report/doctor_document.h"

namespace headroom {

std::vector<CheckUp> check_up();

}  // namespace headroom
