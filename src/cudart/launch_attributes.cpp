#include "cudart/launch_attributes.h"

#include "device/event.h"
#include "device/session.h"

namespace headroom::cudart {
namespace {

constexpr size_t largest_window = 128 << 20;  // cudaDeviceProp::accessPolicyMaxWindowSize
constexpr unsigned domains = 4;               // cudaDevAttrMemSyncDomainCount

cudaError_t valid_if(bool condition) { return condition ? cudaSuccess : cudaErrorInvalidValue; }

cudaError_t check(const cudaAccessPolicyWindow& window) {
  return valid_if(window.num_bytes <= largest_window && window.hitRatio >= 0 &&
                  window.hitRatio <= 1 && window.missProp != cudaAccessPropertyPersisting);
}

// It is to say when the launch got so far, not how long it took.
cudaError_t check_event(const Session& session, cudaEvent_t event, int flags) {
  const auto found = session.events.find(event);
  if (found == session.events.end()) return cudaErrorInvalidResourceHandle;
  if (!(found->second->flags & cudaEventDisableTiming)) return cudaErrorNotSupported;
  return valid_if((flags & ~int(cudaEventRecordExternal)) == 0);
}

// Priorities, caches, domains and schedules change no result; overlapping a launch with the one
// before it may, but need not, happen. What is refused is what CUDA 13.0 on an H200 refuses.
cudaError_t check(const Session& session, const cudaLaunchAttribute& attribute) {
  const auto& value = attribute.val;
  switch (attribute.id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributePreferredClusterDimension: return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow: return check(value.accessPolicyWindow);
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      return valid_if(value.clusterSchedulingPolicyPreference <=
                      cudaClusterSchedulingPolicyLoadBalancing);
    case cudaLaunchAttributeProgrammaticEvent:
      return check_event(session, value.programmaticEvent.event, value.programmaticEvent.flags);
    case cudaLaunchAttributeLaunchCompletionEvent:
      return check_event(session, value.launchCompletionEvent.event,
                         value.launchCompletionEvent.flags);
    case cudaLaunchAttributeMemSyncDomainMap:
      return valid_if(value.memSyncDomainMap.default_ < domains &&
                      value.memSyncDomainMap.remote < domains);
    case cudaLaunchAttributeMemSyncDomain:
      return valid_if(value.memSyncDomain <= cudaLaunchMemSyncDomainRemote);
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
      return valid_if(value.nvlinkUtilCentricScheduling <= 1);
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return valid_if(value.sharedMemCarveout <= 100);
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      throw Failure{Status::not_supported,
                    Error{"cudaLaunchKernelExC",
                          "nodes of graphs that the device updates are not supported yet",
                          "update the graph from the host: cudaGraphExecKernelNodeSetParams"}};
    default: return cudaErrorInvalidValue;  // of streams only, or unknown
  }
}

}  // namespace

cudaError_t check_attributes(const cudaLaunchConfig_t& config, const char* function) {
  return query(
      [&](Session& session) {
        if (config.numAttrs && !config.attrs) return cudaErrorInvalidValue;
        for (unsigned i = 0; i < config.numAttrs; ++i)
          if (cudaError_t error = check(session, config.attrs[i])) return error;
        return cudaSuccess;
      },
      function);
}

cudaError_t record_events(const cudaLaunchConfig_t& config, const char* function) {
  return call(
      [&](Session& session) {
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
      },
      function);
}

}  // namespace headroom::cudart
