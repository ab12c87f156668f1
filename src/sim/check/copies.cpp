#include "sim/check/copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "record/launch.h"
#include "sim/finding_of.h"
#include "sim/machinery.h"

namespace headroom::sim::check {
namespace {

constexpr const char* use_names[] = {"load", "store", "atomic"};

uint32_t thread_of(const Warp& warp, int lane) { return warp.index * lanes + uint32_t(lane); }

template <class Body>
void each_word(uint64_t address, uint64_t bytes, Body&& body) {
  for (uint64_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) body(word);
}

}  // namespace

void Copies::begin(const Program& program) {
  program_ = &program;
  blocks_.clear();
  seen_.clear();
}

Copies::OfBlock& Copies::of(const Warp& warp) {
  OfBlock& block = blocks_[warp.block];
  if (block.linear != warp.block->linear)
    block = {warp.block->linear, std::vector<Lane>(warp.block->warps.size() * lanes), {}};
  return block;
}

void Copies::copy(const Access& access) {
  OfBlock& block = of(access.warp);
  access.each([&](int lane, uint64_t address, uint64_t bytes) {
    const uint32_t thread = thread_of(access.warp, lane);
    each_word(address, bytes, [&](uint64_t word) {
      block.pending[word] = {thread, block.lanes[thread].begun, access.operation.instruction};
    });
  });
}

void Copies::see(const Access& access) {
  if (blocks_.empty()) return;  // no block copies so
  OfBlock& block = of(access.warp);
  if (block.pending.empty()) return;
  access.each([&](int lane, uint64_t address, uint64_t bytes) {
    each_word(address, bytes, [&](uint64_t word) {
      const auto found = block.pending.find(word);
      if (found == block.pending.end()) return;
      const Copy copy = found->second;
      block.pending.erase(found);
      if (block.lanes[copy.thread].done <= copy.group) note(access, uint32_t(lane), address, copy);
    });
  });
}

void Copies::commit(const Warp& warp) {
  OfBlock& block = of(warp);
  each_lane(warp, [&](int lane) { ++block.lanes[thread_of(warp, lane)].begun; });
}

void Copies::wait(const Warp& warp, uint32_t groups_left) {
  OfBlock& block = of(warp);
  each_lane(warp, [&](int lane) {
    Lane& one = block.lanes[thread_of(warp, lane)];
    if (one.begun > groups_left) one.done = std::max(one.done, one.begun - groups_left);
  });
}

void Copies::note(const Access& access, uint32_t lane, uint64_t address, const Copy& copy) {
  const auto [found, is_new] = seen_.try_emplace(
      std::pair(access.operation.instruction, copy.instruction), Seen{seen_.size(), {}});
  Finding& finding = found->second.finding;
  if (!is_new) {
    ++finding.times;
    return;
  }
  finding = finding_of(
      Fault{"race_async_copy",
            fmt::format("race: the {} at offset {} of shared memory comes before the copy of these "
                        "bytes is waited for",
                        use_names[int(access.use)], address),
            0, address, access.operation.instruction, int(lane)},
      *program_, access.warp);
  Finding::Party other;
  other.use = "asynchronous copy";
  describe_place(*program_, copy.instruction, other.source, other.instruction);
  const Dim3& shape = access.warp.block->machinery->launch->shape.block;
  other.block = finding.block;
  other.thread = {copy.thread % shape.x, copy.thread / shape.x % shape.y,
                  copy.thread / shape.x / shape.y};
  finding.other = std::move(other);
  finding.advice =
      "let the thread that copies wait first, as by __pipeline_wait_prior(0), and then all by "
      "__syncthreads() where others read";
}

std::vector<Finding> Copies::finish() {
  std::vector<Finding> all(seen_.size());
  for (auto& [key, seen] : seen_) all[seen.number] = std::move(seen.finding);
  begin(*program_);
  return all;
}

}  // namespace headroom::sim::check
