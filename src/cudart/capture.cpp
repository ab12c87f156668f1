#include "cudart/capture.h"

#include <fmt/format.h>

#include "device/host_function.h"

namespace headroom::cudart {
namespace {

Failure illegal(Status code, const char* call, const char* why, const char* hint) {
  return {code, Error{call, why, hint}};
}

// Whether the mode of this thread forbids what might wait, because of that capture.
bool forbids(const Capture& capture) {
  if (capture_mode() == cudaStreamCaptureModeRelaxed) return false;
  if (capture.thread == std::this_thread::get_id())
    return capture.mode != cudaStreamCaptureModeRelaxed;
  return capture_mode() == cudaStreamCaptureModeGlobal &&
         capture.mode == cudaStreamCaptureModeGlobal;
}

}  // namespace

cudaStreamCaptureMode& capture_mode() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

void spoil(Capture& capture, Status code, const char* call, const char* why) {
  capture.spoilt = true;
  throw illegal(code, call, why, "end the capture first (cudaStreamEndCapture)");
}

void refuse_implicit(Session& session, const Stream& stream, const char* call, bool asks) {
  if (!stream.legacy) return;
  bool found = false;
  for (const auto& capture : session.captures)
    for (const Stream* one : capture->streams)
      if (one->device == stream.device && is_blocking(*one)) {
        found = true;
        capture->spoilt |= !asks;
      }
  if (found)
    throw illegal(Status::capture_implicit, call,
                  "the default stream waits for all others, and one is being captured",
                  "capture on a stream made with cudaStreamNonBlocking, or use that stream");
}

void refuse_capture(Session& session, Stream& stream, const char* call) {
  if (stream.capture)
    spoil(*stream.capture, Status::capture_unsupported, call,
          "the stream is being captured: nothing runs on it");
  refuse_implicit(session, stream, call);
}

void refuse_captures(Session& session, const char* call) {
  bool found = false;
  for (const auto& capture : session.captures)
    if (capture->origin->device == current_device()) found = capture->spoilt = true;
  if (found)
    throw illegal(Status::capture_unsupported, call, "a stream of the device is being captured",
                  "end the capture first");
}

void refuse_unsafe(Session& session, const char* call) {
  bool found = false;
  for (const auto& capture : session.captures)
    if (forbids(*capture)) found = capture->spoilt = true;
  if (found)
    throw illegal(Status::capture_unsupported, call,
                  "it might wait for a stream, and one is being captured",
                  "call it before the capture, or capture in a relaxed mode");
}

void refuse_captured(Session&, const Event& event, const char* call) {
  if (event.capture)
    spoil(*event.capture, Status::captured_event, call,
          "the event was recorded in a capture: it never happens");
}

bool is_capturing(Session& session, cudaStream_t handle) {
  const Stream* stream = find_stream(session, handle);
  return stream && stream->capture;
}

cudaError_t submit(Session& session, Stream& stream, Work work) {
  if (std::holds_alternative<NoWork>(work)) return cudaSuccess;
  if (!stream.capture) return perform(session, stream, work);
  if (stream.capture->spoilt) return cudaErrorStreamCaptureInvalidated;
  std::vector<Edge> before;
  for (Node* node : stream.last) before.push_back({node});
  stream.last = {stream.capture->graph->add(std::move(work), std::move(before))};
  return cudaSuccess;
}

cudaError_t enqueue(cudaStream_t handle, const MakeWork& make) {
  return synchronising([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    refuse_implicit(session, *stream, "work on the default stream");
    if (stream->capture && stream->capture->spoilt) return cudaErrorStreamCaptureInvalidated;
    if (!stream->capture) {
      wait_for_host_functions(session, *stream);
      if (!(stream = find_stream(session, handle))) return cudaErrorInvalidResourceHandle;
    }
    Work work;
    if (cudaError_t error = make(session, work)) return error;
    return submit(session, *stream, std::move(work));
  });
}

cudaError_t at_once(const char* call, const MakeWork& make) {
  return synchronising([&](Session& session) {
    Stream& stream = *find_stream(session, nullptr);
    refuse_capture(session, stream, call);
    refuse_unsafe(session, call);
    wait_for_host_functions(session, stream);
    Work work;
    if (cudaError_t error = make(session, work)) return error;
    return perform(session, stream, work);
  });
}

void end_capture(Session& session, Capture& capture) {
  for (Stream* stream : capture.streams) {
    stream->capture = nullptr;
    stream->last.clear();
  }
  capture.streams.clear();
  capture.ended = true;
  std::erase_if(session.captures, [&](const auto& one) { return one.get() == &capture; });
}

}  // namespace headroom::cudart
