#include "sim/observers/count.h"

#include <mutex>

namespace headroom::sim {

void Count::begin(const Program& program) {
  Mix::begin(program);
  Sectors::begin();
  Conflicts::counters = Divergence::counters = {};
}

void Count::merge(const Count& other) {
  Mix::merge(other);
  Sectors::merge(other);
  for (const CounterField& field : counter_fields()) {
    Sectors::counters.*field.value += other.Sectors::counters.*field.value;
    Conflicts::counters.*field.value += other.Conflicts::counters.*field.value;
    Divergence::counters.*field.value += other.Divergence::counters.*field.value;
  }
}

Counters Count::finish(const Program& program) const {
  Counters sum{};
  for (const CounterField& field : counter_fields()) {
    for (const Counters* part :
         {&(Sectors::counters), &(Conflicts::counters), &(Divergence::counters)})
      sum.*field.value += part->*field.value;
  }
  Mix::add_to(sum, program);
  Sectors::add_to(sum);
  return sum;
}

namespace {

struct Rest {
  std::mutex guard;
  std::vector<std::unique_ptr<Count>> counts;
};
Rest& rest() {
  static auto* only = new Rest;  // a program's exit code may still launch
  return *only;
}

}  // namespace

void GiveBack::operator()(Count* count) const {
  std::lock_guard hold(rest().guard);
  rest().counts.emplace_back(count);
}

BorrowedCount borrow_count(const Program& program, uint64_t base, uint64_t capacity) {
  std::unique_ptr<Count> count;
  {
    std::lock_guard hold(rest().guard);
    auto& counts = rest().counts;
    std::erase_if(counts, [&](const auto& each) {  // of a memory that is no more
      return each->memory_base != base || each->memory_capacity != capacity;
    });
    if (!counts.empty()) {
      count = std::move(counts.back());
      counts.pop_back();
    }
  }
  if (!count) count = std::make_unique<Count>(base, capacity);
  count->begin(program);
  return BorrowedCount(count.release());
}

}  // namespace headroom::sim
