// PTX text with other names, as link() gives them to what several modules call alike:
//
//   renamed("ld.global.u32 %r1, [seen+4];  // seen", {{"seen", "seen_1"}})
//     -->   "ld.global.u32 %r1, [seen_1+4];  // seen"
//
// What a function has under such a name for itself gets the new one, too: it is the same name still.
#pragma once
#include <string>
#include <string_view>

#include "ptx/names.h"

namespace headroom::ptx {

// Throws Error for what is no PTX.
std::string renamed(std::string_view text, const TextMap<std::string>& names);

}  // namespace headroom::ptx
