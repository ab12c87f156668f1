#include "device/enter.h"

#include <pthread.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>

#include "device/check_calls.h"
#include "device/host_pages.h"
#include "device/say.h"

namespace headroom::device {
namespace {

std::mutex& lock() {
  static auto* only = new std::mutex;
  return *only;
}

std::condition_variable_any& changed() {
  static auto* only = new std::condition_variable_any;
  return *only;
}

thread_local bool in_host_function = false;
Session* session = nullptr;

// In the child of a process that had begun to use CUDA no call works, on a GPU and so here.
bool is_child = false;

// A GPU's runtime goes at exit: after what was registered since its first call, before what was there
// already.
bool is_over = false;

void in_child() {
  is_child = true;
  give_host_pages();
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
    std::atexit([] { is_over = true; });
    survive_forks();
  }
  return *session;
}

// It would wait for itself, or for what comes behind it.
[[noreturn]] void refuse_in_host_function() {
  throw Failure{Status::not_permitted,
                Error{"host function", "a function that a stream calls may not call CUDA",
                      "let it tell a thread of the program, which makes the call"}};
}

Status check_faults(Session& all, Need need) {
  if (need == Need::facts) return Status::ok;
  if (is_over) return Status::unloading;
  if (in_host_function) refuse_in_host_function();
  if (is_child)
    throw Failure{Status::not_initialized,
                  Error{"fork", "the parent had begun to use CUDA, so its child cannot",
                        "fork before the first CUDA call, or start another program"}};
  if (need == Need::wait && !failed(all.sticky)) all.sticky = all.pending;
  return all.sticky;
}

}  // namespace

Status enter(Need need, const std::function<Status(Session&)>& body) {
  std::lock_guard guard(lock());
  try {
    Session& all = the_session();
    const Status fault = check_faults(all, need);
    all.journal.open();
    const HostPages pages(all);
    return failed(fault) ? fault : body(all);
  } catch (const Failure& failure) {
    say(failure.error);
    return failure.status;
  } catch (const Error& error) {
    say(error);
    return session ? Status::unknown : Status::not_initialized;
  } catch (const std::bad_alloc&) {
    return Status::out_of_memory;
  } catch (const std::exception& error) {
    say(error.what());
    return Status::unknown;
  }
}

void unlocked(const std::function<void()>& what) noexcept {
  lock().unlock();
  in_host_function = true;
  what();
  in_host_function = false;
  lock().lock();
}

void wait_until(const std::function<bool()>& done) {
  if (in_host_function && !done()) refuse_in_host_function();
  changed().wait(lock(), done);
}
void wake() { changed().notify_all(); }

void end_journal() {
  if (!session || !lock().try_lock())
    return;  // exit from inside a call: the line is not worth a deadlock
  give_host_pages();
  if (!is_child) note_leaks(*session);  // what a child has of its parent is not its own to free
  session->journal.end();
  lock().unlock();
}

}  // namespace headroom::device
