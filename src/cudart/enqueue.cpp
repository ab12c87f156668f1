#include "cudart/enqueue.h"

#include "device/capture.h"

namespace headroom::cudart {
namespace {

Maker maker_of(const MakeWork& make) {
  return [&](Session& session, Work& work) { return Status(make(session, work)); };
}

}  // namespace

cudaError_t enqueue(cudaStream_t stream, const MakeWork& make, const char* function) {
  return synchronising(
      [&](Session& session) { return code_of(device::enqueue(session, stream, maker_of(make))); },
      function);
}

cudaError_t at_once(const char* call, const MakeWork& make) {
  return synchronising(
      [&](Session& session) { return code_of(device::at_once(session, call, maker_of(make))); },
      call);
}

bool is_capturing(Session& session, cudaStream_t handle) {
  const Stream* stream = find_stream(session, handle);
  return stream && stream->capture;
}

}  // namespace headroom::cudart
