// cudaGetDriverEntryPoint and the functions it finds. A driver's error codes are the runtime's
// numbers; a context is a device's primary one, so its handle only says which device.
#include "cudart/driver.h"

#include <fmt/format.h>

#include <cstring>

#include "cudart/api.h"

using namespace headroom::cudart;
namespace headroom::cudart::driver {
namespace {

constexpr int most_devices = 64;
char contexts[most_devices];  // their addresses are the handles

CUresult result(cudaError_t error) { return CUresult(error); }

CUresult name_of(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorName(cudaError_t(error));
  return CUDA_SUCCESS;
}
CUresult text_of(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(cudaError_t(error));
  return CUDA_SUCCESS;
}
CUresult init(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
CUresult version(int* out) { return result(cudaDriverGetVersion(out)); }
CUresult device_get(CUdevice* device, int ordinal) {
  int count = 0;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t error = cudaGetDeviceCount(&count)) return result(error);
  if (ordinal < 0 || ordinal >= count) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult device_count(int* count) { return result(cudaGetDeviceCount(count)); }
CUresult device_attribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return result(cudaDeviceGetAttribute(value, cudaDeviceAttr(attribute), device));
}
CUresult device_name(char* name, int size, CUdevice device) {
  cudaDeviceProp properties;
  if (!name || size <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device)) return result(error);
  std::snprintf(name, size_t(size), "%s", properties.name);
  return CUDA_SUCCESS;
}
CUresult device_memory(size_t* bytes, CUdevice device) {
  cudaDeviceProp properties;
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device)) return result(error);
  *bytes = properties.totalGlobalMem;
  return CUDA_SUCCESS;
}

CUcontext context_of(int device) { return reinterpret_cast<CUcontext>(&contexts[device]); }
CUresult context_device(CUdevice* device) { return result(cudaGetDevice(device)); }
CUresult context_current(CUcontext* context) {
  int device = 0;
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t error = cudaGetDevice(&device)) return result(error);
  *context = context_of(device);
  return CUDA_SUCCESS;
}
CUresult context_set(CUcontext context) {
  const auto* handle = reinterpret_cast<const char*>(context);
  if (handle < contexts || handle >= contexts + most_devices) return CUDA_ERROR_INVALID_CONTEXT;
  return result(cudaSetDevice(int(handle - contexts)));
}
CUresult context_synchronise() { return result(cudaDeviceSynchronize()); }
CUresult primary_retain(CUcontext* context, CUdevice device) {
  if (!context || device < 0 || device >= most_devices) return CUDA_ERROR_INVALID_VALUE;
  *context = context_of(device);
  return CUDA_SUCCESS;
}
CUresult primary_release(CUdevice) { return CUDA_SUCCESS; }

CUresult memory_info(size_t* left, size_t* all) { return result(cudaMemGetInfo(left, all)); }
CUresult stream_synchronise(CUstream stream) { return result(cudaStreamSynchronize(stream)); }
CUresult stream_query(CUstream stream) { return result(cudaStreamQuery(stream)); }

struct Entry {
  std::string_view symbol;
  void* function;
};
template <class F>
Entry entry(std::string_view symbol, F* function) {
  return {symbol, reinterpret_cast<void*>(function)};
}

}  // namespace

void* find(std::string_view symbol) {
  static const Entry entries[] = {
      entry("cuTensorMapEncodeTiled", &tensor_map_encode_tiled),
      entry("cuTensorMapEncodeIm2col", &tensor_map_encode_im2col),
      entry("cuTensorMapReplaceAddress", &tensor_map_replace_address),
      entry("cuGetErrorName", &name_of),
      entry("cuGetErrorString", &text_of),
      entry("cuInit", &init),
      entry("cuDriverGetVersion", &version),
      entry("cuDeviceGet", &device_get),
      entry("cuDeviceGetCount", &device_count),
      entry("cuDeviceGetAttribute", &device_attribute),
      entry("cuDeviceGetName", &device_name),
      entry("cuDeviceTotalMem", &device_memory),
      entry("cuCtxGetDevice", &context_device),
      entry("cuCtxGetCurrent", &context_current),
      entry("cuCtxSetCurrent", &context_set),
      entry("cuCtxSynchronize", &context_synchronise),
      entry("cuDevicePrimaryCtxRetain", &primary_retain),
      entry("cuDevicePrimaryCtxRelease", &primary_release),
      entry("cuMemGetInfo", &memory_info),
      entry("cuStreamSynchronize", &stream_synchronise),
      entry("cuStreamQuery", &stream_query),
  };
  for (const Entry& known : entries) {
    if (known.symbol == symbol) return known.function;
  }
  return nullptr;
}

}  // namespace headroom::cudart::driver

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned wanted,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  int version = 0;
  cudaDriverGetVersion(&version);
  if (!symbol || !function || wanted > unsigned(version)) return fail(cudaErrorInvalidValue);
  *function = driver::find(symbol);
  if (status)
    *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (!*function)
    say(fmt::format("the driver's {} is not supported: the program is told that there is none",
                    symbol));
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDA_VERSION, flags, status);
}
}
