// Whether the executor takes a spelling, found by trying operands of every width, and lists of them.
#pragma once
#include <string>

#include "ptx/forms.h"

namespace headroom::golden {

bool decodes(const std::string& spelling,
             std::string_view operands);  // operands as the form writes them: "d, a{, b}"
bool decodes(const ptx::Form&);           // any of the first spellings of it

}  // namespace headroom::golden
