#include "sim/check/unwritten.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace headroom::sim::check {
namespace {

// Calls body(word) for eight states at a time, and for those left over, while it returns true.
template <class Body>
bool each_eight(const uint8_t* from, uint64_t bytes, Body&& body) {
  for (; bytes; from += 8) {
    uint64_t word = 0;
    const uint64_t now = std::min<uint64_t>(bytes, 8);
    std::memcpy(&word, from, now);
    if (!body(word)) return false;
    bytes -= now;
  }
  return true;
}

uint32_t count_unwritten(const uint8_t* from, uint64_t bytes) {
  uint32_t count = 0;
  each_eight(from, bytes, [&](uint64_t word) {
    for (; word; word >>= 8) count += (word & 0xff) != written;
    return true;
  });
  return count;
}

}  // namespace

Unwritten::Page* Unwritten::find(uint64_t page) {
  if (const auto known = pages_.find(page); known != pages_.end()) return known->second.get();
  const auto after = ranges_.upper_bound(page << page_shift);
  if (after == ranges_.begin() || std::prev(after)->second <= page << page_shift) return nullptr;
  return &make(page);
}

Unwritten::Page& Unwritten::make(uint64_t page) {
  auto& slot = pages_[page];
  if (slot) return *slot;
  slot = std::make_unique<Page>();
  const uint64_t begin = page << page_shift;
  const auto after = ranges_.upper_bound(begin);
  if (after != ranges_.begin() && std::prev(after)->second > begin) {
    slot->states().fill(unwritten);
    slot->left = page_bytes;
  }
  recent_[page % recent_.size()] = {page, slot.get()};
  return *slot;
}

bool Unwritten::any(uint64_t address, uint64_t bytes) {
  const uint64_t end = address + bytes;
  while (address < end) {
    const uint64_t stop = std::min(end, (address & ~page_mask) + page_bytes);
    const Page* page = look(address >> page_shift);
    if (page && page->left) {
      const uint8_t* from = page->state->data() + (address & page_mask);
      if (!each_eight(from, stop - address, [](uint64_t word) { return word == 0; })) return true;
    }
    address = stop;
  }
  return false;
}

void Unwritten::set(uint64_t address, Level to) {
  Page* page = look(address >> page_shift);
  if (to == written && (!page || !page->left)) return;
  if (!page) page = &make(address >> page_shift);
  uint8_t& state = page->states()[address & page_mask];
  const uint32_t left = page->left + uint32_t(to != written) - uint32_t(state != written);
  state = to;
  page->changed(left);
}

void Unwritten::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  if (!any(from, bytes)) return assign(to, to + bytes, written);
  for (uint64_t i = 0; i < bytes; ++i) {
    const uint64_t n = to <= from ? i : bytes - 1 - i;  // they may overlap
    set(to + n, at(from + n));
  }
}

void Unwritten::assign_part(uint64_t begin, uint64_t end, Level to) {
  if (begin == end) return;
  Page* page = look(begin >> page_shift);
  if (to == written && (!page || !page->left)) return;
  if (!page) page = &make(begin >> page_shift);
  uint8_t* const from = page->states().data() + (begin & page_mask);
  const uint32_t known = count_unwritten(from, end - begin);
  std::memset(from, to, end - begin);
  page->changed(page->left + uint32_t(to != written ? end - begin : 0) - known);
}

void Unwritten::assign(uint64_t begin, uint64_t end, Level to) {
  const uint64_t first = (begin + page_mask) & ~page_mask, last = end & ~page_mask;
  if (first >= last) {  // no page whole
    const uint64_t middle = std::min(first, end);
    assign_part(begin, middle, to);
    assign_part(middle, end, to);
    return;
  }
  assign_part(begin, first, to);
  assign_part(last, end, to);
  const uint64_t from = first >> page_shift, past = last >> page_shift;
  if (past - from < pages_.size())
    for (uint64_t page = from; page < past; ++page) pages_.erase(page);
  else
    std::erase_if(pages_,
                  [&](const auto& each) { return each.first >= from && each.first < past; });
  cut(first, last);
  if (to != written) ranges_[first] = last;
  recent_.fill({});
}

void Unwritten::cut(uint64_t begin, uint64_t end) {
  auto next = ranges_.lower_bound(begin);
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    const uint64_t tail = before->second;
    if (tail > begin) before->second = begin;
    if (tail > end) ranges_[end] = tail;
  }
  next = ranges_.lower_bound(begin);
  while (next != ranges_.end() && next->first < end) {
    const uint64_t tail = next->second;
    next = ranges_.erase(next);
    if (tail > end) ranges_[end] = tail;
  }
}

}  // namespace headroom::sim::check
