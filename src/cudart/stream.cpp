#include "cudart/stream.h"

#include <algorithm>

#include "cudart/capture.h"
#include "cudart/host_function.h"
#include "cudart/pool.h"

namespace headroom::cudart {
namespace {

constexpr int lowest_priority = 0, highest_priority = -5;  // of every GPU since Pascal

thread_local bool null_is_per_thread = false;

constexpr uint64_t legacy_id = 1, per_thread_id = 2;

cudaError_t create(cudaStream_t* out, unsigned flags, int priority) {
  return call([&](Session& session) {
    if (!out || flags & ~unsigned(cudaStreamNonBlocking)) return cudaErrorInvalidValue;
    auto stream = std::make_unique<Stream>();
    stream->flags = flags;
    stream->priority = clamped_priority(priority);
    stream->id = session.next_stream_id++;
    stream->device = current_device();
    *out = reinterpret_cast<cudaStream_t>(stream.get());
    session.streams.emplace(*out, std::move(stream));
    return cudaSuccess;
  });
}

cudaError_t wait(cudaStream_t handle, const char* call, bool asks = false) {
  return synchronising([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    refuse_capture(session, *stream, call);
    if (asks && is_busy(session, *stream)) return cudaErrorNotReady;
    wait_for_host_functions(session, *stream);
    settle_pools(session);
    return cudaSuccess;
  });
}

// Reads one property of a stream.
template <class Value, class Read>
cudaError_t read(cudaStream_t handle, Value* out, Read read) {
  return call([&](Session& session) {
    if (!out) return cudaErrorInvalidValue;
    const Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    *out = Value(read(*stream));
    return cudaSuccess;
  });
}

}  // namespace

bool is_blocking(const Stream& stream) {
  return !stream.legacy && !(stream.flags & cudaStreamNonBlocking);
}

int clamped_priority(int priority) {
  return std::clamp(priority, highest_priority, lowest_priority);
}

NullIsPerThread::NullIsPerThread() : before_(null_is_per_thread) { null_is_per_thread = true; }
NullIsPerThread::~NullIsPerThread() { null_is_per_thread = before_; }

Stream* find_stream(Session& session, cudaStream_t handle) {
  if (handle && handle != cudaStreamLegacy && handle != cudaStreamPerThread) {
    auto found = session.streams.find(handle);
    return found == session.streams.end() ? nullptr : found->second.get();
  }
  const bool legacy = handle ? handle == cudaStreamLegacy : !null_is_per_thread;
  Stream& stream = legacy ? session.legacy_streams[current_device()]
                          : session.per_thread_streams[std::this_thread::get_id()];
  stream.legacy = legacy;
  stream.device = current_device();
  stream.id = legacy ? legacy_id : per_thread_id;
  return &stream;
}

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
  return call([&](Session& session) {
    auto found = session.streams.find(stream);
    if (found == session.streams.end()) return cudaErrorInvalidResourceHandle;
    wait_for_host_functions(session, *found->second);
    found = session.streams.find(stream);
    if (found == session.streams.end()) return cudaErrorInvalidResourceHandle;
    Stream& gone = *found->second;
    if (std::shared_ptr<Capture> capture = gone.capture) {
      capture->left.insert(capture->left.end(), gone.last.begin(), gone.last.end());
      capture->streams.erase(&gone);
      if (capture->origin == &gone) {  // nobody can end it well
        capture->spoilt = true;
        end_capture(session, *capture);
      }
    }
    session.streams.erase(found);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait(stream, "cudaStreamSynchronize");
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait(stream, "cudaStreamQuery", true); }

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
