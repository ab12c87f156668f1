// What a function of the API does that the stand-in does not have: say so once, note it, refuse.
//
//   headroom: cudaGraphCreate is not supported yet: the program gets cudaErrorNotSupported
#pragma once

namespace headroom::cudart {

// Returns cudaErrorNotSupported, also as the thread's last error.
int unsupported(const char* name);

}  // namespace headroom::cudart
