// Events read the session's clock: the floors of the launches and the copies' time on the host
// link, added up. They are lower bounds, not measurements; a report says so.
//
//   record(a); kernel<<<…>>>(); record(b); cudaEventElapsedTime(&ms, a, b)   ms = the kernel's
//   floor, always > 0
#include "device/event.h"

#include "cudart/api.h"
#include "device/wait.h"

using namespace headroom::cudart;
namespace {

cudaError_t create(cudaEvent_t* out, unsigned flags, const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        constexpr unsigned known =
            cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (!out || flags & ~known) return cudaErrorInvalidValue;
        *out = reinterpret_cast<cudaEvent_t>(&create_event(session, flags));
        return cudaSuccess;
      },
      function);
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* out) { return create(out, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  return create(out, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&](Session& session) { return code_of(destroy_event(session, event)); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return synchronising([&](Session& session) {
    return code_of(wait_for_event(session, event, "cudaEventSynchronize"));
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return synchronising(
      [&](Session& session) { return code_of(ask_event(session, event, "cudaEventQuery")); });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return synchronising([&](Session& session) {
    if (!milliseconds) return cudaErrorInvalidValue;
    return code_of(elapsed(session, start, end, "cudaEventElapsedTime", *milliseconds));
  });
}
}
