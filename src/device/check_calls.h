// Faults of calls, where headroom check looks for them: calls that came back with an error, what was
// never given back, and copies and fills in no order with what other streams do.
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
// What the checker is told next belongs to the stream's next piece of work.
void begin_work(Session&, const Stream&);
// That piece of work is an allocation or a free, in the order of the stream.
void note_ordered(Session&, const Stream&, uint64_t address, uint64_t bytes, const char* what);
void tell_of_races(Session&);  // of copies, fills, allocations and frees

}  // namespace headroom::device
