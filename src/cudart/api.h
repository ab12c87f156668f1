// The toolkit's own declarations, so that a definition of ours with another signature does not
// compile, and the three ways into the runtime. A chapter reads
//
//   cudaError_t cudaMalloc(void** pointer, size_t bytes) {
//     return call([&](Session& session) { … return cudaSuccess; });
//   }
#pragma once
#pragma GCC visibility push(default)
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#include <functional>

#include "device/enter.h"
#include "device/say.h"
#include "device/status.h"

namespace headroom::cudart {

using namespace device;

// The device's status as the runtime API numbers it: cudart/error.cpp says that they agree.
constexpr cudaError_t code_of(Status status) { return cudaError_t(status); }

using Body = std::function<cudaError_t(Session&)>;

// All three enter the device (device/enter.h) and remember an error as the thread's last one. What
// differs is what becomes of a fault of an earlier kernel:
// The name of the function that calls them stands for itself, as long as that is the API's own.
cudaError_t query(const Body&,
                  const char* function = __builtin_FUNCTION());  // asks for facts only: nothing
cudaError_t call(
    const Body&,
    const char* function =
        __builtin_FUNCTION());  // needs the device: a fault that was already reported comes back
cudaError_t synchronising(
    const Body&,
    const char* function =
        __builtin_FUNCTION());  // waits for the device: a fault not yet reported is reported now

// The thread's last error: set, and returned as it is.
cudaError_t fail(cudaError_t, const char* function = __builtin_FUNCTION());

}  // namespace headroom::cudart
