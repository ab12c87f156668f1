#include "model/pipeline/unequal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

namespace headroom {
namespace {

constexpr size_t most_blocks = 1 << 17;  // that are played
constexpr double alike = 0.02;

struct Block {
  double alone = 0, each = 0;  // cycles, as in SharedSm
};

// What a warp does to begin with it does once: one that is longer goes on at the pace of the later part.
double alone(const SharedSm& sm, double longer) {
  return sm.alone * (longer > 1 ? 1 + (longer - 1) * sm.pace : longer);
}

double each(const SharedSm& sm, double instructions) {
  if (sm.long_each <= 0 || instructions <= sm.instructions)
    return sm.each * instructions / sm.instructions;
  if (instructions >= sm.long_instructions)
    return sm.long_each * instructions / sm.long_instructions;
  const double further =
      (instructions - sm.instructions) / (sm.long_instructions - sm.instructions);
  return sm.each + further * (sm.long_each - sm.each);
}

// In the grid's order, every `step`-th.
std::vector<Block> blocks_of(const std::vector<AlikeBlocks>& work, double step,
                             const SharedSm& sm) {
  std::vector<Block> made;
  double next = 0, before = 0;
  for (const AlikeBlocks& blocks : work) {
    const double end = before + double(blocks.count);
    for (; next < end; next += step)
      made.push_back({alone(sm, double(blocks.longest_warp) / sm.longest_warp),
                      each(sm, double(blocks.instructions))});
    before = end;
  }
  return made;
}

struct Running {
  Block block;
  double begin = 0;
  double left = 1;  // of its work
  // A share of the SM, but never faster than alone.
  double cycles(size_t blocks) const {
    return std::max({block.alone, block.each * double(blocks), std::numeric_limits<double>::min()});
  }
};

// One SM, from event to event: a block begins or ends.
class PlayedSm {
 public:
  explicit PlayedSm(const SharedSm& sm) : sm_(sm) {}

  bool has_room() const { return running_.size() < size_t(sm_.resident); }
  void start(const Block& block, double earliest) {
    const double begin = std::max(earliest, next_start_);
    next_start_ = begin + sm_.start;
    running_.push_back({block, begin});
  }
  double next_event() const {
    double next = std::numeric_limits<double>::infinity();
    const size_t begun = blocks_begun();
    for (const Running& each : running_)
      next = std::min(next, each.begin > now_ ? each.begin : now_ + each.left * each.cycles(begun));
    return next;
  }
  // Returns how many blocks ended.
  size_t go_on(double until) {
    constexpr double nothing = 1e-6;  // cycles
    const size_t begun = blocks_begun(), before = running_.size();
    for (Running& each : running_)
      if (each.begin <= now_) each.left -= (until - now_) / each.cycles(begun);
    now_ = until;
    std::erase_if(running_, [&](const Running& each) {
      return each.begin <= now_ && each.left * each.cycles(begun) <= nothing;
    });
    return before - running_.size();
  }
  double now() const { return now_; }
  bool is_empty() const { return running_.empty(); }

 private:
  size_t blocks_begun() const {
    return size_t(
        std::ranges::count_if(running_, [&](const Running& each) { return each.begin <= now_; }));
  }

  const SharedSm& sm_;
  double now_ = 0, next_start_ = 0;
  std::vector<Running> running_;
};

}  // namespace

double busiest_sm(const std::vector<AlikeBlocks>& work, double all_sms, const SharedSm& shared) {
  double count = 0;
  for (const AlikeBlocks& blocks : work) count += double(blocks.count);
  const double less = std::max(1.0, count / double(most_blocks)),
               sms = std::max(1.0, std::floor(all_sms / less));
  const std::vector<Block> blocks = blocks_of(work, all_sms / sms, shared);

  std::vector<PlayedSm> played(size_t(sms), PlayedSm{shared});
  size_t next = 0;
  // One for each SM in turn, while there is room.
  for (int turn = 0; turn < shared.resident; ++turn)
    for (PlayedSm& sm : played)
      if (next < blocks.size()) sm.start(blocks[next++], 0);
  using Event = std::pair<double, size_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  for (size_t i = 0; i < played.size(); ++i)
    if (!played[i].is_empty()) events.emplace(played[i].next_event(), i);
  double end = 0;
  while (!events.empty()) {
    const auto [when, i] = events.top();
    events.pop();
    PlayedSm& sm = played[i];
    end = std::max(end, when);
    for (size_t ended = sm.go_on(when); ended > 0 && next < blocks.size(); --ended)
      sm.start(blocks[next++], when + shared.follows);
    if (!sm.is_empty()) events.emplace(sm.next_event(), i);
  }
  return end;
}

AlikeBlocks mean_of(const std::vector<AlikeBlocks>& work) {
  AlikeBlocks mean{.count = 0};
  for (const AlikeBlocks& blocks : work) {
    mean.count += blocks.count;
    mean.instructions += blocks.count * blocks.instructions;
    mean.longest_warp += blocks.count * blocks.longest_warp;
  }
  const uint64_t count = std::max<uint64_t>(1, mean.count);
  mean.instructions /= count;
  mean.longest_warp /= count;
  return mean;
}

bool are_unlike(const std::vector<AlikeBlocks>& work, double instructions) {
  return std::ranges::any_of(work, [&](const AlikeBlocks& blocks) {
    return std::abs(double(blocks.instructions) / instructions - 1) > alike;
  });
}

uint64_t longest_of(const TracedBlock& block) {
  uint64_t longest = 0;
  for (const TracedWarp& warp : block.warps) longest = std::max(longest, warp.executed);
  return longest;
}

uint64_t traced_of(const TracedBlock& block) {
  uint64_t most = 0;
  for (const TracedWarp& warp : block.warps) most = std::max(most, warp.traced);
  return most;
}

uint64_t executed_of(const TracedBlock& block) {
  uint64_t all = 0;
  for (const TracedWarp& warp : block.warps) all += warp.executed;
  return all;
}

// Of those that are nearly as long one that was traced clearly further: how a warp begins tells little of how it goes on.
const TracedBlock& longest_block(const Trace& trace) {
  constexpr double nearly = 0.8, clearly = 1.2;  // assumed
  std::vector<const TracedBlock*> all;
  for (const auto* blocks : {&trace.blocks, &trace.others})
    for (const TracedBlock& block : *blocks) all.push_back(&block);
  const auto most = [&](auto of) {
    double result = 0;
    for (const TracedBlock* block : all) result = std::max(result, double(of(*block)));
    return result;
  };
  const auto keep = [&](auto of, double least) {
    std::erase_if(all, [&](const TracedBlock* block) { return double(of(*block)) < least; });
  };
  keep(longest_of, nearly * most(longest_of));
  keep(traced_of, most(traced_of) / clearly);
  return **std::ranges::max_element(all, {},
                                    [](const TracedBlock* block) { return longest_of(*block); });
}

std::optional<Trace> by_the_longest(const Trace& trace) {
  if (trace.blocks.size() != 1 || !trace.tells_waiting()) return std::nullopt;
  const TracedBlock& longest = longest_block(trace);
  if (double(longest_of(longest)) <= (1 + alike) * double(longest_of(trace.blocks.front())))
    return std::nullopt;
  return trace.played_by({longest});
}

}  // namespace headroom
