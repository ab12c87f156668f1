#include "device/host_function.h"

#include <algorithm>

#include "device/stream.h"

namespace headroom::device {
namespace {

// Whether work on one of them waits for work on the other.
bool are_ordered(const Stream& one, const Stream& other) {
  if (&one == &other) return true;
  if (one.device != other.device) return false;
  return (one.legacy && is_blocking(other)) || (other.legacy && is_blocking(one));
}

}  // namespace

void run_host_function(Session& session, const Stream& stream, const std::function<void()>& what) {
  const auto running = session.host_functions.insert(session.host_functions.end(), &stream);
  unlocked(what);
  session.host_functions.erase(running);
  wake();
}

bool is_busy(const Session& session, const Stream& stream) {
  return std::ranges::any_of(session.host_functions,
                             [&](const Stream* one) { return are_ordered(*one, stream); });
}

bool is_busy(const Session& session, int device) {
  return std::ranges::any_of(session.host_functions,
                             [&](const Stream* one) { return one->device == device; });
}

void wait_for_host_functions(Session& session, const Stream& stream) {
  if (!is_busy(session, stream)) return;
  const Stream same = stream;  // another thread may destroy it
  const Stream* place = &stream;
  wait_until([&] {
    return std::ranges::none_of(session.host_functions, [&](const Stream* one) {
      return one == place || are_ordered(*one, same);
    });
  });
}

void wait_for_host_functions(Session& session, int device) {
  if (is_busy(session, device)) wait_until([&] { return !is_busy(session, device); });
}

}  // namespace headroom::device
