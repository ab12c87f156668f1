#include "device/reset.h"

#include "device/access.h"
#include "device/capture.h"
#include "device/host_function.h"
#include "device/modules.h"
#include "device/pool.h"

namespace headroom::device {

void reset(Session& session, int device) {
  if (!failed(session.sticky)) session.sticky = session.pending;
  wait_for_host_functions(session, device);
  session.timeline.host_waits(device);
  for (const auto& [handle, stream] : session.streams)
    if (stream->device == device) session.timeline.destroyed(*stream);
  auto captures = session.captures;
  for (const auto& capture : captures)
    if (capture->origin->device == device) stop_capture(session, *capture);
  for (const auto& [begin, allocation] : session.allocations.all())
    if (allocation.device == device && allocation.place <= Place::managed && !allocation.addresses)
      session.memory.free(begin);
  session.allocations.remove_if(
      [&](const Allocation& one) { return one.device == device && one.place <= Place::variable; });
  std::erase_if(session.streams, [&](const auto& entry) { return entry.second->device == device; });
  std::erase_if(session.events,
                [&](const auto& entry) { return entry.second->context.device == device; });
  std::erase_if(session.pools, [&](const auto& entry) { return entry.second->device == device; });
  session.default_pools.erase(device);
  session.current_pools.erase(device);
  std::erase_if(session.peers, [&](const auto& pair) { return pair.first == device; });
  session.limits.erase(device);
  set_access(session);
  unload_from(session, device);
}

}  // namespace headroom::device
