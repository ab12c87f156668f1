// Streams: names for an order that holds anyway, since every call runs to its end before it
// returns.
#pragma once
#include "runtime/session.h"

namespace headroom::runtime {

// The stream of that name, also the default ones (a device has a legacy stream, a thread one of its
// own); null: there is none.
Stream* find_stream(Session&, cudaStream_t);

}  // namespace headroom::runtime
