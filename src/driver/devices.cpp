// Devices and what they have: the machine's facts in the driver's calls.
#include <cstdio>
#include <cstring>

#include "device/properties.h"
#include "driver/driver.h"

namespace headroom::driver {
namespace {

Properties properties(const Session& session, int device) {
  return properties_of(session.machine, device, session.memory_of_device());
}

// A question about one device.
CUresult about(const void* out, int device,
               const std::function<Status(Session&, const Properties&)>& body) {
  return answer(Need::facts, [&](Session& session) {
    if (!out) return Status::invalid_value;
    if (!is_device(session, device)) return Status::invalid_device;
    return body(session, properties(session, device));
  });
}

}  // namespace

CUresult answer(Need need, const std::function<Status(Session&)>& body) {
  return code_of(enter(need, body));
}

}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }

CUresult cuDriverGetVersion(int* out) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = headroom::driver::version;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return about(device, ordinal, [&](Session&, const Properties&) {
    *device = ordinal;
    return Status::ok;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return answer(Need::facts, [&](Session& session) {
    if (!count) return Status::invalid_value;
    *count = session.options.devices;
    return Status::ok;
  });
}

// Of those that the runtime does not number memory without an address is there (virtual_memory.cpp); others are not, 0.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return about(value, device, [&](Session& session, const Properties& properties) {
    if (attribute <= 0 || attribute >= CU_DEVICE_ATTRIBUTE_MAX) return Status::invalid_value;
    if (!attribute_of(session.machine, properties, Attribute(attribute), *value))
      *value = attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    return Status::ok;
  });
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
  return about(name, device, [&](Session&, const Properties& properties) {
    if (size <= 0) return Status::invalid_value;
    std::snprintf(name, size_t(size), "%s", properties.name);
    return Status::ok;
  });
}

CUresult cuDeviceGetUuid(CUuuid* out, CUdevice device) {
  return about(out, device, [&](Session&, const Properties& properties) {
    std::memcpy(out->bytes, properties.uuid, sizeof out->bytes);
    return Status::ok;
  });
}

CUresult cuDeviceGetPCIBusId(char* text, int size, CUdevice device) {
  constexpr int whole = sizeof "0000:00:00.0";
  return about(text, device, [&](Session&, const Properties& properties) {
    if (size < whole) return Status::invalid_value;
    std::snprintf(text, size_t(size), "%04x:%02x:%02x.0", properties.pci_domain_id,
                  properties.pci_bus_id, properties.pci_device_id);
    return Status::ok;
  });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return about(bytes, device, [&](Session&, const Properties& properties) {
    *bytes = properties.total_global_mem;
    return Status::ok;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return about(major, device, [&](Session&, const Properties& properties) {
    if (!minor) return Status::invalid_value;
    *major = properties.major;
    *minor = properties.minor;
    return Status::ok;
  });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice other) {
  return about(can, device, [&](Session& session, const Properties&) {
    if (!is_device(session, other)) return Status::invalid_device;
    *can = device != other;
    return Status::ok;
  });
}
}
