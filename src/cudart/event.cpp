// Events read the session's clock: the floors of the launches and the copies' time on the host
// link, added up. They are lower bounds, not measurements; a report says so.
//
//   record(a); kernel<<<…>>>(); record(b); cudaEventElapsedTime(&ms, a, b)   ms = the kernel's
//   floor, always > 0
#include "device/event.h"

#include "cudart/api.h"
#include "device/capture.h"
#include "device/queue.h"
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

bool is_timed(const Event& event) {
  return event.recorded && !(event.flags & cudaEventDisableTiming);
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* out) { return create(out, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  return create(out, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&](Session& session) {
    return session.events.erase(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
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
    auto first = session.events.find(start), last = session.events.find(end);
    for (auto& event : {first, last})
      if (event != session.events.end())
        refuse_captured(session, *event->second, "cudaEventElapsedTime");
    if (is_put_off(session, start) || is_put_off(session, end)) return cudaErrorNotReady;
    if (first == session.events.end() || last == session.events.end() ||
        !is_timed(*first->second) || !is_timed(*last->second))
      return cudaErrorInvalidResourceHandle;
    session.journal.event_time(session.options.predicted_events);
    *milliseconds = float((last->second->when - first->second->when) * 1e3);
    return cudaSuccess;
  });
}
}
