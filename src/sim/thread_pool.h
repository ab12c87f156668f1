// Host threads that outlive launches: a small launch shall not pay for starting some.
//
//   ThreadPool::of_process().run(3, [](unsigned index) { … });   // index 0 here, 1 to 3 elsewhere
//
// They sleep between launches, take no signals of the program's, and are never joined: the program
// may exit at any time. A child made by fork has none of them and makes its own.
#pragma once
#include <functional>

namespace headroom::sim {

class ThreadPool {
 public:
  static ThreadPool& of_process();

  // Runs body(0) on this thread and body(1) … body(others) on as many others as the system gives;
  // returns when all have returned. Not to be called from inside a body.
  using Body = std::function<void(unsigned index)>;
  void run(unsigned others, const Body& body);

 private:
  ThreadPool() = default;
  struct State;
  State& state();
  State* state_ = nullptr;
};

}  // namespace headroom::sim
