// Attributes of kernels: cudaFuncGetAttributes from ptxas' resources, and the opt-ins of
// cudaFuncSetAttribute.
#include "cudart/function.h"

#include "device/execute.h"
#include "device/footprint.h"
#include "device/modules.h"

namespace headroom::cudart {

cudaError_t with_kernel(const void* function,
                        const std::function<cudaError_t(Session&, Kernel&)>& body,
                        const char* caller) {
  return call(
      [&](Session& session) {
        if (!function) return cudaErrorInvalidDeviceFunction;
        Kernel* kernel = registry().kernel(function);
        return kernel ? body(session, *kernel) : cudaErrorInvalidResourceHandle;
      },
      caller);
}

cudaError_t set_attribute(Session& session, Kernel& kernel, cudaFuncAttribute attribute,
                          int value) {
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
    return code_of(set_dynamic_shared(session, kernel, value));
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return code_of(set_carveout(kernel, value));
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    kernel.non_portable_clusters = value != 0;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* function) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!out) return cudaErrorInvalidValue;
    Footprint footprint = footprint_of(session, kernel);
    *out = cudaFuncAttributes{};
    out->sharedSizeBytes = footprint.static_shared;
    out->constSizeBytes = footprint.constant;
    out->localSizeBytes = footprint.local;
    out->maxThreadsPerBlock = most_threads(session, footprint);
    out->numRegs = footprint.resources.registers.value_or(0);
    out->ptxVersion = kernel.binary->loaded->architecture;
    out->binaryVersion = session.machine.cc();
    out->maxDynamicSharedSizeBytes = int(footprint.max_dynamic_shared);
    out->preferredShmemCarveout = kernel.carveout;
    const auto& entry = headroom::device::function(session, kernel);
    out->clusterDimMustBeSet = entry.explicit_cluster && !entry.cluster[0];
    out->requiredClusterWidth = entry.cluster[0];
    out->requiredClusterHeight = entry.cluster[1];
    out->requiredClusterDepth = entry.cluster[2];
    out->nonPortableClusterSizeAllowed = kernel.non_portable_clusters;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    return set_attribute(session, kernel, attribute, value);
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return with_kernel(function, [](Session&, Kernel&) { return cudaSuccess; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return with_kernel(function, [](Session&, Kernel&) { return cudaSuccess; });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return with_kernel(function, [&](Session&, Kernel& kernel) {
    if (!name) return cudaErrorInvalidValue;
    *name = kernel.name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    const auto& parameters = headroom::device::function(session, kernel).parameters;
    if (!offset || index >= parameters.size()) return cudaErrorInvalidValue;
    *offset = parameter_offsets(session, kernel)[index];
    if (size) *size = parameters[index].bytes;
    return cudaSuccess;
  });
}
}
