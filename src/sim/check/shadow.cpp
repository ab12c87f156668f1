#include "sim/check/shadow.h"

#include <algorithm>
#include <utility>

namespace headroom::sim::check {

Shadow::Page& Shadow::make(uint64_t page) {
  const uint64_t number = page >> chunk_shift;
  ChunkSlot& chunk = recent_chunks_[number % recent_chunks_.size()];
  if (chunk.chunk != number) {
    auto& known = chunks_[number];
    if (!known) known = std::make_unique<Chunk>();
    chunk = {number, known.get()};
  }
  auto& slot = slot_of(*chunk.at, page);
  if (!slot) slot = std::make_unique<Page>();
  return *slot;
}

// A column that only launches left that everybody comes after is as good as an empty one.
void Shadow::Page::add(size_t column, uint32_t first_of_use) {
  for (size_t other = 0; other < own.size(); ++other) {
    const auto over = [&](uint32_t held) {
      return Record{entries[held >> Record::thread_bits]}.epoch() < first_of_use;
    };
    if (!own[other] || !std::all_of(own[other]->begin(), own[other]->end(), over)) continue;
    own[column] = std::move(own[other]);
    own[column]->fill(0);
    seen[other] = &nothing;
    break;
  }
  if (!own[column]) own[column] = std::make_unique<Column>();
  seen[column] = own[column].get();
}

void Shadow::Page::drop(size_t column) {
  own[column].reset();
  seen[column] = &nothing;
}

// Those of late are looked at: more of the same do no harm until they are dropped.
uint32_t Shadow::Page::find_entry(uint64_t rest) {
  constexpr size_t of_late = 8;
  const size_t oldest = entries.size() > of_late ? entries.size() - of_late : 0;
  for (size_t n = entries.size(); n-- > oldest;)
    if (entries[n] == rest) return latest = uint32_t(n);
  if (entries.size() >= most_entries) drop_entries();
  entries.push_back(rest);
  return latest = uint32_t(entries.size() - 1);
}

void Shadow::Page::drop_entries() {
  const std::vector<uint64_t> entries_then = std::exchange(entries, {0});
  std::vector<uint32_t> now(entries_then.size(), 0);
  for (const auto& column : own) {
    if (!column) continue;
    for (uint32_t& held : *column) {
      const uint32_t then = held >> Record::thread_bits;
      if (then && !now[then]) {
        now[then] = uint32_t(entries.size());
        entries.push_back(entries_then[then]);
      }
      held = now[then] << Record::thread_bits | (held & ((1u << Record::thread_bits) - 1));
    }
  }
  latest = 0;
  most_entries = std::max<uint32_t>(256, 2 * uint32_t(entries.size()));
}

void Shadow::fetch(const uint64_t* addresses, size_t count) {
  std::array<Page*, 32> pages;
  count = std::min(count, pages.size());
  for (size_t n = 0; n < count; ++n) {
    pages[n] = &page_of(addresses[n] >> page_shift);
    __builtin_prefetch(pages[n]);
  }
  for (size_t n = 0; n < count; ++n) {
    for (const Column* column : pages[n]->seen)
      __builtin_prefetch(&(*column)[index_of(addresses[n])]);
    __builtin_prefetch(&pages[n]->entries[pages[n]->latest]);
  }
}

uint64_t Shadow::bytes() const {
  uint64_t sum = 0;
  for (const auto& [number, chunk] : chunks_) {
    sum += sizeof(Chunk);
    for (const auto& page : *chunk) {
      if (!page) continue;
      sum += sizeof(Page) + page->entries.capacity() * sizeof(uint64_t) +
             page->bytes.size() * (sizeof(Bytes) + 4 * sizeof(void*));
      for (const auto& column : page->own) sum += column ? sizeof(Column) : 0;
    }
  }
  return sum;
}

Shadow::Bytes& Shadow::Word::split() {
  Bytes& bytes = page_.bytes[index_];
  page_.splits = uint32_t(page_.bytes.size());
  const Cell whole = load();
  for (uint32_t b = 0; b < 4; ++b) {
    const auto part = [&](Record record) { return record.bytes() >> b & 1 ? record : Record{}; };
    bytes[b] = {part(whole.write), part(whole.strong_write), part(whole.read),
                part(whole.other_read)};
  }
  return bytes;
}

void Shadow::forget(uint64_t begin, uint64_t end) {
  each_page(begin, end, [&](uint64_t number, Page& page) {
    const uint64_t origin = number << page_shift;
    const uint64_t from = (std::max(begin, origin) + 3) & ~uint64_t(3),
                   to = std::min(end, origin + page_mask + 1);
    const bool whole = from == origin && to == origin + page_mask + 1;
    for (size_t column = 0; column < page.own.size(); ++column) {
      if (whole)
        page.drop(column);
      else if (page.own[column])
        for (uint64_t word = from; word + 4 <= to; word += 4)
          (*page.own[column])[index_of(word)] = 0;
    }
    if (whole) page.bytes.clear();
    if (!page.bytes.empty())
      for (uint64_t word = from; word + 4 <= to; word += 4) page.bytes.erase(index_of(word));
    page.splits = uint32_t(page.bytes.size());
  });
}

void Shadow::clear() {
  chunks_.clear();
  recent_.fill({});
  recent_chunks_.fill({});
}

}  // namespace headroom::sim::check
