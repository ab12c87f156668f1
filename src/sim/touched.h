// Which sectors of device memory a launch loaded and stored, kept after it.
//
//   touched.stored.meets({first, last})      somebody else writes there
//   touched.stored.meets(next.loaded)        … or what another launch reads
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace headroom::sim {

struct SectorRange {  // from the base of device memory on; the last one too
  uint64_t first, last;
};

class SectorPages {
 public:
  static constexpr uint64_t words = 512;  // of a page: 1 MiB of device memory
  struct Page {
    uint64_t number;
    std::array<uint64_t, words> bits;
    bool operator==(const Page&) const = default;
  };

  SectorPages() = default;
  explicit SectorPages(std::vector<Page>);
  bool meets(const SectorPages&) const;
  bool meets(const SectorRange&) const;
  void add(const SectorRange&);
  std::vector<SectorRange> ranges() const;  // ascending, apart from one another
  uint64_t count() const;                   // sectors
  uint64_t bytes() const { return pages_.size() * sizeof(Page); }  // of the host's
  bool operator==(const SectorPages&) const = default;

 private:
  std::vector<Page> pages_;  // ascending
};

struct TouchedMemory {
  SectorPages loaded, stored;
  bool stored_more = false;  // that no access tells of
  bool alone = false;     // nothing else decides what the launch does: it would do the same again
  bool in_place = false;  // … if it had not stored what it loaded
};

}  // namespace headroom::sim
