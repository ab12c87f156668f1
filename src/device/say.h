// Messages to the person who runs the program, beside the record.
//
//   say("the record file cannot be written any more: …")   headroom: the record file cannot be …
#pragma once
#include <string>

#include "base/error.h"

namespace headroom::device {

// One message to stderr, "headroom: …", each text once a process.
void say(const std::string& text);
void say(const Error&);

}  // namespace headroom::device
