#include "sim/check/shadow.h"

namespace headroom::sim::check {

Shadow::Page& Shadow::make(uint64_t page) {
  auto& slot = pages_[page];
  if (!slot) slot = std::make_unique<Page>();
  return *slot;
}

Shadow::Bytes& Shadow::split(uint64_t address) {
  Bytes& bytes = page_of(address >> page_shift).bytes[index_of(address)];
  const Cell& whole = word(address);
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
    for (uint64_t word = from; word + 4 <= to; word += 4) {
      page.words[index_of(word)] = {};
      page.bytes.erase(index_of(word));
    }
  });
}

void Shadow::clear() {
  pages_.clear();
  recent_.fill({});
}

}  // namespace headroom::sim::check
