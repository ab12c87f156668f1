#include "device/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/stream.h"

namespace headroom::device {
namespace {

constexpr size_t most_of_a_chain = 1024;  // what is further back counts as over

void join(Clock& to, const Clock& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

uint32_t at(const Clock& clock, size_t chain) { return chain < clock.size() ? clock[chain] : 0; }

std::string name_of(const Stream& stream) {
  return stream.legacy ? "the default stream" : fmt::format("stream {}", stream.id);
}

}  // namespace

uint32_t Timeline::new_chain() {
  const auto over = std::ranges::find_if(free_, [&](uint32_t i) {
    return chains_[i].dropped <= at(host_, i) && chains_[i].ids.empty();
  });
  if (over != free_.end()) {
    const uint32_t chain = *over;
    free_.erase(over);
    return chain;
  }
  chains_.emplace_back();
  return uint32_t(chains_.size() - 1);
}

Timeline::Line& Timeline::line_of(const Stream& stream) {
  if (inside_ == &stream) return *inner_;
  const auto [found, is_new] = lines_.try_emplace(&stream);
  Line& line = found->second;
  if (is_new) line = {new_chain(), host_, {}, stream.legacy, is_blocking(stream), stream.device};
  return line;
}

void Timeline::catch_up(Line& line) {
  join(line.before, host_);
  if (!line.legacy && !line.blocking) return;
  for (const auto& [stream, other] : lines_)
    if (other.device == line.device && (line.legacy ? other.blocking : other.legacy))
      join(line.before, other.before);
  if (line.legacy) join(line.before, gone_[line.device]);
}

sim::check::Work Timeline::begin(const Stream& stream) {
  if (!is_kept) return {};
  Line& line = line_of(stream);
  catch_up(line);
  sim::check::Work work{next_id_, {}, next_id_, name_of(stream)};
  ++next_id_;
  for (size_t i = 0; i < chains_.size(); ++i) {
    const Chain& chain = chains_[i];
    if (chain.ids.empty()) continue;
    work.oldest = std::min(work.oldest, chain.ids.front());
    const uint32_t known = std::max(at(line.before, i), chain.dropped) - chain.dropped;
    work.unordered.insert(work.unordered.end(), chain.ids.begin() + known, chain.ids.end());
  }
  std::ranges::sort(work.unordered);
  Chain& own = chains_[line.chain];
  own.ids.push_back(work.id);
  if (own.ids.size() > most_of_a_chain) {
    own.ids.pop_front();
    ++own.dropped;
  }
  if (line.before.size() <= line.chain) line.before.resize(line.chain + 1);
  line.before[line.chain] = own.dropped + uint32_t(own.ids.size());
  return work;
}

Clock Timeline::now(const Stream& stream) {
  if (!is_kept) return {};
  Line& line = line_of(stream);
  catch_up(line);
  return line.before;
}

void Timeline::follow(const Stream& stream, const Clock& clock) {
  if (is_kept) join(line_of(stream).before, clock);
}

void Timeline::destroyed(const Stream& stream) {
  const auto found = lines_.find(&stream);
  if (found == lines_.end()) return;
  Line& line = found->second;
  catch_up(line);
  join(gone_[line.device], line.before);
  free_.push_back(line.chain);
  free_.insert(free_.end(), line.spare.begin(), line.spare.end());
  lines_.erase(found);
}

void Timeline::host_waits(const Stream& stream) { host_waits(now(stream)); }

void Timeline::host_waits(const Clock& clock) {
  if (!is_kept) return;
  join(host_, clock);
  learnt();
}

void Timeline::host_waits(int device) {
  if (!is_kept) return;
  for (const auto& [stream, line] : lines_)
    if (line.device == device) join(host_, line.before);
  join(host_, gone_[device]);
  learnt();
}

std::vector<uint32_t> Timeline::pending() const {
  std::vector<uint32_t> all;
  for (const Chain& chain : chains_) all.insert(all.end(), chain.ids.begin(), chain.ids.end());
  std::ranges::sort(all);
  return all;
}

// What the host knows to be over comes before all that is to come.
void Timeline::learnt() {
  for (size_t i = 0; i < chains_.size(); ++i) {
    Chain& chain = chains_[i];
    for (; !chain.ids.empty() && chain.dropped < at(host_, i); ++chain.dropped)
      chain.ids.pop_front();
  }
}

Branches::Branches(Timeline& timeline, const Stream& stream)
    : timeline_(timeline), stream_(&stream), outside_(timeline.inside_) {
  if (!timeline_.is_kept) return;
  base_ = timeline_.now(stream);
  outer_ = &timeline_.line_of(stream);
  last_inner_ = timeline_.inner_;
}

Branches::~Branches() {
  if (!timeline_.is_kept) return;
  timeline_.inside_ = outside_;
  timeline_.inner_ = last_inner_;
  for (const auto& [node, done] : done_) {
    join(outer_->before, done.line.before);
    outer_->spare.insert(outer_->spare.end(), done.line.spare.begin(), done.line.spare.end());
    if (!done.continued && done.line.chain != outer_->chain)
      outer_->spare.push_back(done.line.chain);
  }
}

uint32_t Branches::next_chain() {
  if (!own_is_taken_) {
    own_is_taken_ = true;
    return outer_->chain;
  }
  if (outer_->spare.empty()) return timeline_.new_chain();
  const uint32_t spare = outer_->spare.back();
  outer_->spare.pop_back();
  return spare;
}

void Branches::enter(const void* node, const std::vector<const void*>& follows) {
  if (!timeline_.is_kept) return;
  Timeline::Line line;
  line.before = base_;
  bool has_chain = false;
  for (const void* before : follows) {
    const auto found = done_.find(before);
    if (found == done_.end()) continue;
    join(line.before, found->second.line.before);
    if (has_chain || found->second.continued) continue;
    has_chain = found->second.continued = true;
    line.chain = found->second.line.chain;
  }
  if (!has_chain) line.chain = next_chain();
  timeline_.inside_ = stream_;
  timeline_.inner_ = &(done_[node] = {std::move(line)}).line;
}

}  // namespace headroom::device
