// The names and texts of CUDA's errors (error_texts.inc).
//
//   cudaGetErrorName(cudaErrorIllegalAddress)    "cudaErrorIllegalAddress"
//   cudaGetErrorString(cudaErrorIllegalAddress)  "an illegal memory access was encountered"
#include <algorithm>

#include "cudart/api.h"

namespace headroom::cudart {
namespace {

// A status is translated by a cast: both number alike what the device can answer.
struct Row {
  Status status;
  cudaError_t code;
};
constexpr Row rows[] = {
    {Status::ok, cudaSuccess},
    {Status::invalid_value, cudaErrorInvalidValue},
    {Status::out_of_memory, cudaErrorMemoryAllocation},
    {Status::not_initialized, cudaErrorInitializationError},
    {Status::invalid_symbol, cudaErrorInvalidSymbol},
    {Status::invalid_filter, cudaErrorInvalidFilterSetting},
    {Status::invalid_norm, cudaErrorInvalidNormSetting},
    {Status::invalid_function, cudaErrorInvalidDeviceFunction},
    {Status::invalid_device, cudaErrorInvalidDevice},
    {Status::invalid_image, cudaErrorInvalidKernelImage},
    {Status::no_image_for_device, cudaErrorNoKernelImageForDevice},
    {Status::unsupported_limit, cudaErrorUnsupportedLimit},
    {Status::peer_access_unsupported, cudaErrorPeerAccessUnsupported},
    {Status::invalid_ptx, cudaErrorInvalidPtx},
    {Status::unsupported_ptx_version, cudaErrorUnsupportedPtxVersion},
    {Status::file_not_found, cudaErrorFileNotFound},
    {Status::operating_system, cudaErrorOperatingSystem},
    {Status::invalid_handle, cudaErrorInvalidResourceHandle},
    {Status::illegal_state, cudaErrorIllegalState},
    {Status::lossy_query, cudaErrorLossyQuery},
    {Status::not_found, cudaErrorSymbolNotFound},
    {Status::not_ready, cudaErrorNotReady},
    {Status::illegal_address, cudaErrorIllegalAddress},
    {Status::out_of_resources, cudaErrorLaunchOutOfResources},
    {Status::peer_access_already_enabled, cudaErrorPeerAccessAlreadyEnabled},
    {Status::peer_access_not_enabled, cudaErrorPeerAccessNotEnabled},
    {Status::host_memory_already_registered, cudaErrorHostMemoryAlreadyRegistered},
    {Status::host_memory_not_registered, cudaErrorHostMemoryNotRegistered},
    {Status::launch_failed, cudaErrorLaunchFailure},
    {Status::cooperative_launch_too_large, cudaErrorCooperativeLaunchTooLarge},
    {Status::not_permitted, cudaErrorNotPermitted},
    {Status::not_supported, cudaErrorNotSupported},
    {Status::capture_unsupported, cudaErrorStreamCaptureUnsupported},
    {Status::capture_invalidated, cudaErrorStreamCaptureInvalidated},
    {Status::capture_merge, cudaErrorStreamCaptureMerge},
    {Status::capture_unmatched, cudaErrorStreamCaptureUnmatched},
    {Status::capture_unjoined, cudaErrorStreamCaptureUnjoined},
    {Status::capture_isolation, cudaErrorStreamCaptureIsolation},
    {Status::capture_implicit, cudaErrorStreamCaptureImplicit},
    {Status::captured_event, cudaErrorCapturedEvent},
    {Status::capture_wrong_thread, cudaErrorStreamCaptureWrongThread},
    {Status::graph_update_failed, cudaErrorGraphExecUpdateFailure},
    {Status::invalid_cluster, cudaErrorInvalidClusterSize},
    {Status::unknown, cudaErrorUnknown},
};
static_assert(std::ranges::all_of(rows, [](Row row) { return code_of(row.status) == row.code; }));

}  // namespace
}  // namespace headroom::cudart

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define HEADROOM_ERROR(name, text) \
  case name:                       \
    return #name;
#include "cudart/error_texts.inc"
#undef HEADROOM_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define HEADROOM_ERROR(name, text) \
  case name:                       \
    return text;
#include "cudart/error_texts.inc"
#undef HEADROOM_ERROR
  }
  return "unrecognized error code";
}
}
