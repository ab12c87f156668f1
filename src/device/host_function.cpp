#include "device/host_function.h"

#include <algorithm>

#include "device/queue.h"
#include "device/stream.h"

namespace headroom::device {

bool are_ordered(const Stream& one, const Stream& other) {
  if (&one == &other) return true;
  if (one.device != other.device) return false;
  return (one.legacy && is_blocking(other)) || (other.legacy && is_blocking(one));
}

Occupied::Occupied(Session& session, const Stream& stream)
    : session_(session),
      place_(session.host_functions.insert(session.host_functions.end(), &stream)) {}

Occupied::~Occupied() {
  session_.host_functions.erase(place_);
  catch_up(session_);
  wake();
}

void run_host_function(Session& session, const Stream& stream, const std::function<void()>& what) {
  const Occupied during(session, stream);
  unlocked(what);
}

bool is_running(const Session& session, const Stream& stream) {
  return std::ranges::any_of(session.host_functions,
                             [&](const Stream* one) { return are_ordered(*one, stream); });
}

bool is_busy(const Session& session, const Stream& stream) {
  return is_running(session, stream) || std::ranges::any_of(session.queue, [&](const auto& one) {
           return are_ordered(*one->stream, stream);
         });
}

bool is_busy(const Session& session, int device) {
  return std::ranges::any_of(session.host_functions,
                             [&](const Stream* one) { return one->device == device; }) ||
         std::ranges::any_of(session.queue,
                             [&](const auto& one) { return one->stream->device == device; });
}

void wait_for_host_functions(Session& session, const Stream& stream) {
  if (!is_busy(session, stream)) return;
  const Stream same = stream;  // another thread may destroy it
  const Stream* place = &stream;
  const auto comes_before = [&](const Stream& one) {
    return &one == place || are_ordered(one, same);
  };
  wait_until([&] {
    return std::ranges::none_of(session.host_functions,
                                [&](const Stream* one) { return comes_before(*one); }) &&
           std::ranges::none_of(session.queue,
                                [&](const auto& one) { return comes_before(*one->stream); });
  });
}

void wait_for_host_functions(Session& session, int device) {
  if (is_busy(session, device)) wait_until([&] { return !is_busy(session, device); });
}

}  // namespace headroom::device
