// Waiting for work, and asking whether it is done. Most calls run to their end before they return, so
// there is only a host function to wait for, and what was put off behind one (queue.h). What a capture
// forbids is refused in the caller's name.
//
//   wait_for_stream(session, stream, "cudaStreamSynchronize")   Status::ok, once no host function runs
//   ask_stream(session, stream, "cudaStreamQuery")              Status::not_ready while one runs
#pragma once
#include "device/session.h"

namespace headroom::device {

Status wait_for_device(Session&, const char* call);  // the thread's current one
Status wait_for_stream(Session&, const void* handle, const char* call);
Status ask_stream(Session&, const void* handle, const char* call);
Status wait_for_event(Session&, const void* handle, const char* call);
Status ask_event(Session&, const void* handle, const char* call);

}  // namespace headroom::device
