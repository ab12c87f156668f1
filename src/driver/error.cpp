// The names and texts of the driver API's errors (error_texts.inc).
//
//   cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text)   "CUDA_ERROR_INVALID_VALUE"
//   cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text)   "invalid argument"
#include <algorithm>

#include "driver/driver.h"

namespace headroom::driver {
namespace {

struct Known {
  CUresult code;
  const char *name, *text;
};
constexpr Known known[] = {
#define HEADROOM_ERROR(name, text) {name, #name, text},
#include "driver/error_texts.inc"
#undef HEADROOM_ERROR
};

const Known* find_error(CUresult code) {
  const auto* found = std::ranges::find(known, code, &Known::code);
  return found == std::end(known) ? nullptr : found;
}

CUresult told(const char** out, const Known* error, const char* Known::*what) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = error ? error->*what : nullptr;
  return error ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// A status is translated by a cast: both number alike what this face can answer.
static_assert(code_of(Status::ok) == CUDA_SUCCESS);
static_assert(code_of(Status::invalid_value) == CUDA_ERROR_INVALID_VALUE);
static_assert(code_of(Status::out_of_memory) == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(code_of(Status::not_initialized) == CUDA_ERROR_NOT_INITIALIZED);
static_assert(code_of(Status::invalid_device) == CUDA_ERROR_INVALID_DEVICE);
static_assert(code_of(Status::invalid_context) == CUDA_ERROR_INVALID_CONTEXT);
static_assert(code_of(Status::context_is_destroyed) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
static_assert(code_of(Status::invalid_image) == CUDA_ERROR_INVALID_IMAGE);
static_assert(code_of(Status::no_image_for_device) == CUDA_ERROR_NO_BINARY_FOR_GPU);
static_assert(code_of(Status::invalid_ptx) == CUDA_ERROR_INVALID_PTX);
static_assert(code_of(Status::unsupported_ptx_version) == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(code_of(Status::invalid_handle) == CUDA_ERROR_INVALID_HANDLE);
static_assert(code_of(Status::illegal_state) == CUDA_ERROR_ILLEGAL_STATE);
static_assert(code_of(Status::lossy_query) == CUDA_ERROR_LOSSY_QUERY);
static_assert(code_of(Status::capture_unsupported) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
static_assert(code_of(Status::capture_invalidated) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
static_assert(code_of(Status::capture_merge) == CUDA_ERROR_STREAM_CAPTURE_MERGE);
static_assert(code_of(Status::capture_unmatched) == CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
static_assert(code_of(Status::capture_unjoined) == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
static_assert(code_of(Status::capture_isolation) == CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
static_assert(code_of(Status::capture_implicit) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
static_assert(code_of(Status::captured_event) == CUDA_ERROR_CAPTURED_EVENT);
static_assert(code_of(Status::capture_wrong_thread) == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
static_assert(code_of(Status::graph_update_failed) == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
static_assert(code_of(Status::not_found) == CUDA_ERROR_NOT_FOUND);
static_assert(code_of(Status::not_ready) == CUDA_ERROR_NOT_READY);
static_assert(code_of(Status::illegal_address) == CUDA_ERROR_ILLEGAL_ADDRESS);
static_assert(code_of(Status::out_of_resources) == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
static_assert(code_of(Status::launch_failed) == CUDA_ERROR_LAUNCH_FAILED);
static_assert(code_of(Status::cooperative_launch_too_large) ==
              CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
static_assert(code_of(Status::not_permitted) == CUDA_ERROR_NOT_PERMITTED);
static_assert(code_of(Status::not_supported) == CUDA_ERROR_NOT_SUPPORTED);
static_assert(code_of(Status::invalid_cluster) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
static_assert(code_of(Status::unknown) == CUDA_ERROR_UNKNOWN);

}  // namespace

}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuGetErrorName(CUresult error, const char** text) {
  return told(text, find_error(error), &Known::name);
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  return told(text, find_error(error), &Known::text);
}
}
