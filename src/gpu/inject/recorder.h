// Takes CUPTI's records as they come in buffers, and writes what we keep of them into the trace.
//
//   program's thread: launch → CUPTI → take a buffer          CUPTI's thread: buffer full → trace
#pragma once
#include <mutex>

#include "gpu/inject/buffers.h"
#include "gpu/inject/cupti.h"
#include "gpu/inject/names.h"
#include "gpu/inject/trace_file.h"

namespace headroom::inject {

class Recorder {
 public:
  // Begins; what hinders it stands in the trace. False: nothing is recorded.
  bool start(const std::string& prefix);
  // What CUPTI has complete; `also_unfinished`: and what has not ended, at the very end.
  void flush(bool also_unfinished);
  // The process leaves by exit.
  void end();
  // A fork has none of our threads, and its file is its parent's.
  bool is_ours() const;

  uint8_t* take_buffer() { return buffers_.take(); }
  void completed(CUcontext, uint32_t stream, uint8_t* buffer, size_t valid);

 private:
  std::optional<Failure> begin();
  void write(const CUpti_Activity&);
  void write_launch(const CUpti_Activity&);
  void write_device(const CUpti_Activity&);
  void write_copy(const CUpti_Activity&);
  void write_peer_copy(const CUpti_Activity&);
  void write_set(const CUpti_Activity&);

  int process_ = 0;
  Cupti cupti_{};
  Buffers buffers_;
  std::mutex lock_;  // of what follows
  TraceFile file_;
  Names names_;
};

// The one of this process; never destroyed, as CUPTI's thread may outlive main.
Recorder& recorder();

}  // namespace headroom::inject
