// The lines of the program that findings of its calls are at: addr2line (binutils) knows them where the
// program was built with -g, and else the function.
//
//   {"/home/me/app", 0x11f2}     "app.cu:31"   or   "main in app+0x11f2 (compile with -g for the line)"
#pragma once
#include <vector>

#include "record/finding.h"

namespace headroom {

// Gives findings that have frames of the host a source.
void find_host_lines(std::vector<Finding>&);

}  // namespace headroom
