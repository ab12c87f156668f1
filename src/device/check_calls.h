// Faults of calls, where headroom check looks for them: calls that came back with an error, and what
// was never given back.
//
//   note_error(session, "cudaMemcpy", "cudaErrorInvalidValue", "invalid argument")
//     api_error: cudaMemcpy returned cudaErrorInvalidValue: invalid argument
#pragma once
#include <string>

#include "device/session.h"

namespace headroom::device {

void note_error(Session&, const std::string& function, const std::string& code,
                const std::string& text);
void note_leaks(Session&);  // when the program ends

}  // namespace headroom::device
