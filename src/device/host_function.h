// Functions of the program that streams call. They run on the thread that gave them to the stream, or
// that did what they were queued behind, without the lock, so other threads may call us meanwhile; what
// those give to the same stream is put off until the function is over (queue.h).
//
//   thread A: cudaLaunchHostFunc(s, f)          f() … … … … over
//   thread B:      cudaStreamSynchronize(s)     waits       returns
#pragma once
#include "device/enter.h"

namespace headroom::device {

void run_host_function(Session&, const Stream&, const std::function<void()>&);

// While it lives, the stream is in the midst of its work: what others give to it comes after. Then
// what was put off is done.
class Occupied {
 public:
  Occupied(Session&, const Stream&);
  ~Occupied();

 private:
  Session& session_;
  std::list<const Stream*>::iterator place_;
};

// Whether work on one of them waits for work on the other.
bool are_ordered(const Stream&, const Stream&);
// Whether one runs that this stream's work has to wait for.
bool is_running(const Session&, const Stream&);
// The same, or work is put off that it has to wait for, or any of the device.
bool is_busy(const Session&, const Stream&);
bool is_busy(const Session&, int device);
// Until none does. Other threads may have called us when these return: look everything up again.
void wait_for_host_functions(Session&, const Stream&);
void wait_for_host_functions(Session&, int device);

}  // namespace headroom::device
