// Streams: names for an order that holds anyway, since every call runs to its end before it
// returns.
#pragma once
#include "device/session.h"

namespace headroom::device {

// The default streams have fixed handles, which both faces give the same numbers; null is one of
// them too.
inline const void* const legacy_stream = reinterpret_cast<const void*>(1);
inline const void* const per_thread_stream = reinterpret_cast<const void*>(2);

inline constexpr unsigned non_blocking = 1;                       // a stream's flag
inline constexpr int lowest_priority = 0, highest_priority = -5;  // of every GPU since Pascal

Stream& create_stream(Session&, unsigned flags, int priority);  // its address is its handle

// Once no host function runs on it. invalid_handle: none, or a default one.
Status destroy_stream(Session&, const void* handle);

// The stream of that name, also the default ones (a device has a legacy stream, a thread one of its
// own); null: there is none.
Stream* find_stream(Session&, const void* handle);
// In a record: 0 is the legacy one.
inline uint64_t number_of(const Stream& stream) { return stream.legacy ? 0 : stream.id; }
// One that the legacy stream waits for, and that waits for it.
bool is_blocking(const Stream&);
// Into the range of priorities.
int clamped_priority(int);

// While it lives, the stream without a name is the thread's own: what the _ptsz and _ptds variants
// of the calls mean by it.
class NullIsPerThread {
 public:
  NullIsPerThread();
  ~NullIsPerThread();

 private:
  bool before_;
};

}  // namespace headroom::device
