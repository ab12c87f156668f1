#include "sim/check/shadow.h"

namespace headroom::sim::check {

Shadow::Page& Shadow::page_of(uint64_t page) {
  auto& slot = pages_[page];
  if (!slot) slot = std::make_unique<Page>();
  return *slot;
}

Shadow::Bytes* Shadow::bytes(uint64_t address) {
  Page& page = page_of(address >> page_shift);
  if (page.bytes.empty()) return nullptr;
  const auto found = page.bytes.find(uint32_t((address & page_mask) >> 2));
  return found == page.bytes.end() ? nullptr : &found->second;
}

Shadow::Bytes& Shadow::split(uint64_t address) {
  Bytes& bytes = page_of(address >> page_shift).bytes[uint32_t((address & page_mask) >> 2)];
  const Cell& whole = word(address);
  for (uint32_t b = 0; b < 4; ++b) {
    const auto part = [&](Record record) { return record.bytes() >> b & 1 ? record : Record{}; };
    bytes[b] = {part(whole.write), part(whole.strong_write), part(whole.read),
                part(whole.other_read)};
  }
  return bytes;
}

void Shadow::clear() {
  pages_.clear();
  recent_.fill({});
}

}  // namespace headroom::sim::check
