// Which functions a kernel may call, and how its calls pass parameters.
#pragma once
#include <string>
#include <vector>

#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {

// The kernel and the functions it reaches, callers first. Through a register it reaches those whose
// address is taken anywhere in the module: another kernel, or the host, may have handed it over.
std::vector<std::string> reached_functions(const ptx::Module&, const std::string& kernel);

// Decoded calls learn their callees.
void connect_calls(ProgramDecoder&);

// Bytes of local memory a thread may need: the deepest chain of calls; a recursive one gets a stack
// of 64 KiB, and so does alloca.
uint64_t local_bytes(Program&);

}  // namespace headroom::sim
