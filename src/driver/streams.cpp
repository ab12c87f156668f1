// Streams and events, and calls that wait for work or ask whether it is done.
#include "device/capture.h"
#include "device/event.h"
#include "device/stream.h"
#include "device/submit.h"
#include "device/wait.h"
#include "driver/driver.h"

namespace headroom::driver {
namespace {

CUresult create(CUstream* out, unsigned flags, int priority) {
  return in_context([&](Session& session) {
    if (!out || flags & ~unsigned(CU_STREAM_NON_BLOCKING)) return Status::invalid_value;
    *out = reinterpret_cast<CUstream>(&create_stream(session, flags, priority));
    return Status::ok;
  });
}

// Reads one property of a stream.
template <class Value, class Read>
CUresult read(CUstream handle, Value* out, Read property) {
  return in_context([&](Session& session) {
    if (!out) return Status::invalid_value;
    const Stream* stream = find_stream(session, handle);
    if (!stream) return Status::invalid_handle;
    *out = Value(property(*stream));
    return Status::ok;
  });
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuStreamCreate(CUstream* out, unsigned flags) { return create(out, flags, 0); }
CUresult cuStreamCreateWithPriority(CUstream* out, unsigned flags, int priority) {
  return create(out, flags, priority);
}
CUresult cuStreamDestroy(CUstream stream) {
  return in_context_of(stream, Need::device,
                       [&](Session& session) { return destroy_stream(session, stream); });
}

CUresult cuStreamGetPriority(CUstream stream, int* out) {
  return read(stream, out, [](const Stream& one) { return one.priority; });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* out) {
  return read(stream, out, [](const Stream& one) { return one.flags; });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* out) {
  return read(stream, out, [](const Stream& one) { return one.id; });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* out) {
  return read(stream, out, [](const Stream& one) { return one.device; });
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext* out) {
  return read(stream, out, [](const Stream& one) { return handle_of(one.context); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return in_context_of(stream, Need::wait, [&](Session& session) {
    return wait_for_stream(session, stream, "cuStreamSynchronize");
  });
}
CUresult cuStreamQuery(CUstream stream) {
  return in_context_of(stream, Need::wait, [&](Session& session) {
    return ask_stream(session, stream, "cuStreamQuery");
  });
}

CUresult cuEventCreate(CUevent* out, unsigned flags) {
  return in_context([&](Session& session) {
    constexpr unsigned known =
        CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    const bool is_shared = flags & CU_EVENT_INTERPROCESS;
    if (!out || flags & ~known || (is_shared && !(flags & CU_EVENT_DISABLE_TIMING)))
      return Status::invalid_value;
    *out = reinterpret_cast<CUevent>(&create_event(session, flags));
    return Status::ok;
  });
}
CUresult cuEventDestroy(CUevent event) {
  return in_context_of(event, Need::device,
                       [&](Session& session) { return destroy_event(session, event); });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream handle, unsigned flags) {
  return in_context_of(handle, Need::device, [&](Session& session) {
    if (flags > CU_EVENT_RECORD_EXTERNAL) return Status::invalid_value;
    Stream* stream = find_stream(session, handle);
    return stream ? record_event(session, *stream, event, flags == CU_EVENT_RECORD_EXTERNAL)
                  : Status::invalid_handle;
  });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT);
}
CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned flags) {
  return in_context_of(handle, Need::device, [&](Session& session) {
    if (flags > CU_EVENT_WAIT_EXTERNAL) return Status::invalid_value;
    Stream* stream = find_stream(session, handle);
    return stream ? follow_event(session, *stream, event, flags == CU_EVENT_WAIT_EXTERNAL)
                  : Status::invalid_handle;
  });
}
CUresult cuEventSynchronize(CUevent event) {
  return in_context_of(event, Need::wait, [&](Session& session) {
    return wait_for_event(session, event, "cuEventSynchronize");
  });
}
CUresult cuEventQuery(CUevent event) {
  return in_context_of(event, Need::wait,
                       [&](Session& session) { return ask_event(session, event, "cuEventQuery"); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent first, CUevent last) {
  return in_context(Need::wait, [&](Session& session) {
    return milliseconds ? elapsed(session, first, last, "cuEventElapsedTime", *milliseconds)
                        : Status::invalid_value;
  });
}
}
