#include "gpu/inject/recorder.h"

#include <unistd.h>

#include <cstring>

namespace headroom::inject {
namespace {

constexpr size_t prepared_buffers = 4;

void CUPTIAPI buffer_requested(uint8_t** buffer, size_t* size, size_t* most_records) {
  *buffer = recorder().take_buffer();
  *size = *buffer ? Buffers::bytes : 0;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t* buffer, size_t,
                               size_t valid) {
  recorder().completed(context, stream, buffer, valid);
}

// What a context's launches left is asked for while the context is still there.
void CUPTIAPI context_goes(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {
  if (recorder().is_ours()) recorder().flush(false);
}

}  // namespace

Recorder& recorder() {
  static Recorder& only = *new Recorder;
  return only;
}

bool Recorder::is_ours() const { return process_ == getpid(); }

bool Recorder::start(const std::string& prefix) {
  process_ = getpid();
  file_.open(prefix);
  const auto missing = load(cupti_);
  {
    const std::lock_guard held(lock_);
    file_.begin(cupti_.version);
    file_.flush();
  }
  const auto failed = missing ? missing : begin();
  if (!failed) return true;
  const std::lock_guard held(lock_);
  file_.block(trace::Kind::problem, failed->problem, failed->text);
  file_.flush();
  return false;
}

// Subscribed first: there is one subscriber in a process, and whoever wants to be a second one,
// such as a framework's own profiler, is told so by CUPTI and keeps its hands off our buffers.
std::optional<Failure> Recorder::begin() {
  CUpti_SubscriberHandle subscriber;
  if (const auto failed =
          failure(cupti_, "cuptiSubscribe", cupti_.subscribe(&subscriber, context_goes, nullptr)))
    return failed;
  if (const auto failed =
          failure(cupti_, "cuptiEnableCallback",
                  cupti_.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                         CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING)))
    return failed;
  buffers_.prepare(prepared_buffers);
  // Ours are zeroed where it costs the program nothing. Older versions do not know of it.
  uint8_t zeroed = 1;
  size_t size = sizeof zeroed;
  cupti_.set_attribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
  if (const auto failed = failure(cupti_, "cuptiActivityRegisterCallbacks",
                                  cupti_.register_callbacks(buffer_requested, buffer_completed)))
    return failed;
  for (const auto kind :
       {CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET})
    if (const auto failed = failure(cupti_, "cuptiActivityEnable", cupti_.activity_enable(kind)))
      return failed;
  return std::nullopt;
}

void Recorder::flush(bool also_unfinished) {
  cupti_.flush_all(also_unfinished ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
}

void Recorder::end() {
  flush(true);
  const std::lock_guard held(lock_);
  file_.block(trace::Kind::end, nullptr, 0, {});
  file_.flush();
}

void Recorder::completed(CUcontext context, uint32_t stream, uint8_t* buffer, size_t valid) {
  {
    const std::lock_guard held(lock_);
    CUpti_Activity* record = nullptr;
    while (cupti_.next_record(buffer, valid, &record) == CUPTI_SUCCESS) write(*record);
    size_t dropped = 0;
    if (cupti_.dropped_records(context, stream, &dropped) == CUPTI_SUCCESS && dropped > 0)
      file_.block(trace::Kind::dropped, trace::Dropped{dropped});
    file_.flush();
  }
  buffers_.give(buffer);
}

}  // namespace headroom::inject
