// What a launch would take otherwise, each question answered once. Nothing that is asked hangs on another answer, so that the
// questions are noted first, and then answered side by side, on several host threads:
//
//   Answers answers(model, time, threads);
//   answers.prepare([&] { gain = time.seconds - answers.to(question).seconds; });     noted; `gain` means nothing yet
//   gain = time.seconds - answers.to(question).seconds;
#pragma once
#include <deque>
#include <functional>

#include "model/pipeline/launch_time.h"

namespace headroom {

class Answers {
 public:
  struct Answer {
    double seconds = 0, cycles = 0;  // of the launch; of what was played
  };

  Answers(const LaunchModel&, const LaunchTime& first, unsigned threads);
  // Answered now, unless it was asked before.
  const Answer& to(const Question&);
  // What is asked meanwhile is only noted, and takes as long as the launch does; behind it all of it is known.
  void prepare(const std::function<void()>& asks);

 private:
  struct Known {
    Question question;
    Answer answer;
  };
  void play(Known&) const;

  const LaunchModel& model_;
  const Answer first_;
  const unsigned threads_;
  std::deque<Known> known_;  // what to() returns stays where it is
  bool notes_ = false;
};

}  // namespace headroom
