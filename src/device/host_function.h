// Functions of the program that streams call . They run on the thread that gave
// them to the stream, without the lock, so other threads may call us meanwhile; what those give to the
// same stream waits until the function is over.
//
//   thread A: cudaLaunchHostFunc(s, f)          f() … … … … over
//   thread B:         cudaMemcpyAsync(…, s)     waits      then copies
#pragma once
#include "device/enter.h"

namespace headroom::device {

void run_host_function(Session&, const Stream&, const std::function<void()>&);

// Whether one runs that this stream's work, or any of the device, has to wait for.
bool is_busy(const Session&, const Stream&);
bool is_busy(const Session&, int device);
// Until none does. Other threads may have called us when these return: look everything up again.
void wait_for_host_functions(Session&, const Stream&);
void wait_for_host_functions(Session&, int device);

}  // namespace headroom::device
