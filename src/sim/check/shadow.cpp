#include "sim/check/shadow.h"

#include <algorithm>

namespace headroom::sim::check {

Shadow::Page& Shadow::make(uint64_t page) {
  auto& slot = pages_[page];
  if (!slot) slot = std::make_unique<Page>();
  return *slot;
}

// A column that only launches left that everybody comes after is as good as an empty one.
void Shadow::Page::add(size_t column, uint32_t first_of_use) {
  for (size_t other = 0; other < own.size(); ++other) {
    const auto over = [&](Record record) { return record.epoch() < first_of_use; };
    if (!own[other] || !std::all_of(own[other]->begin(), own[other]->end(), over)) continue;
    own[column] = std::move(own[other]);
    own[column]->fill({});
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

Shadow::Bytes& Shadow::Word::split() {
  Bytes& bytes = page_.bytes[index_];
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
          (*page.own[column])[index_of(word)] = {};
    }
    if (whole) page.bytes.clear();
    if (!page.bytes.empty())
      for (uint64_t word = from; word + 4 <= to; word += 4) page.bytes.erase(index_of(word));
  });
}

void Shadow::clear() {
  pages_.clear();
  recent_.fill({});
}

}  // namespace headroom::sim::check
