// How an access comes to the words it touches. Most of them meet only what barriers have ordered, what
// the thread itself did, or nothing: `Row` sees that for the words of a page at once, by moment and warp
// of the records there, and writes what Races::touch would. What needs a closer look it leaves alone.
#include <bit>

#include "sim/check/races.h"
#include "sim/machinery.h"

namespace headroom::sim::check {
namespace {

constexpr uint32_t all_bytes = 15;  // of a word

}  // namespace

class Races::Row {
 public:
  Row(Races& races, const Access& access)
      : races_(races),
        warp_(access.warp),
        shared_(access.space == Place::shared),
        writes_(access.use != Use::load) {}

  // Words of one page, each of one lane, and the same bytes of each.
  uint32_t count = 0;
  std::array<uint32_t, lanes> index, lane;
  void add(uint32_t word, uint32_t its_lane) {
    index[count] = word;
    lane[count++] = its_lane;
  }

  // Each lane does to its word what `mine` says. False: nothing has been done.
  bool put(Shadow::Page& page, Record mine, bool for_all_lanes = false) {
    if (page.splits) return false;
    mine_ = mine;
    const bool strong = mine.scope() != Scope::none;
    const uint32_t held = page.entry_of(mine.rest()) << Record::thread_bits | warp_.index * lanes;
    const uint32_t write = look(page, 0).what, strong_write = look(page, 1).what;
    if ((write | strong_write) & ~quiet) return false;
    if (!writes_) return !(for_all_lanes && (write | strong_write) & own) && read(page, held);
    if ((strong ? strong_write : write) & partly) return false;
    if ((look(page, 2).what | look(page, 3).what) & ~quiet) return false;
    if (strong) return fill(page, 1, held);
    if (!fill_once(page, 0, held)) return false;
    for (size_t column = 2; column < 4; ++column)
      if (page.own[column])
        for (uint32_t n = 0; n < count; ++n) (*page.own[column])[index[n]] = 0;
    return true;
  }

  // All lanes load the same words: the first and the last of them stand for all.
  bool broadcasts(const Access& access, uint64_t origin, Record mine) {
    const AccessPattern& pattern = access.pattern;
    const uint64_t begin = origin + access.first, end = begin + pattern.bytes;
    if (writes_ || access.lane_bytes || pattern.layout != HostAddresses::uniform ||
        (begin | end) % 4 || Shadow::number_of(begin) != Shadow::number_of(end - 1))
      return false;
    const auto first = uint32_t(std::countr_zero(pattern.mask)),
               last = uint32_t(lanes - 1 - std::countl_zero(pattern.mask));
    for (uint64_t word = begin; word < end; word += 4) {
      add(Shadow::index_of(word), first);
      if (last != first) add(Shadow::index_of(word), last);
    }
    const bool done = put(races_.shadow_.page(begin), mine, true);
    count = 0;
    return done;
  }

 private:
  // What a word's record is to the lane that comes to the word.
  enum : uint32_t {
    over = 1,      // it comes before what the lane does
    own = 2,       // so it does, but of this lane alone
    partly = 4,    // it is over, and of bytes that the lane does not touch
    together = 8,  // in no order, and both are atomic or volatile
    block = 16,    // in no order, of another thread of the block
    others = 32,   // in no order, of another block
    closer = 64,   // who knows
    quiet = over | own | partly | together
  };
  struct Look {
    uint32_t what = 0;  // of all words together
    uint64_t block = 0;
    bool of_one_block = true;
  };

  // Those of its warp that are not over for all of it: `own`.
  uint32_t look(Record record) const {
    if (!record.epoch()) return over;
    const uint32_t is_over = over | (record.bytes() & ~mine_.bytes() ? partly : 0u);
    if (races_.order.is_stale(record))
      return races_.past.launch_of(record.epoch()) ? closer : is_over;
    const Order::Met met = races_.order.met(record, warp_);
    if (!met.in_block)  // who had the shared memory before
      return shared_ && !races_.shares(races_.order.moment(record).block, warp_) ? is_over : others;
    if (met.all || (met.in_warp && races_.lockstep_)) return is_over;
    return met.in_warp ? own | (is_over & partly) : block;
  }

  Look look(const Shadow::Page& page, size_t column) const {
    if (!page.own[column]) return {over};
    const uint32_t* const held = page.seen[column]->data();
    Look all;
    uint32_t last = ~0u, of_last = 0;
    bool is_strong = false;
    for (uint32_t n = 0; n < count; ++n) {
      const uint32_t now = held[index[n]];
      if ((now ^ last) >> 5) [[unlikely]] {
        const Record record = page.at(column, index[n]);
        of_last = look(record);
        is_strong =
            column < 2 || writes_ ? std::min(record.scope(), mine_.scope()) == Scope::gpu : false;
        last = now;
        if (of_last == others) {
          const uint64_t whose = races_.order.moment(record).block;
          all.of_one_block &= !(all.what & others) || whose == all.block;
          all.block = whose;
        }
      }
      uint32_t what = of_last;
      if (what & own) what = now % lanes == lane[n] ? what | over : uint32_t(block);
      all.what |= is_strong && !(what & over) && what != closer ? uint32_t(together) : what;
    }
    return all;
  }

  // Of two readers the first stays until it is over; the other is the latest of the same block, or
  // any once it is over.
  bool read(Shadow::Page& page, uint32_t held) const {
    const Look first = look(page, 2);
    if ((first.what & ~own) == over) return fill_reads(page, held);
    if ((first.what != block && first.what != others) || !knows_barriers_alone()) return false;
    const Look other = look(page, 3);
    if ((other.what & ~own) == over) return fill(page, 3, held);
    if (first.what == block) {
      if (other.what == others) return true;
      return !(other.what & ~(over | own | block)) && fill(page, 3, held);
    }
    if (other.what == block) return true;
    if (other.what != others || !first.of_one_block || !other.of_one_block) return false;
    return first.block != other.block || fill(page, 3, held);
  }

  bool knows_barriers_alone() const {
    for (uint32_t n = 0; n < count; ++n)
      if (races_.order.knows_others(warp_, lane[n])) return false;
    return true;
  }

  bool fill(Shadow::Page& page, size_t column, uint32_t held) const {
    uint32_t* const words = page.open(column, races_.first_of_use_);
    for (uint32_t n = 0; n < count; ++n) words[index[n]] = held | lane[n];
    return true;
  }

  // False, and as it was, where two lanes have the same word.
  bool fill_once(Shadow::Page& page, size_t column, uint32_t held) const {
    uint32_t* const words = page.open(column, races_.first_of_use_);
    std::array<uint32_t, lanes> before;
    for (uint32_t n = 0; n < count; ++n) before[n] = words[index[n]];
    fill(page, column, held);
    bool once = true;
    for (uint32_t n = 0; n < count; ++n) once &= words[index[n]] == (held | lane[n]);
    if (!once)
      for (uint32_t n = 0; n < count; ++n) words[index[n]] = before[n];
    return once;
  }

  // Where lanes read the same word, two of them are remembered.
  bool fill_reads(Shadow::Page& page, uint32_t held) const {
    if (fill_once(page, 2, held)) return true;
    if (look(page, 3).what & ~(over | own | block)) return false;
    fill(page, 2, held);
    const uint32_t* const last = page.own[2]->data();
    uint32_t* const words = page.open(3, races_.first_of_use_);
    for (uint32_t n = 0; n < count; ++n)
      if (last[index[n]] != (held | lane[n])) words[index[n]] = held | lane[n];
    return true;
  }

  Races& races_;
  const Warp& warp_;
  const bool shared_, writes_;
  Record mine_;
};

void Races::see(const Access& access) {
  const bool shared = access.space == Place::shared;
  if (!shared && access.space != Place::global) return;
  const Warp& warp = access.warp;
  const BlockState& block = *warp.block;
  const uint32_t instruction = access.operation.instruction;
  const Role& role = roles_[instruction].order;
  const Scope scope =
      access.use == Use::atomic && role.scope == Scope::none ? Scope::gpu : role.scope;
  const uint32_t epoch = order.epoch(block);
  const uint64_t origin = shared ? reinterpret_cast<uint64_t>(access.owner().shared) : 0;
  constexpr int64_t far_apart = 1 << 16;
  if (!shared && access.pattern.high - access.pattern.low > far_apart) {
    std::array<uint64_t, lanes> places;
    size_t count = 0;
    access.each([&](int, uint64_t address, uint64_t) { places[count++] = address; });
    shadow_.fetch(places.data(), count);
  }
  const auto record_of = [&](uint32_t lane, uint32_t bytes) {
    return Record::of(epoch, warp.index, lane, bytes, scope, instruction);
  };
  Row row(*this, access), one(*this, access);
  if (!row.broadcasts(access, origin, record_of(0, all_bytes))) {
    uint64_t page = 0;
    uint32_t bytes = 0;
    const auto put = [&] {
      if (!row.count) return;
      Shadow::Page& there = shadow_.page(page << Shadow::page_shift);
      const bool done = row.put(there, record_of(0, bytes));
      for (uint32_t n = 0; n < row.count && !done; ++n) {
        const uint32_t lane = row.lane[n];
        one.count = 0;
        one.add(row.index[n], lane);
        if (row.count > 1 && one.put(there, record_of(0, bytes))) continue;
        const uint64_t address = access.first + access.pattern.delta[lane],
                       word = (page << Shadow::page_shift) + row.index[n] * 4u,
                       begin = origin + address;
        touch({access, lane, address, word, uint32_t(word > begin ? word - begin : 0),
               record_of(lane, bytes)});
      }
      row.count = 0;
    };
    access.each([&](int lane, uint64_t address, uint64_t size) {
      const uint64_t begin = origin + address, end = begin + size;
      for (uint64_t word = begin & ~uint64_t(3); word < end; word += 4) {
        const uint64_t number = Shadow::number_of(word);
        const uint32_t of_word = bytes_in(word, begin, end);
        if (number != page || of_word != bytes || row.count == lanes) {
          put();
          page = number;
          bytes = of_word;
        }
        row.add(Shadow::index_of(word), uint32_t(lane));
      }
    });
    put();
  }
  if (!shared && !past.ranges().empty()) see_ranges(access);
  if ((scope == Scope::none && !role.may_set) || order.ordinary(role)) return;
  access.each([&](int lane, uint64_t address, uint64_t) {
    order.strong(warp, uint32_t(lane), role, access.use, shared ? &access.owner() : nullptr,
                 address);
  });
}

}  // namespace headroom::sim::check
