// Devices and what they have: the machine's facts in the driver's calls.
#include <cstdio>

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

CUresult init(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }

CUresult driver_version(int* out) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = version;
  return CUDA_SUCCESS;
}

CUresult device_get(CUdevice* device, int ordinal) {
  return about(device, ordinal, [&](Session&, const Properties&) {
    *device = ordinal;
    return Status::ok;
  });
}

CUresult device_count(int* count) {
  return answer(Need::facts, [&](Session& session) {
    if (!count) return Status::invalid_value;
    *count = session.options.devices;
    return Status::ok;
  });
}

CUresult device_attribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return about(value, device, [&](Session& session, const Properties& properties) {
    const bool known = attribute_of(session.machine, properties, Attribute(attribute), *value);
    return known ? Status::ok : Status::invalid_value;
  });
}

CUresult device_name(char* name, int size, CUdevice device) {
  return about(name, device, [&](Session&, const Properties& properties) {
    if (size <= 0) return Status::invalid_value;
    std::snprintf(name, size_t(size), "%s", properties.name);
    return Status::ok;
  });
}

CUresult device_memory(size_t* bytes, CUdevice device) {
  return about(bytes, device, [&](Session&, const Properties& properties) {
    *bytes = properties.total_global_mem;
    return Status::ok;
  });
}

CUresult memory_info(size_t* left, size_t* all) {
  return answer(Need::device, [&](Session& session) {
    if (!left || !all) return Status::invalid_value;
    *all = session.memory_of_device();
    *left = *all - session.allocations.used(current_device());
    return Status::ok;
  });
}

}  // namespace headroom::driver
