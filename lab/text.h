// The reproduction lab as a text, a page of Markdown or HTML, or JSON.
#pragma once
#include <string>
#include <vector>

#include "lab/lab.h"
#include "report/style.h"

namespace headroom {

std::string lab_text(const Lab&, const Style&);
std::string lab_markdown(const Lab&);
std::string lab_html(const Lab&);
std::string lab_json(const Lab&);

// Studies and their tables, one line each: what can be reproduced.
std::string lab_list_text(const std::vector<PublishedStudy>&, const Style&);

}  // namespace headroom
