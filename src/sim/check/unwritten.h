// Which bytes of memory nobody has written since they were allocated: by page, and only pages that
// have some and were touched; one that is written throughout keeps no state of its bytes. What never was said to be
// unwritten counts as written.
//
//   unwritten.assign(begin, end, unwritten)    cudaMalloc: nobody wrote these
//   unwritten.assign(begin, begin + 4, written)
//   unwritten.any(begin, 4)                    false now
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

namespace headroom::sim::check {

// Of a byte: 0 where it was written. Else nobody wrote it, or it is what a kernel made of such: then
// the number of the load that read them first, and whether it is more than a copy.
using Level = uint8_t;
inline constexpr Level written = 0, unwritten = 0x7f, is_computed = 0x80, most_origins = 0x7e;

class Unwritten {
 public:
  void assign(uint64_t begin, uint64_t end, Level);
  Level at(uint64_t address) {
    Page* page = look(address >> page_shift);
    return page && page->left ? (*page->state)[address & page_mask] : written;
  }
  // Of bytes in a row: some are not written.
  bool any(uint64_t address, uint64_t bytes);
  void set(uint64_t address, Level);
  void copy(uint64_t to, uint64_t from, uint64_t bytes);

 private:
  static constexpr int page_shift = 12;
  static constexpr uint64_t page_bytes = uint64_t(1) << page_shift, page_mask = page_bytes - 1;
  using State = std::array<uint8_t, page_bytes>;
  struct Page {
    uint32_t left = 0;             // bytes that are not written
    std::unique_ptr<State> state;  // null: none is left

    State& states() {
      if (!state) state = std::make_unique<State>();
      return *state;
    }
    void changed(uint32_t left_now) {
      left = left_now;
      if (!left) state.reset();
    }
  };
  struct Slot {
    uint64_t page = ~0ull;
    Page* at = nullptr;
  };
  Page* look(uint64_t page) {  // null: all of it is written
    Slot& slot = recent_[page % recent_.size()];
    if (slot.page != page) [[unlikely]]
      slot = {page, find(page)};
    return slot.at;
  }
  Page* find(uint64_t page);
  Page& make(uint64_t page);
  void assign_part(uint64_t begin, uint64_t end, Level);
  void cut(uint64_t begin, uint64_t end);  // out of ranges_

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  std::map<uint64_t, uint64_t> ranges_;  // whole pages that are unwritten, but for those in pages_
  std::array<Slot, 256> recent_{};
};

}  // namespace headroom::sim::check
