// The calls about streams.
#include "device/stream.h"

#include "cudart/api.h"
#include "device/wait.h"

namespace headroom::cudart {
namespace {

cudaError_t create(cudaStream_t* out, unsigned flags, int priority,
                   const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        if (!out || flags & ~unsigned(cudaStreamNonBlocking)) return cudaErrorInvalidValue;
        *out = reinterpret_cast<cudaStream_t>(&create_stream(session, flags, priority));
        return cudaSuccess;
      },
      function);
}

// Reads one property of a stream.
template <class Value, class Read>
cudaError_t read(cudaStream_t handle, Value* out, Read read,
                 const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        if (!out) return cudaErrorInvalidValue;
        const Stream* stream = find_stream(session, handle);
        if (!stream) return cudaErrorInvalidResourceHandle;
        *out = Value(read(*stream));
        return cudaSuccess;
      },
      function);
}

}  // namespace

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* out) { return create(out, cudaStreamDefault, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  return create(out, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority) {
  return create(out, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](Session& session) { return code_of(destroy_stream(session, stream)); });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return synchronising([&](Session& session) {
    return code_of(wait_for_stream(session, stream, "cudaStreamSynchronize"));
  });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return synchronising(
      [&](Session& session) { return code_of(ask_stream(session, stream, "cudaStreamQuery")); });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* out) {
  return read(stream, out, [](const Stream& one) { return one.priority; });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* out) {
  return read(stream, out, [](const Stream& one) { return one.flags; });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* out) {
  return read(stream, out, [](const Stream& one) { return one.id; });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* out) {
  return read(stream, out, [](const Stream& one) { return one.device; });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  if (lowest) *lowest = lowest_priority;
  if (highest) *highest = highest_priority;
  return cudaSuccess;
}
}
