#include "runtime/launch_attributes.h"

#include "runtime/event.h"
#include "runtime/session.h"

namespace headroom::runtime {
namespace {

// Priorities, caches, domains and schedules change no result; overlapping a launch with the one
// before it may, but need not, happen.
cudaError_t check(const cudaLaunchAttribute& attribute) {
  const auto& value = attribute.val;
  switch (attribute.id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredClusterDimension:
    case cudaLaunchAttributeLaunchCompletionEvent:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling: return cudaSuccess;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return value.sharedMemCarveout <= 100 || int(value.sharedMemCarveout) == -1
                 ? cudaSuccess
                 : cudaErrorInvalidValue;
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      throw Failure{cudaErrorNotSupported,
                    Error{"cudaLaunchKernelExC",
                          "nodes of graphs that the device updates are not supported yet",
                          "update the graph from the host: cudaGraphExecKernelNodeSetParams"}};
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaError_t check_attributes(const cudaLaunchConfig_t& config) {
  return query([&](Session&) {
    if (config.numAttrs && !config.attrs) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < config.numAttrs; ++i)
      if (cudaError_t error = check(config.attrs[i])) return error;
    return cudaSuccess;
  });
}

cudaError_t record_events(const cudaLaunchConfig_t& config) {
  return call([&](Session& session) {
    for (unsigned i = 0; i < config.numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = config.attrs[i];
      const cudaEvent_t event = attribute.id == cudaLaunchAttributeProgrammaticEvent
                                    ? attribute.val.programmaticEvent.event
                                : attribute.id == cudaLaunchAttributeLaunchCompletionEvent
                                    ? attribute.val.launchCompletionEvent.event
                                    : nullptr;
      if (!event) continue;
      auto found = session.events.find(event);
      if (found == session.events.end()) return cudaErrorInvalidResourceHandle;
      record(session, *found->second);
    }
    return cudaSuccess;
  });
}

}  // namespace headroom::runtime
