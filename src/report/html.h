// A document as one page of HTML that needs no other file. What would be markup in a name is
// escaped.
#pragma once
#include <string>

#include "report/document.h"

namespace headroom {

std::string draw_html(const Document&);

// Parts of a page. Its head has the styles of src/report/page/.
std::string html_head(const std::string& title);
std::string html_blocks(const Document&);
std::string html_escaped(const std::string&);

}  // namespace headroom
