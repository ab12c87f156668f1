#include "runtime/stream.h"

#include <algorithm>

namespace headroom::runtime {
namespace {

constexpr int lowest_priority = 0, highest_priority = -5;  // of every GPU since Pascal

bool is_default(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

cudaError_t create(cudaStream_t* out, unsigned flags, int priority) {
  return call([&](Session& session) {
    if (!out || flags & ~unsigned(cudaStreamNonBlocking)) return cudaErrorInvalidValue;
    auto stream = std::make_unique<Stream>();
    stream->flags = flags;
    stream->priority = std::clamp(priority, highest_priority, lowest_priority);
    stream->id = session.next_stream_id++;
    *out = reinterpret_cast<cudaStream_t>(stream.get());
    session.streams.emplace(*out, std::move(stream));
    return cudaSuccess;
  });
}

cudaError_t wait(cudaStream_t stream) {
  return synchronising([&](Session& session) {
    return is_stream(session, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

// Reads one property of a stream; the default streams have the plain one.
template <class Value, class Read>
cudaError_t read(cudaStream_t stream, Value* out, Read read) {
  return call([&](Session& session) {
    if (!out) return cudaErrorInvalidValue;
    if (!is_stream(session, stream)) return cudaErrorInvalidResourceHandle;
    static const Stream plain;
    *out = Value(read(is_default(stream) ? plain : *session.streams.at(stream)));
    return cudaSuccess;
  });
}

}  // namespace

bool is_stream(const Session& session, cudaStream_t stream) {
  return is_default(stream) || session.streams.count(stream);
}

uint64_t stream_id(const Session& session, cudaStream_t stream) {
  return is_default(stream) ? 0 : session.streams.at(stream)->id;
}

}  // namespace headroom::runtime

using namespace headroom::runtime;
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
    return session.streams.erase(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return wait(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait(stream); }

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
  return read(stream, out, [](const Stream&) { return current_device(); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* out) {
  return read(stream, out, [](const Stream&) { return cudaStreamCaptureStatusNone; });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return call([&](Session& session) {
    bool known = is_stream(session, stream) && session.events.count(event);
    return known ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned) {
  return wait(stream);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  if (lowest) *lowest = lowest_priority;
  if (highest) *highest = highest_priority;
  return cudaSuccess;
}
}
