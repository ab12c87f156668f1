// A report as the name of its file asks: Markdown (.md), a page of HTML (.html), or text; without a
// file as the terminal at `descriptor` wants it. Escape sequences in names are spelled out.
#pragma once
#include <string>

#include "report/document.h"

namespace headroom {

std::string draw_report(const Document&, const std::string& path, int descriptor);

}  // namespace headroom
