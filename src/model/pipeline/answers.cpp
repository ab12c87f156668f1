#include "model/pipeline/answers.h"

#include <algorithm>

#include "base/thread_pool.h"

namespace headroom {

Answers::Answers(const LaunchModel& model, const LaunchTime& first, unsigned threads)
    : model_(model), first_{first.seconds, first.run.cycles}, threads_(threads) {}

const Answers::Answer& Answers::to(const Question& question) {
  const auto found = std::ranges::find(known_, question, &Known::question);
  if (found != known_.end()) return found->answer;
  known_.push_back({question, first_});
  Known& added = known_.back();
  if (!notes_) play(added);
  return added.answer;
}

void Answers::prepare(const std::function<void()>& asks) {
  const size_t before = known_.size();
  notes_ = true;
  asks();
  notes_ = false;
  side_by_side(threads_, known_.size() - before, [&](size_t i) { play(known_[before + i]); });
}

void Answers::play(Known& known) const {
  const LaunchTime time = time_of(model_, known.question);
  known.answer = {time.seconds, time.run.cycles};
}

}  // namespace headroom
