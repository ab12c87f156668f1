#include "sim/observe.h"

#include <sys/mman.h>

#include <bit>
#include <cstring>
#include <mutex>

namespace headroom::sim {

namespace {

void* zeroed(uint64_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw Error{"", "no address space to note which memory a launch touches", "raise `ulimit -v`",
                126};
  return memory;
}

}  // namespace

Footprint::Footprint(uint64_t capacity)
    : words_(capacity / 32 / 64), pages_((words_ + page_words - 1) / page_words) {
  bits_ = static_cast<uint64_t*>(zeroed(pages_ * page_words * 8 + pages_));
  touched_ = reinterpret_cast<uint8_t*>(bits_ + pages_ * page_words);
}

Footprint::~Footprint() { munmap(bits_, pages_ * page_words * 8 + pages_); }

void Footprint::touch(uint64_t page) {
  touched_[page] = 1;
  order_.push_back(page);
}

// Sectors of a page, together with another's.
uint64_t Footprint::ones(uint64_t page, const uint64_t* others) const {
  const uint64_t* mine = bits_ + page * page_words;
  uint64_t sum = 0;
  for (uint64_t word = 0; word < page_words; ++word)
    sum += uint64_t(std::popcount(mine[word] | (others ? others[word] : 0)));
  return sum;
}

uint64_t Footprint::count() const {
  uint64_t sum = 0;
  for (const uint64_t page : order_) sum += ones(page, nullptr);
  return sum;
}

uint64_t Footprint::count_union(const Footprint& other) const {
  uint64_t sum = 0;
  for (const uint64_t page : order_)
    sum += ones(page, other.touched_[page] ? other.bits_ + page * page_words : nullptr);
  for (const uint64_t page : other.order_)
    if (!touched_[page]) sum += other.ones(page, nullptr);
  return sum;
}

void Footprint::merge(const Footprint& other) {
  for (const uint64_t page : other.order_) {
    if (!touched_[page]) touch(page);
    uint64_t* mine = bits_ + page * page_words;
    const uint64_t* theirs = other.bits_ + page * page_words;
    for (uint64_t word = 0; word < page_words; ++word) mine[word] |= theirs[word];
  }
}

void Footprint::clear() {
  for (const uint64_t page : order_) {
    std::memset(bits_ + page * page_words, 0, page_words * 8);
    touched_[page] = 0;
  }
  order_.clear();
}

Count::Count(uint64_t base, uint64_t capacity)
    : memory_base(base), memory_capacity(capacity), loaded(capacity), stored(capacity) {}

void Count::begin(const Program& program) {
  counters = {};
  entries.assign(program.basic_blocks.size(), 0);
  lanes_entered.assign(program.basic_blocks.size(), 0);
  std::memset(guarded_float_operations, 0, sizeof guarded_float_operations);
  loaded.clear();
  stored.clear();
}

void Count::merge(const Count& other) {
  for (const CounterField& field : counter_fields())
    counters.*field.value += other.counters.*field.value;
  for (size_t r = 0; r < entries.size(); ++r) entries[r] += other.entries[r];
  for (size_t r = 0; r < lanes_entered.size(); ++r) lanes_entered[r] += other.lanes_entered[r];
  for (size_t k = 0; k < std::size(guarded_float_operations); ++k)
    guarded_float_operations[k] += other.guarded_float_operations[k];
  loaded.merge(other.loaded);
  stored.merge(other.stored);
}

Counters Count::finish(const Program& program) const {
  Counters c = counters;
  static constexpr uint64_t Counters::*kinds[class_count] = {
      &Counters::fp32_instructions,    &Counters::fp64_instructions,
      &Counters::fp16_instructions,    &Counters::integer_instructions,
      &Counters::special_instructions, &Counters::conversion_instructions,
      &Counters::control_instructions, &Counters::memory_instructions,
      &Counters::move_instructions,    &Counters::tensor_instructions,
      &Counters::other_instructions};
  for (size_t r = 0; r < program.basic_blocks.size(); ++r) {
    const Profile& profile = program.basic_blocks[r].profile;
    c.warp_instructions += entries[r] * profile.instructions;
    c.thread_instructions += lanes_entered[r] * profile.instructions;
    for (int k = 0; k < class_count; ++k) c.*kinds[k] += entries[r] * profile.kinds[size_t(k)];
    c.fp32_operations += lanes_entered[r] * profile.fp32_operations;
    c.fp64_operations += lanes_entered[r] * profile.fp64_operations;
    c.fp16_operations += lanes_entered[r] * profile.fp16_operations;
    c.tensor_operations += entries[r] * profile.tensor_operations;
    c.branches += entries[r] * profile.branches;
    c.barriers += entries[r] * profile.barriers;
  }
  c.fp32_operations += guarded_float_operations[0];
  c.fp64_operations += guarded_float_operations[1];
  c.fp16_operations += guarded_float_operations[2];
  c.unique_load_sectors = loaded.count();
  c.unique_store_sectors = stored.count();
  c.unique_sectors = loaded.count_union(stored);
  return c;
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
