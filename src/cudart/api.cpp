// The ways into the runtime: the lock, the session, and what becomes of errors (api.h).
#include "cudart/api.h"

#include <fmt/format.h>
#include <pthread.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <new>
#include <set>

#include "cudart/session.h"
#include "cudart/unsupported.h"

namespace headroom::cudart {
namespace {

std::mutex& lock() {
  static auto* only = new std::mutex;
  return *only;
}

std::condition_variable_any& changed() {
  static auto* only = new std::condition_variable_any;
  return *only;
}

thread_local cudaError_t last_error = cudaSuccess;
thread_local bool in_host_function = false;
Session* session = nullptr;

// In the child of a process that had begun to use CUDA no call works, on a GPU and so here.
bool is_child = false;

void in_child() {
  is_child = true;
  lock().unlock();
}

// A child must not inherit a lock that a thread of its parent, absent in the child, would have to
// release.
void survive_forks() {
  pthread_atfork([] { lock().lock(); }, [] { lock().unlock(); }, in_child);
}

Session& the_session() {
  if (!session) {
    session = new Session(read_options());
    survive_forks();
  }
  return *session;
}

enum class Need { facts, device, wait };

cudaError_t check_faults(Session& all, Need need) {
  if (need == Need::facts) return cudaSuccess;
  if (in_host_function)
    throw Failure{Status::not_permitted,
                  Error{"host function", "a function that a stream calls may not call CUDA",
                        "let it tell a thread of the program, which makes the call"}};
  if (is_child)
    throw Failure{Status::not_initialized,
                  Error{"fork", "the parent had begun to use CUDA, so its child cannot",
                        "fork before the first CUDA call, or start another program"}};
  if (need == Need::wait && all.sticky == cudaSuccess) all.sticky = all.pending;
  return all.sticky;
}

cudaError_t guarded(Need need, const Body& body) {
  std::lock_guard guard(lock());
  try {
    Session& all = the_session();
    cudaError_t fault = check_faults(all, need);
    all.journal.open();
    return fail(fault != cudaSuccess ? fault : body(all));
  } catch (const Failure& failure) {
    say(failure.error);
    return fail(code_of(failure.status));
  } catch (const Error& error) {
    say(error);
    return fail(session ? cudaErrorUnknown : cudaErrorInitializationError);
  } catch (const std::bad_alloc&) {
    return fail(cudaErrorMemoryAllocation);
  } catch (const std::exception& error) {
    say(error.what());
    return fail(cudaErrorUnknown);
  }
}

__attribute__((destructor)) void at_exit() { end_journal(); }

}  // namespace

cudaError_t query(const Body& body) { return guarded(Need::facts, body); }
cudaError_t call(const Body& body) { return guarded(Need::device, body); }
cudaError_t synchronising(const Body& body) { return guarded(Need::wait, body); }

cudaError_t fail(cudaError_t code) {
  // cudaErrorNotReady is an answer, not an error, and leaves the last error alone.
  if (code != cudaSuccess && code != cudaErrorNotReady) last_error = code;
  return code;
}

void unlocked(const std::function<void()>& what) {
  lock().unlock();
  const cudaError_t before = last_error;
  in_host_function = true;
  what();
  in_host_function = false;
  last_error = before;
  lock().lock();
}

void wait_until(const std::function<bool()>& done) { changed().wait(lock(), done); }
void wake() { changed().notify_all(); }

int unsupported(const char* name) {
  std::string text =
      std::string(name) + " is not supported yet: the program gets cudaErrorNotSupported";
  return query([&](Session& all) {
    say(text);
    all.journal.unsupported(name);
    return cudaErrorNotSupported;
  });
}

void end_journal() {
  if (!session || !lock().try_lock())
    return;  // exit from inside a call: the line is not worth a deadlock
  session->journal.end();
  lock().unlock();
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaGetLastError() {
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }
}
