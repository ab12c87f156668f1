// Streams: names for an order that holds anyway, since every call runs to its end before it
// returns.
#pragma once
#include "runtime/session.h"

namespace headroom::runtime {

bool is_stream(const Session&, cudaStream_t);
uint64_t stream_id(const Session&, cudaStream_t);  // 0: the default stream

}  // namespace headroom::runtime
