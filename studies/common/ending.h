// How a study ends before its time: by Ctrl-C, by SIGTERM or by a call that fails. What it found so
// far is said first.
//
//   Ending ending([&](const char* why) { … });     from here on
//   { std::lock_guard row(rows_lock); … }          what the last words read changes only so
//   ending.over();                                 the study says it all itself
//
// A signal is answered at once, from a thread of its own: on headroom's executor the launch under
// way may take minutes. So the last words call no CUDA. Another signal, two seconds later, ends
// the program as usual.
#pragma once
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "studies/common/end_signal.h"

namespace study {

inline std::recursive_mutex rows_lock;  // last words may make a table of rows

constexpr int interrupted_code = 130;  // as shells say of what Ctrl-C ended

class Ending {
 public:
  using LastWords = std::function<void(const char* why)>;

  explicit Ending(LastWords words) {
    last_words_ = std::move(words);
    sem_init(&asked_, 0, 0);
    std::thread([] {
      while (sem_wait(&asked_)) {
      }
      if (say("interrupted")) _exit(interrupted_code);
    }).detach();
    std::atexit([] { say("a failure ended it"); });
    struct sigaction answer {};
    answer.sa_handler = on_signal;
    answer.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM}) {
      struct sigaction before {};
      sigaction(signal, nullptr, &before);
      if (before.sa_handler != SIG_IGN) sigaction(signal, &answer, nullptr);
    }
  }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

  void over() {
    std::lock_guard quiet(rows_lock);
    last_words_ = nullptr;
    for (const int signal : {SIGINT, SIGTERM}) {
      struct sigaction now {};
      sigaction(signal, nullptr, &now);
      if (now.sa_handler == SIG_IGN) continue;
      now.sa_handler = SIG_DFL;
      sigaction(signal, &now, nullptr);
    }
  }

 private:
  static void on_signal(int signal) {
    if (end_signal_.first(signal)) sem_post(&asked_);
  }

  // False where there is nothing left to say: the study is ending by itself.
  static bool say(const char* why) {
    std::lock_guard quiet(rows_lock);
    const LastWords words = std::exchange(last_words_, nullptr);
    if (!words) return false;
    words(why);
    std::fflush(stdout);
    return true;
  }

  // Of the process: signals and exit know no object.
  static inline LastWords last_words_;
  static inline sem_t asked_;
  static inline EndSignal end_signal_;
};

}  // namespace study
