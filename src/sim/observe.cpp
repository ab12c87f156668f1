#include "sim/observe.h"

#include <sys/mman.h>

#include <bit>
#include <cstring>

namespace headroom::sim {

Footprint::Footprint(uint64_t capacity) : words_(capacity / 32 / 64) {
  void* memory = mmap(nullptr, words_ * 8, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw Error{"", "no address space to note which memory a launch touches", "raise `ulimit -v`",
                126};
  bits_ = static_cast<uint64_t*>(memory);
}

Footprint::~Footprint() { munmap(bits_, words_ * 8); }

uint64_t Footprint::count() const {
  uint64_t sum = 0;
  for (uint64_t word = low_; word < high_; ++word) sum += uint64_t(std::popcount(bits_[word]));
  return sum;
}

uint64_t Footprint::count_union(const Footprint& other) const {
  uint64_t sum = 0;
  const uint64_t low = std::min(low_, other.low_), high = std::max(high_, other.high_);
  for (uint64_t word = low; word < high; ++word)
    sum += uint64_t(std::popcount(bits_[word] | other.bits_[word]));
  return sum;
}

void Footprint::clear() {
  if (low_ < high_) std::memset(bits_ + low_, 0, (high_ - low_) * 8);
  low_ = ~0ull, high_ = 0;
}

Count::Count(const Program& program, uint64_t base, uint64_t capacity)
    : run_count(program.runs.size()),
      run_lanes(program.runs.size()),
      memory_base(base),
      loaded(capacity),
      stored(capacity) {}

void Count::clear() {
  counters = {};
  std::fill(run_count.begin(), run_count.end(), 0);
  std::fill(run_lanes.begin(), run_lanes.end(), 0);
  std::memset(guarded_operations, 0, sizeof guarded_operations);
  loaded.clear();
  stored.clear();
}

Counters Count::finish(const Program& program) const {
  Counters c = counters;
  static constexpr uint64_t Counters::*kinds[class_count] = {
      &Counters::fp32_instructions,    &Counters::fp64_instructions,
      &Counters::fp16_instructions,    &Counters::integer_instructions,
      &Counters::special_instructions, &Counters::conversion_instructions,
      &Counters::control_instructions, &Counters::memory_instructions,
      &Counters::move_instructions,    &Counters::other_instructions};
  for (size_t r = 0; r < program.runs.size(); ++r) {
    const Profile& profile = program.runs[r].profile;
    c.warp_instructions += run_count[r] * profile.instructions;
    c.thread_instructions += run_lanes[r] * profile.instructions;
    for (int k = 0; k < class_count; ++k) c.*kinds[k] += run_count[r] * profile.kinds[size_t(k)];
    c.fp32_operations += run_lanes[r] * profile.fp32_operations;
    c.fp64_operations += run_lanes[r] * profile.fp64_operations;
    c.fp16_operations += run_lanes[r] * profile.fp16_operations;
    c.branches += run_count[r] * profile.branches;
    c.barriers += run_count[r] * profile.barriers;
  }
  c.fp32_operations += guarded_operations[0];
  c.fp64_operations += guarded_operations[1];
  c.fp16_operations += guarded_operations[2];
  c.unique_load_sectors = loaded.count();
  c.unique_store_sectors = stored.count();
  c.unique_sectors = loaded.count_union(stored);
  return c;
}

}  // namespace headroom::sim
