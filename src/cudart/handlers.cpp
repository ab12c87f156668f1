// Functions of libc that a program calls about SIGSEGV, in libcuda.so.1, which is preloaded: headroom check needs that
// signal for pages that it has taken (device/handlers.h). All else goes on to libc, or whoever comes next.
#include "device/handlers.h"

#include <dlfcn.h>

namespace {

// Those behind ours, found when the library is loaded: programs call these in handlers and after a fork, where the
// loader may not be asked.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
struct Behind {
  decltype(&sigaction) action;
  decltype(&signal) simple;
  decltype(&pthread_sigmask) mask_of_thread;
  decltype(&sigprocmask) mask;
} behind;

[[gnu::constructor]] void find() {
  if (behind.mask) return;
  behind = {next<decltype(sigaction)>("sigaction"), next<decltype(signal)>("signal"),
            next<decltype(pthread_sigmask)>("pthread_sigmask"),
            next<decltype(sigprocmask)>("sigprocmask")};
}
const Behind& libc() {
  find();  // a library that was loaded before
  return behind;
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
  return libc().action(signal, now, before);
}

sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction now {
  }, before{};
  now.sa_handler = handler;
  now.sa_flags = SA_RESTART;
  if (headroom_keep_handler(number, &now, &before)) return before.sa_handler;
  return libc().simple(number, handler);
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  sigset_t fewer;
  return libc().mask_of_thread(how, but_faults(how, set, fewer), before);
}

int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  sigset_t fewer;
  return libc().mask(how, but_faults(how, set, fewer), before);
}

}  // extern "C"
#pragma GCC visibility pop
