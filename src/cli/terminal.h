// How wide standard error is and whether it takes colour: only where a person looks, and not with
// NO_COLOR.
#pragma once
#include "report/style.h"

namespace headroom {

Style terminal_style(int file);

}  // namespace headroom
