#include "device/capture.h"

#include <utility>

#include "device/stream.h"

namespace headroom::device {
namespace {

Failure illegal(Status code, const char* call, const char* why, const char* hint) {
  return {code, Error{call, why, hint}};
}

// Whether the mode of this thread forbids what might wait, because of that capture.
bool forbids(const Capture& capture) {
  if (capture_mode() == CaptureMode::relaxed) return false;
  if (capture.thread == std::this_thread::get_id()) return capture.mode != CaptureMode::relaxed;
  return capture_mode() == CaptureMode::global && capture.mode == CaptureMode::global;
}

}  // namespace

CaptureMode& capture_mode() {
  thread_local CaptureMode mode = CaptureMode::global;
  return mode;
}

Status exchange_capture_mode(int& mode) {
  if (!is_capture_mode(mode)) return Status::invalid_value;
  mode = int(std::exchange(capture_mode(), CaptureMode(mode)));
  return Status::ok;
}

void spoil(Capture& capture, Status code, const char* call, const char* why) {
  capture.spoilt = true;
  throw illegal(code, call, why, "end the capture first");
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

}  // namespace headroom::device
