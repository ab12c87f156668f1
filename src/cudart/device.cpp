// Devices: how many, which, what they can, their limits, and waiting for them.
#include <cstdio>
#include <cstring>

#include "cudart/api.h"
#include "cudart/properties.h"
#include "device/access.h"
#include "device/limits.h"
#include "device/reset.h"
#include "device/session.h"
#include "device/wait.h"

using namespace headroom::cudart;
namespace {

Properties properties(const Session& session, int device) {
  return properties_of(session.machine, device, session.memory_of_device());
}

bool is_limit(cudaLimit limit) {
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize;
}

// Kernels that launch kernels no longer wait for them: since 9.0 there is no depth to bound.
bool is_gone(const Session& session, cudaLimit limit) {
  return limit == cudaLimitDevRuntimeSyncDepth && session.machine.cc() >= 90;
}

thread_local unsigned device_flags = cudaDeviceMapHost;
thread_local cudaFuncCache cache_config = cudaFuncCachePreferNone;

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return query([&](Session& session) {
    if (!count) return cudaErrorInvalidValue;
    *count = session.options.devices;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return query([&](Session&) {
    if (!device) return cudaErrorInvalidValue;
    *device = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return query([&](Session& session) {
    if (!is_device(session, device)) return cudaErrorInvalidDevice;
    current_device() = device;
    runtime_is_used() = true;  // since CUDA 12 it makes the device's primary context current
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return query([&](Session& session) {
    return is_device(session, device) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  return query([&](Session& session) {
    if (!out) return cudaErrorInvalidValue;
    if (!is_device(session, device)) return cudaErrorInvalidDevice;
    *out = told(properties(session, device));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return query([&](Session& session) {
    if (!value) return cudaErrorInvalidValue;
    if (!is_device(session, device)) return cudaErrorInvalidDevice;
    bool known =
        attribute_of(session.machine, properties(session, device), Attribute(attribute), *value);
    return known ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// All devices are the same machine; any will do.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  if (!device) return fail(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* out, int size, int device) {
  return query([&](Session& session) {
    if (!out || size < 13) return cudaErrorInvalidValue;
    if (!is_device(session, device)) return cudaErrorInvalidDevice;
    std::snprintf(out, size, "0000:%02X:00.0", properties(session, device).pci_bus_id);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus) {
  return query([&](Session& session) {
    unsigned domain, number;
    if (!device || !bus || std::sscanf(bus, "%x:%x", &domain, &number) != 2)
      return cudaErrorInvalidValue;
    if (!is_device(session, int(number) - 1)) return cudaErrorInvalidDevice;
    *device = int(number) - 1;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return synchronising(
      [](Session& session) { return code_of(wait_for_device(session, "cudaDeviceSynchronize")); });
}

cudaError_t cudaDeviceReset() {
  return query([](Session& session) {
    reset(session, current_device());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&](Session& session) {
    if (!value) return cudaErrorInvalidValue;
    if (!is_limit(limit) || is_gone(session, limit)) return cudaErrorUnsupportedLimit;
    *value = limit_of(session, current_device(), Limit(limit));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&](Session& session) {
    if (!is_limit(limit)) return cudaErrorInvalidValue;
    if (is_gone(session, limit)) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitMaxL2FetchGranularity && value > 128) return cudaErrorInvalidValue;
    session.limits[current_device()][limit] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if (flags & ~unsigned(cudaDeviceMask)) return fail(cudaErrorInvalidValue);
  device_flags = flags | cudaDeviceMapHost;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  if (!flags) return fail(cudaErrorInvalidValue);
  *flags = device_flags;
  return cudaSuccess;
}

// A preference for L1 or shared memory: kept, and without effect since Volta's drivers decide by
// themselves.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  cache_config = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (!config) return fail(cudaErrorInvalidValue);
  *config = cache_config;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (!config) return fail(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

// The simulated devices share one range of addresses.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return query([&](Session& session) {
    if (!can) return cudaErrorInvalidValue;
    if (!is_device(session, device) || !is_device(session, peer)) return cudaErrorInvalidDevice;
    *can = device != peer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return query([&](Session& session) {
    if (!is_device(session, peer)) return cudaErrorInvalidDevice;
    if (flags) return cudaErrorInvalidValue;
    return code_of(enable_peer(session, peer));
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return query([&](Session& session) { return code_of(disable_peer(session, peer)); });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  return query([&](Session& session) {
    if (!value) return cudaErrorInvalidValue;
    if (!is_device(session, device) || !is_device(session, peer) || device == peer)
      return cudaErrorInvalidDevice;
    switch (attribute) {
      case cudaDevP2PAttrPerformanceRank: *value = 0; break;
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
      case cudaDevP2PAttrCudaArrayAccessSupported: *value = 1; break;
      case cudaDevP2PAttrOnlyPartialNativeAtomicSupported: *value = 0; break;
      default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* format,
                                                 int device) {
  return query([&](Session& session) {
    if (!width || !format) return cudaErrorInvalidValue;
    if (!is_device(session, device)) return cudaErrorInvalidDevice;
    *width = size_t(1) << 28;
    return cudaSuccess;
  });
}
}
