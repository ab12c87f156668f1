// What a function of the API does that the face does not have: say so once, note it, refuse.
//
//   headroom: cuIpcGetMemHandle is not supported yet: the program gets CUDA_ERROR_NOT_SUPPORTED
#pragma once

namespace headroom::driver {

// Returns CUDA_ERROR_NOT_SUPPORTED.
int unsupported(const char* name);

}  // namespace headroom::driver
