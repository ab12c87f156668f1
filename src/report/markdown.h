// A document as a page of Markdown: what would be markup in a name is escaped, in tables the bars
// too.
//
//   ## kernel copy\<float>(float\*)
//
//   | kernel | n |
//   |---|---:|
//   | copy\<float> | 2 |
#pragma once
#include <string>

#include "report/document.h"

namespace headroom {

std::string draw_markdown(const Document&);

}  // namespace headroom
