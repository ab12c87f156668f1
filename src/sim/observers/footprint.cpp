#include "sim/observers/footprint.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "sim/engine.h"

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
  return engine().count_ones(bits_ + page * page_words, others, page_words);
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

std::vector<PageCount> Footprint::pages() const {
  std::vector<PageCount> all;
  constexpr uint64_t words = PageCount::bytes / 32 / 64, parts = page_words / words;
  for (const uint64_t page : order_)
    for (uint64_t part = 0; part < parts; ++part) {
      const uint64_t* bits = bits_ + page * page_words + part * words;
      const auto count = uint32_t(engine().count_ones(bits, nullptr, words));
      if (count > 0) all.push_back({page * parts + part, count});
    }
  return all;
}

SectorPages Footprint::sectors() const {
  std::vector<SectorPages::Page> all(order_.size());
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].number = order_[i];
    std::copy_n(bits_ + order_[i] * page_words, page_words, all[i].bits.begin());
  }
  return SectorPages(std::move(all));
}

void Footprint::merge(const Footprint& other) {
  outside_ += other.outside_;
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
  outside_ = 0;
}

}  // namespace headroom::sim
