#include "base/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace headroom {

struct ThreadPool::State {
  pid_t process = getpid();
  std::mutex launch;  // one at a time
  std::mutex guard;
  std::condition_variable work, done;
  const Body* body = nullptr;
  unsigned threads = 0;  // that exist
  unsigned wanted = 0;   // bodies nobody has begun, with the indices 1 … wanted
  unsigned busy = 0;     // bodies begun and not ended

  void add_thread();
  void serve();
};

// Signals are the program's own business, and so are the threads that handle them.
void ThreadPool::State::add_thread() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([this] { serve(); }).detach();
    ++threads;
  } catch (const std::system_error&) {  // a limit of the system: those there are do the work
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ThreadPool::State::serve() {
  std::unique_lock hold(guard);
  for (;;) {
    work.wait(hold, [&] { return wanted > 0; });
    const unsigned index = wanted--;
    const Body& mine = *body;
    ++busy;
    hold.unlock();
    mine(index);
    hold.lock();
    if (--busy == 0 && wanted == 0) done.notify_one();
  }
}

ThreadPool& ThreadPool::of_process() {
  static auto* only = new ThreadPool;
  return *only;
}

ThreadPool::State& ThreadPool::state() {
  if (!state_ || state_->process != getpid()) state_ = new State;  // the parent's threads are gone
  return *state_;
}

void ThreadPool::run(unsigned others, const Body& body) {
  State& all = state();
  std::lock_guard launch(all.launch);
  {
    std::lock_guard hold(all.guard);
    while (all.threads < others) {
      const unsigned before = all.threads;
      all.add_thread();
      if (all.threads == before) break;
    }
    all.body = &body;
    all.wanted = std::min(others, all.threads);
  }
  all.work.notify_all();
  body(0);
  std::unique_lock hold(all.guard);
  all.wanted = 0;  // who has not begun by now comes too late
  all.done.wait(hold, [&] { return all.busy == 0; });
  all.body = nullptr;
}

unsigned host_threads(unsigned wanted) {
  static const unsigned here = std::thread::hardware_concurrency();  // reads files each time
  return wanted ? wanted : std::max(1u, here);
}

void side_by_side(unsigned threads, size_t count, const std::function<void(size_t)>& body) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<size_t> next = 0;
  const auto take = [&](unsigned) {
    for (size_t i = next++; i < count; i = next++) try {
        body(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
  };
  if (threads > 1 && count > 1)
    ThreadPool::of_process().run(unsigned(std::min<size_t>(threads, count)) - 1, take);
  else
    take(0);
  for (const std::exception_ptr& each : thrown)
    if (each) std::rethrow_exception(each);
}

}  // namespace headroom
