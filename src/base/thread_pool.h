// Host threads that outlive launches: a small launch shall not pay for starting some.
//
//   ThreadPool::of_process().run(3, [](unsigned index) { … });   // index 0 here, 1 to 3 elsewhere
//   side_by_side(host_threads(0), 12, [](size_t i) { … });       // each of twelve once, on all of them
//
// They sleep between launches, take no signals of the program's, and are never joined: the program
// may exit at any time. A child made by fork has none of them and makes its own.
#pragma once
#include <chrono>
#include <cstddef>
#include <functional>

namespace headroom {

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

// What is done by then is not worth waking other host threads for.
inline constexpr auto worth_waking = std::chrono::microseconds(200);

// As many as are wanted; 0: one for each processor.
unsigned host_threads(unsigned wanted);

// Runs body(0) … body(count - 1) on so many host threads at most. What a body throws is thrown here when all have ended:
// that of the lowest number, if there are several.
void side_by_side(unsigned threads, size_t count, const std::function<void(size_t)>& body);

}  // namespace headroom
