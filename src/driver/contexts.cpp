// Contexts, which are devices' primary ones.
#include "driver/driver.h"

namespace headroom::driver {
namespace {

constexpr int most_devices = 64;
char contexts[most_devices];  // their addresses are the handles

CUcontext context_of(int device) { return reinterpret_cast<CUcontext>(&contexts[device]); }

}  // namespace

CUresult context_device(CUdevice* device) {
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = current_device();
  return CUDA_SUCCESS;
}

CUresult context_current(CUcontext* context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = context_of(current_device());
  return CUDA_SUCCESS;
}

CUresult context_set(CUcontext context) {
  const auto* handle = reinterpret_cast<const char*>(context);
  if (handle < contexts || handle >= contexts + most_devices) return CUDA_ERROR_INVALID_CONTEXT;
  return answer(Need::facts, [&](Session& session) {
    const int device = int(handle - contexts);
    if (!is_device(session, device)) return Status::invalid_device;
    current_device() = device;
    return Status::ok;
  });
}

CUresult primary_retain(CUcontext* context, CUdevice device) {
  if (!context || device < 0 || device >= most_devices) return CUDA_ERROR_INVALID_VALUE;
  *context = context_of(device);
  return CUDA_SUCCESS;
}
CUresult primary_release(CUdevice) { return CUDA_SUCCESS; }

}  // namespace headroom::driver
