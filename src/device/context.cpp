#include "device/context.h"

#include "device/array.h"
#include "device/capture.h"
#include "device/host_function.h"
#include "device/library.h"
#include "device/memory.h"

namespace headroom::device {
namespace {

void end_streams(Session& session, const Context& context) {
  const auto captures = session.captures;
  for (const auto& capture : captures)
    if (capture->origin->context == context) stop_capture(session, *capture);
  for (const auto& [handle, stream] : session.streams)
    if (stream->context == context) {
      leave_capture(session, *stream);
      session.timeline.destroyed(*stream);
    }
  std::erase_if(session.streams, [&](const auto& one) { return one.second->context == context; });
  for (auto& [handle, event] : session.events)
    if (event->context == context)
      session.ended.emplace(handle, std::shared_ptr<const Event>(std::move(event)));
  std::erase_if(session.events, [](const auto& one) { return !one.second; });
}

void end_arrays(Session& session, const Context& context) {
  std::vector<std::shared_ptr<const Array>> arrays;
  for (const auto& [handle, array] : session.arrays)
    if (array->context == context) arrays.push_back(array);
  for (const auto& array : arrays) {
    destroy_array(session, array.get());
    session.ended.emplace(array.get(), array);
  }
}

void end_modules(Session& session, const Context& context) {
  std::vector<Binary*> modules;
  registry().each_binary([&](Binary& binary) {
    if (binary.context == context) modules.push_back(&binary);
  });
  for (Binary* module : modules) unload_library(session, *module);
}

void end_memory(Session& session, const Context& context) {
  std::vector<uint64_t> places;
  for (const auto& [begin, allocation] : session.allocations.all())
    if (allocation.context == context.created && allocation.place <= Place::managed &&
        !allocation.pool)  // a pool is the device's
      places.push_back(begin);
  for (const uint64_t place : places) release(session, place);
}

}  // namespace

Context& chosen_context() {
  thread_local Context chosen;
  return chosen;
}

Context current_context() {
  const Context& chosen = chosen_context();
  return chosen.device == current_device() ? chosen : Context{current_device()};
}

Status no_such(const Session& session, const void* handle) {
  return session.ended.contains(handle) ? Status::context_is_destroyed : Status::invalid_handle;
}

void end_context(Session& session, const Context& context) {
  wait_for_host_functions(session, context.device);
  session.timeline.host_waits(context.device);
  end_streams(session, context);
  end_modules(session, context);
  end_arrays(session, context);
  end_memory(session, context);
}

}  // namespace headroom::device
