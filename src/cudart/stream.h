// Streams: names for an order that holds anyway, since every call runs to its end before it
// returns.
#pragma once
#include "cudart/session.h"

namespace headroom::cudart {

// The stream of that name, also the default ones (a device has a legacy stream, a thread one of its
// own); null: there is none.
Stream* find_stream(Session&, cudaStream_t);
// One that the legacy stream waits for, and that waits for it.
bool is_blocking(const Stream&);
// Into the range of cudaDeviceGetStreamPriorityRange.
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

}  // namespace headroom::cudart
