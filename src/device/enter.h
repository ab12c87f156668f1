// The way of every call into the device: one lock, one session, made at the first call that needs
// it.
//
//   Status done = enter(Need::device, [&](Session& session) { return execute(session, …); });
#pragma once
#include <functional>

#include "device/session.h"
#include "device/status.h"

namespace headroom::device {

// What becomes of a fault of an earlier kernel.
enum class Need {
  facts,   // nothing: the call asks for facts only
  device,  // a fault that was already reported comes back
  wait,    // the call waits for the device: a fault not yet reported is reported now
};

// Runs the body under the lock; what it throws becomes a message and a status.
Status enter(Need, const std::function<Status(Session&)>& body);

// Runs a function of the program without the lock, from inside a body: it may wait for another thread
// that calls us. It may not call CUDA itself.
void unlocked(const std::function<void()>& what) noexcept;
// Waits without the lock, from inside a body; asks again whenever a thread calls wake().
void wait_until(const std::function<bool()>& done);
void wake();

void end_journal();  // at exit; harmless where there is no session

}  // namespace headroom::device
