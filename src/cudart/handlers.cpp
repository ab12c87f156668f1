// Functions of libc that a program calls about SIGSEGV, in libcuda.so.1, which is preloaded: headroom check needs that
// signal for pages that it has taken (device/handlers.h). All else goes on to libc, or whoever comes next.
#include "device/handlers.h"

#include <dlfcn.h>

namespace {

template <class Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// A program that blocks all signals would end at the first page.
const sigset_t* but_faults(int how, const sigset_t* set, sigset_t& fewer) {
  if (!set || how == SIG_UNBLOCK || !headroom_needs_faults()) return set;
  fewer = *set;
  sigdelset(&fewer, SIGSEGV);
  return &fewer;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int sigaction(int signal, const struct sigaction* now, struct sigaction* before) noexcept {
  if (headroom_keep_handler(signal, now, before)) return 0;
  return next(&sigaction, "sigaction")(signal, now, before);
}

sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction now {
  }, before{};
  now.sa_handler = handler;
  now.sa_flags = SA_RESTART;
  if (headroom_keep_handler(number, &now, &before)) return before.sa_handler;
  return next(&signal, "signal")(number, handler);
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  sigset_t fewer;
  return next(&pthread_sigmask, "pthread_sigmask")(how, but_faults(how, set, fewer), before);
}

int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  sigset_t fewer;
  return next(&sigprocmask, "sigprocmask")(how, but_faults(how, set, fewer), before);
}

}  // extern "C"
#pragma GCC visibility pop
