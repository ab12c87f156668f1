// What a program does with SIGSEGV while headroom check has taken pages from it (host_pages.h): libcuda.so.1
// is loaded before libc and answers sigaction, signal and pthread_sigmask (cudart/handlers.cpp); what
// concerns SIGSEGV comes here. The program's handler is kept, and called for its own faults.
//
//   signal(SIGSEGV, report);   keep_handler(SIGSEGV, {report}, before): true, and ours stays
#pragma once
#include <signal.h>

#pragma GCC visibility push(default)
extern "C" {
// True: the request has been answered. Either may be null, as for sigaction.
bool headroom_keep_handler(int signal, const struct sigaction* now, struct sigaction* before);
bool headroom_needs_faults();  // SIGSEGV must not be blocked
}
#pragma GCC visibility pop
