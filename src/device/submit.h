// The way of work into a stream: done at once, since nearly every call here runs to its end before it
// returns; put off, where a function of the program runs that it comes after (queue.h); or, where the
// stream is being captured, made a node of a graph.
//
//   enqueue(session, stream, [&](Session&, Work& work) { …checks…; work = CopyWork{…}; return
//   Status::ok; });
#pragma once
#include <functional>

#include "device/stream.h"
#include "device/work.h"

namespace headroom::device {

using Maker = std::function<Status(Session&, Work&)>;

Status enqueue(Session&, const void* stream, const Maker&);
// The same for a call that waits for the work: on the stream without a name, and not while capturing.
Status at_once(Session&, const char* call, const Maker&);
// Adds the work to the stream's graph, or does it.
Status submit(Session&, Stream&, Work);

}  // namespace headroom::device
