// Threads that wait for work and do it together: POSIX threads and two barriers.
//
//   Crew crew(threads);
//   crew([&](int thread) { … });              // all of them, the caller as thread 0; then all are done
#pragma once
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

class Crew {
 public:
  explicit Crew(int threads) : members_(threads) {
    pthread_barrier_init(&begins_, nullptr, threads);
    pthread_barrier_init(&ends_, nullptr, threads);
    for (int thread = 1; thread < threads; ++thread) {
      members_[thread] = {this, thread, {}};
      if (pthread_create(&members_[thread].handle, nullptr, follow, &members_[thread]) != 0) {
        // Those that wait already would wait for ever.
        std::fputs("the system gives no more threads: set OMP_NUM_THREADS to fewer\n", stderr);
        std::exit(2);
      }
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    work_ = nullptr;
    pthread_barrier_wait(&begins_);
    for (size_t thread = 1; thread < members_.size(); ++thread) {
      pthread_join(members_[thread].handle, nullptr);
    }
    pthread_barrier_destroy(&begins_);
    pthread_barrier_destroy(&ends_);
  }

  int size() const { return int(members_.size()); }

  void operator()(const std::function<void(int thread)>& work) {
    work_ = &work;
    pthread_barrier_wait(&begins_);
    work(0);
    pthread_barrier_wait(&ends_);
  }

 private:
  struct Member {
    Crew* crew;
    int thread;
    pthread_t handle;
  };

  static void* follow(void* data) {
    const Member& member = *static_cast<Member*>(data);
    Crew& crew = *member.crew;
    for (;;) {
      pthread_barrier_wait(&crew.begins_);
      if (!crew.work_) return nullptr;
      (*crew.work_)(member.thread);
      pthread_barrier_wait(&crew.ends_);
    }
  }

  std::vector<Member> members_;
  pthread_barrier_t begins_, ends_;
  const std::function<void(int)>* work_ = nullptr;
};

}  // namespace barnes_hut
