// The driver's functions by name.
#include <span>

#include "device/driver_entry.h"
#include "driver/driver.h"

namespace headroom::driver {
namespace {

struct Entry {
  std::string_view symbol;
  void* function;
};
template <class F>
Entry entry(std::string_view symbol, F* function) {
  return {symbol, reinterpret_cast<void*>(function)};
}

std::span<const Entry> entries() {
  static const Entry all[] = {
      entry("cuTensorMapEncodeTiled", &tensor_map_encode_tiled),
      entry("cuTensorMapEncodeIm2col", &tensor_map_encode_im2col),
      entry("cuTensorMapReplaceAddress", &tensor_map_replace_address),
      entry("cuGetErrorName", &error_name),
      entry("cuGetErrorString", &error_text),
      entry("cuInit", &init),
      entry("cuDriverGetVersion", &driver_version),
      entry("cuDeviceGet", &device_get),
      entry("cuDeviceGetCount", &device_count),
      entry("cuDeviceGetAttribute", &device_attribute),
      entry("cuDeviceGetName", &device_name),
      entry("cuDeviceTotalMem", &device_memory),
      entry("cuCtxGetDevice", &context_device),
      entry("cuCtxGetCurrent", &context_current),
      entry("cuCtxSetCurrent", &context_set),
      entry("cuDevicePrimaryCtxRetain", &primary_retain),
      entry("cuDevicePrimaryCtxRelease", &primary_release),
      entry("cuMemGetInfo", &memory_info),
      entry("cuCtxSynchronize", &context_synchronise),
      entry("cuStreamSynchronize", &stream_synchronise),
      entry("cuStreamQuery", &stream_query),
  };
  return all;
}

}  // namespace
}  // namespace headroom::driver

void* headroom::device::driver_entry(std::string_view symbol) {
  for (const driver::Entry& known : driver::entries())
    if (known.symbol == symbol) return known.function;
  return nullptr;
}
