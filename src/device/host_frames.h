// Where in the program a call of the API comes from: the frames above ours, innermost first, as places in
// the files that are loaded. headroom check makes a line of them (cli/host_lines.h), as it has the time.
//
//   host_frames()     "/home/me/app+0x11f2\n/lib/x86_64-linux-gnu/libc.so.6+0x27248"
#pragma once
#include <string>

namespace headroom::device {

std::string host_frames();
std::string host_place(const void* code);  // of an instruction: one line of that; empty: of no file

}  // namespace headroom::device
