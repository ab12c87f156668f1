// The lines of the program that findings of its calls are at: addr2line (binutils) knows them where the
// program was built with -g, and else the function.
//
//   {"/home/me/app", 0x11f2}     "app.cu:31"   or   "main in app+0x11f2 (compile with -g for the line)"
#pragma once
#include <vector>

#include "record/finding.h"

namespace headroom {

// Of findings that are of no kernel: what device/host_frames.h says of them becomes a line.
void find_host_lines(std::vector<Finding>&);

}  // namespace headroom
