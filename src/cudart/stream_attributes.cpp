// Attributes of streams: kept, told again, copied. They steer caches and waiting, which nothing
// here depends on, but a priority is the stream's.
#include <bit>

#include "cudart/api.h"
#include "device/stream.h"

using namespace headroom::cudart;
namespace {

bool is_known(cudaLaunchAttributeID id) {
  switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain: return true;
    default: return false;
  }
}

cudaLaunchAttributeValue before(cudaLaunchAttributeID id, const Stream& stream) {
  cudaLaunchAttributeValue value{};
  if (id == cudaLaunchAttributePriority) value.priority = stream.priority;
  if (id == cudaLaunchAttributeSynchronizationPolicy)
    value.syncPolicy = cudaSynchronizationPolicy(-1);  // that of the device
  if (id == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap.remote = 1;
  return value;
}

cudaError_t with_stream(cudaStream_t handle,
                        const std::function<cudaError_t(Session&, Stream&)>& body,
                        const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        Stream* stream = find_stream(session, handle);
        return stream ? body(session, *stream) : cudaErrorInvalidResourceHandle;
      },
      function);
}

}  // namespace

extern "C" {

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue* out) {
  return with_stream(handle, [&](Session&, Stream& stream) {
    if (!out || !is_known(id)) return cudaErrorInvalidValue;
    auto found = stream.attributes.find(id);
    *out = found == stream.attributes.end()
               ? before(id, stream)
               : std::bit_cast<cudaLaunchAttributeValue>(found->second);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
  return with_stream(handle, [&](Session&, Stream& stream) {
    if (!value || !is_known(id)) return cudaErrorInvalidValue;
    if (id == cudaLaunchAttributeSynchronizationPolicy &&
        (value->syncPolicy < cudaSyncPolicyAuto || value->syncPolicy > cudaSyncPolicyBlockingSync))
      return cudaErrorInvalidValue;
    cudaLaunchAttributeValue kept = *value;
    if (id == cudaLaunchAttributePriority)
      kept.priority = stream.priority = clamped_priority(value->priority);
    stream.attributes[id] = std::bit_cast<Opaque>(kept);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_stream(from, [&](Session& session, Stream& stream) {
    Stream* target = find_stream(session, to);
    if (!target) return cudaErrorInvalidResourceHandle;
    target->attributes = stream.attributes;
    target->priority = stream.priority;
    return cudaSuccess;
  });
}
}
