// The styles and scripts of the page of a run (src/report/page/), compiled in.
#pragma once
#include "base/embedded.h"

namespace headroom {

std::span<const EmbeddedFile> embedded_page();

}  // namespace headroom
