#include "gpu/inject/ending.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>

#include "gpu/inject/recorder.h"

namespace headroom::inject {
namespace {

constexpr long between_flushes = 500'000'000;  // nanoseconds
constexpr int longest_wait = 2000;             // milliseconds that an end waits for its flush

sem_t wake;
std::atomic<int> ending_by{0};
std::atomic<long> ending_since{0};  // milliseconds of a clock that never stands still
std::atomic<bool> flushed{false};
pthread_t keeper;
std::mutex flushing;  // our thread against the program's end
bool over = false;

bool is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
         signal == SIGABRT || signal == SIGTRAP;
}

long milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

bool is_late() {
  const long since = ending_since;
  return since && milliseconds() - since > longest_wait;
}

void end_by(int signal) {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
}

// Runs in whatever state the program's thread was: only calls that are allowed there.
void on_signal(int signal, siginfo_t* info, void*) {
  const int error = errno;
  const bool ours = recorder().is_ours() && !pthread_equal(pthread_self(), keeper);
  int none = 0;
  if (ours && ending_by.compare_exchange_strong(none, signal)) {
    ending_since = milliseconds();
    sem_post(&wake);
  }
  // The keeper ends the process. A signal may come twice, to the group and passed on; who sends it
  // again later means it.
  if (ours && !is_fault(signal) && !is_late()) {
    errno = error;
    return;
  }
  const timespec moment{0, 1'000'000};
  for (int i = 0; ours && is_fault(signal) && i < longest_wait && !flushed; ++i)
    nanosleep(&moment, nullptr);
  // A fault happens again when we return, in its own place; a signal that was sent does not, nor
  // does a breakpoint, which returns behind itself.
  end_by(signal);
  if (!is_fault(signal) || signal == SIGTRAP || info->si_code <= 0) raise(signal);
  errno = error;
}

timespec after(long nanoseconds) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_nsec += nanoseconds;
  now.tv_sec += now.tv_nsec / 1'000'000'000;
  now.tv_nsec %= 1'000'000'000;
  return now;
}

void* keep(void*) {
  for (;;) {
    const timespec next = after(between_flushes);
    while (sem_timedwait(&wake, &next) != 0 && errno == EINTR) {
    }
    const int signal = ending_by;
    {
      const std::lock_guard held(flushing);
      if (!over) recorder().flush(signal != 0);
    }
    if (!signal) continue;
    flushed = true;
    if (!is_fault(signal)) {
      end_by(signal);
      kill(getpid(), signal);
    }
    return nullptr;
  }
}

}  // namespace

void watch_endings() {
  sem_init(&wake, 0, 0);
  // The keeper takes no signal: they are the program's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  const int failure = pthread_create(&keeper, &attributes, keep, nullptr);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failure) return;
  for (const int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction watch {};
    watch.sa_sigaction = on_signal;
    watch.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigaction(signal, &watch, nullptr);
  }
}

void end_in_order() {
  const std::lock_guard held(flushing);
  over = true;
  recorder().end();
  // A call that the signal interrupted may have let the program run into its end before our thread
  // could end it.
  const int signal = ending_by;
  if (!signal || is_fault(signal)) return;
  end_by(signal);
  kill(getpid(), signal);
}

}  // namespace headroom::inject
