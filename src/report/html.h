// A document as one page of HTML that needs no other file. What would be markup in a name is
// escaped.
#pragma once
#include <string>

#include "report/document.h"

namespace headroom {

std::string draw_html(const Document&);

}  // namespace headroom
