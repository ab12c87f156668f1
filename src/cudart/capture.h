// The way of work into a stream: done at once, since every call here runs to its end before it
// returns, or, where the stream is being captured, made a node of a graph. And which calls that
// forbids: what would have to wait for work that is only written down.
//
//   enqueue(stream, [&](Session& session, Work& work) { …checks…; work = CopyWork{…}; return
//   cudaSuccess; });
//
// An illegal call spoils the capture: its stream is told at cudaStreamEndCapture.
#pragma once
#include <memory>
#include <set>
#include <vector>

#include "cudart/api.h"
#include "cudart/graph.h"
#include "cudart/work.h"
#include "device/stream.h"

namespace headroom::cudart {

// One capture sequence: the stream it began on, and those that joined it through events.
struct Capture {
  uint64_t id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  Stream* origin = nullptr;
  std::set<Stream*> streams;
  std::vector<Node*> left;  // where streams ended that were destroyed since
  Graph* graph = nullptr;
  std::unique_ptr<Graph> own;  // null: it goes into a graph of the program's
  bool spoilt = false, ended = false;
};

using MakeWork = std::function<cudaError_t(Session&, Work&)>;

cudaError_t enqueue(cudaStream_t, const MakeWork&);
// The same for a call that waits for the work: on the legacy stream, and not while capturing.
cudaError_t at_once(const char* call, const MakeWork&);
// Adds the work to the stream's graph, or does it.
cudaError_t submit(Session&, Stream&, Work);

bool is_capturing(Session&, cudaStream_t);
void end_capture(Session&, Capture&);  // its streams work again

// All throw Failure, and spoil the captures in question.
void refuse_capture(Session&, Stream&, const char* call);  // waits for, or asks about, this stream
void refuse_captures(Session&, const char* call);          // … about the device
void refuse_unsafe(Session&, const char* call);            // might wait: by the thread's mode
void refuse_captured(Session&, const Event&, const char* call);
[[noreturn]] void spoil(Capture&, Status, const char* call, const char* why);
// The legacy stream while one that it waits for is captured. A mere question spoils nothing.
void refuse_implicit(Session&, const Stream&, const char* call, bool asks = false);

cudaStreamCaptureMode& capture_mode();  // of this thread

}  // namespace headroom::cudart
