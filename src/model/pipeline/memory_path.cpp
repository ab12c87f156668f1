#include "model/pipeline/memory_path.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

constexpr double sector_bytes = 32, line_bytes = 128;
// Assumed: cycles of stores and atomics that wait in queues before their unit waits too; and over which it
// is averaged how busy DRAM is.
constexpr double patience = 1000, longest_queue = 4000, fading = 1000;
// Measured on an H200 (results/h200/model_probe.json).
constexpr double store_line = 4;  // cycles from an SM
// Of a lone sector's cycles, for each stored with it in its line (results/h200/lone_sectors.json); and lines that wait to be stored
// where lanes have less than a word (results/h200/model_unseen_2.json).
constexpr double lone_more = 0.35;
constexpr ptrdiff_t narrow_stores = 2;
// Of a slice of L2 for a sector that other SMs store to as well, and for another one of the line that it had last
// (results/h200/same_stores.json, and by blockScan of HeCBench: 8448 blocks that store the same 4 KiB take 44 to 113 us).
constexpr double same_sector = 1.3, same_more = 0.14;
constexpr double shared_64 = 5, shared_128 = 10, global_128 = 8;  // latency of wider accesses
// Of an SM's atomics in L2, in cycles: a sector, a lane, a lane at the same address as another.
constexpr double atomic_sector = 2.8, atomic_lane = 0.56, atomic_same = 3.7;

// A lone sector of a line takes longer than its bytes, of random words that 32 lanes of each warp load
// (results/h200/sm_units.json): times of DRAM's.
constexpr double lone_dram = 3.7;

// Of memory of the host, whose link carries small requests more slowly (results/h200/host_memory.json).
constexpr double lone_host = 2.4;

// Of constants, measured on an H200 (results/h200/sm_units.json, machines/measured/h200.json): an address, one more
// that is not in the cache, and until a lone one comes.
constexpr double constant_address = 2, constant_miss = 29, constant_latency = 29;
constexpr int constant_line_shift = 1;  // from sectors

// Of L2's slices, each of which has 512 bytes, the nearest and the furthest from an SM: by so much of the mean
// latency less and more (results/h200/l2_distance.json: 288 cycles of one lane, 370 of 32 at different lines).
constexpr double slices_apart = 0.18;
constexpr int slice_shift = 4;  // from sectors

// Assumed: cycles by which the copy engine's way is longer than a load's.
constexpr double bulk_latency = 170;

// A number in [0, 1) that is the sector's own: shares are the same in every run.
double part_of(uint64_t sector) {
  return double(sector * 0x9e3779b97f4a7c15ull >> 40) / double(1u << 24);
}
// … another one, which has nothing to do with that.
double other_part_of(uint64_t sector) { return part_of(sector * 0xbf58476d1ce4e5b9 >> 20); }

double lines_of(const uint64_t* sectors, uint64_t count) {
  double lines = 0;
  for (uint64_t i = 0; i < count; ++i) lines += i == 0 || sectors[i] >> 2 != sectors[i - 1] >> 2;
  return lines;
}

// Four lines' tags are looked up in a cycle, of different places: cycles of the busiest place, by random words of 4 and
// 64 KiB and words 132 bytes apart (results/h200/sm_units.json, results/h200/l1_gathers.json).
double busiest_tags(const uint64_t* sectors, uint64_t count) {
  std::array<int, 4> lines{};
  for (uint64_t i = 0; i < count; ++i)
    lines[sectors[i] >> 2 & 3] += i == 0 || sectors[i] >> 2 != sectors[i - 1] >> 2;
  return std::max(1, *std::ranges::max_element(lines));
}

// So many of the first ones are of one line.
uint64_t sectors_together(const uint64_t* sectors, uint64_t count) {
  uint64_t together = 1;
  while (together < count && sectors[together] >> 2 == sectors[0] >> 2) ++together;
  return together;
}

bool is_store(AccessKind kind) {
  return kind == AccessKind::global_store || kind == AccessKind::local_store;
}

}  // namespace

Relief Relief::with(const Relief& other) const {
  static constexpr bool Relief::*parts[] = {&Relief::bank_conflicts,
                                            &Relief::excess_sectors,
                                            &Relief::register_banks,
                                            &Relief::barriers,
                                            &Relief::local_memory,
                                            &Relief::divergence,
                                            &Relief::atomics,
                                            &Relief::shared_atomics,
                                            &Relief::block_starts,
                                            &Relief::half_shared_loads,
                                            &Relief::half_global_loads,
                                            &Relief::shared_tiles,
                                            &Relief::wide_accesses,
                                            &Relief::double_rate,
                                            &Relief::constants,
                                            &Relief::l2_misses,
                                            &Relief::immediate_constants,
                                            &Relief::arithmetic,
                                            &Relief::memory};
  Relief made = *this;
  for (const auto part : parts) made.*part = made.*part || other.*part;
  made.latency = std::max(latency, other.latency);
  return made;
}

bool MemoryPath::in_dram(uint64_t sector, bool is_new) const {
  const double share = part_of(sector);
  if (is_new) return share < supply_.first_here * (1 - supply_.in_l2);
  return share >= supply_.l2_keeps && !relief_.l2_misses;
}

// Who waits for many slices waits for the furthest. A slice is in one half of L2: what this half has not had yet, and no other SM
// has asked for, may come by way of the other half (results/h200/l2_again.json); an atomic is done where the sector is at home
// (results/h200/fences.json: 285 cycles in the near half, 533 at the furthest slice of the other).
double MemoryPath::latency_of_l2(uint64_t sector, bool is_new, bool at_home) const {
  const uint64_t slice = sector >> slice_shift;
  const double place = part_of(slice);
  const bool comes_by_other = is_new && part_of(sector) < supply_.first_here,
             is_far = (at_home || comes_by_other) &&
                      part_of(slice * slice) < supply_.far * (at_home ? 1 : 1 - supply_.near);
  return supply_.l2_latency * (1 + slices_apart * (2 * place - 1)) + (is_far ? supply_.l2_far : 0);
}

// together: sectors of its line that are asked for with it.
double MemoryPath::fetch(uint64_t sector, double now, uint64_t together, bool at_home) {
  if (supply_.device.leaves_to_host(sector)) return fetch_from_host(now, together);
  const bool is_new = seen_.add(sector);
  l2_free_ = std::max(l2_free_, now) +
             std::max(sector_bytes / supply_.l2_bytes, supply_.lone_l2 / double(together));
  if (!in_dram(sector, is_new))
    return l2_free_ + latency_of_l2(sector, is_new, at_home) - supply_.l1_latency;
  take_dram(sector_bytes / supply_.dram_bytes * dram_sectors(of_dram_, sector, together, now), now);
  return std::max(l2_free_, dram_free_) + supply_.dram_latency +
         supply_.loaded_latency * std::min(1.0, recent_ / fading) - supply_.l1_latency;
}

// L2 keeps nothing of it; L1 does, as of other memory.
double MemoryPath::fetch_from_host(double now, uint64_t together) {
  const double cycles =
      sector_bytes / supply_.host_load_bytes * std::max(1.0, lone_host / double(together));
  host_load_free_ = std::max(host_load_free_, now) + cycles;
  use_.host_load_cycles += cycles;
  use_.host_sectors += 1;
  return host_load_free_ + supply_.host_latency - supply_.l1_latency;
}

double MemoryPath::send_to_host(double now) {
  const double cycles = sector_bytes / supply_.host_store_bytes;
  host_store_free_ = std::max(host_store_free_, now) + cycles;
  use_.host_store_cycles += cycles;
  use_.host_sectors += 1;
  sent_ = std::max(sent_, host_store_free_);
  return host_store_free_;
}

// Of a line of which an access asks for few sectors DRAM takes longer than for its bytes; what later accesses ask for of it has
// been paid then.
double MemoryPath::dram_sectors(DramLines& lines, uint64_t sector, uint64_t together, double now) {
  DramLine& line = lines[sector >> 2];
  line.is_paid = line.at == now ? line.is_paid : line.credit > 0;
  line.at = now;
  if (!line.is_paid) {
    const double cost = std::max(1.0, lone_dram / double(together));
    line.credit += cost - 1;
    return cost;
  }
  const double cost = std::max(0.0, 1 - line.credit);
  line.credit = std::max(0.0, line.credit - 1);
  return cost;
}

void MemoryPath::take_dram(double cycles, double now) {
  dram_free_ = std::max(dram_free_, now) + cycles;
  use_.dram_cycles += cycles;
  use_.dram_sectors += 1;
  if (now > recent_at_) {
    recent_ *= std::exp((recent_at_ - now) / fading);
    recent_at_ = now;
  }
  recent_ += cycles;
}

// A store waits in a queue; its data reach L2, by the way that loads come, and DRAM where L2 has no room to keep them.
double MemoryPath::send(uint64_t sector, double now, uint64_t together, bool is_partial,
                        bool is_apart) {
  if (supply_.device.leaves_to_host(sector)) return send_to_host(now);
  seen_.add(sector);
  l2_free_ = std::max(l2_free_, now) + sector_bytes / supply_.l2_store_bytes;
  sent_ = std::max(sent_, l2_free_);
  // Parts of a sector meet in L2, while it keeps them; where lanes would lie side by side, each is another one.
  const bool is_first = stored_.add(sector),
             is_new = (is_first && part_of(sector) < supply_.first_stored) || is_apart,
             is_gone = is_first && !is_new && other_part_of(sector) >= supply_.stored_keeps;
  if (!supply_.writes_reach_dram || !(is_new || is_gone)) return l2_free_;
  double sectors_of_dram = dram_sectors(to_dram_, sector, together, now);
  if (is_partial && (is_gone || other_part_of(sector) < supply_.fills))
    sectors_of_dram += dram_sectors(filled_, sector, together, now);
  take_dram(sector_bytes / supply_.dram_bytes * sectors_of_dram, now);
  return std::max(l2_free_, dram_free_);
}

// Lines that are stored wait for a while; what is stored to a sector that waits goes with it. Of less than a word a lane it
// does so with fewer of them.
MemoryPath::Leaving& MemoryPath::leaving(uint64_t line, uint8_t bytes, bool is_same) {
  const std::span<Leaving> all = is_same ? std::span<Leaving>(same_leaving_) : leaving_;
  auto place = std::ranges::find(all, line, &Leaving::line);
  if (place == all.end())
    *--place = {line, 0, 0};
  else if (bytes < 4 && place - all.begin() >= narrow_stores)
    place->sectors = 0;
  std::rotate(all.begin(), place, place + 1);
  return all.front();
}

// A line of so many sectors; those that are stored in part take longer.
double MemoryPath::store_cycles(int sectors, bool is_partial) const {
  if (!is_partial) return store_line;
  return supply_.lone_store * (1 + lone_more * (sectors - 1));
}

// All SMs store there, and a slice of L2 takes the one after the other: so this SM's line leaves when theirs have, and what is stored to
// it until then goes with it.
double MemoryPath::take_turn(uint64_t line, int sectors, double now) {
  Slice& slice = slices_[line >> (slice_shift - 2)];
  const double turn = slice.line == line ? same_sector + same_more * (sectors - 1)
                                         : same_sector * sectors,
               cycles = supply_.storing_sms * turn;
  slice.line = line;
  slice.busy += cycles;
  slice.free = std::max(slice.free, now) + cycles;
  use_.same_stores = std::max(use_.same_stores, slice.busy);
  sent_ = std::max(sent_, slice.free);
  return slice.free;
}

// Between L2 and shared memory, past the load/store unit and L1, one copy after the other.
MemoryPath::Times MemoryPath::bulk(const TracedAccess& access, const uint64_t* sectors,
                                   double now) {
  const bool stores = access.kind == AccessKind::bulk_store;
  bulk_free_ = std::max(bulk_free_, now);
  Times times{now, now};
  for (uint64_t i = 0; i < access.sectors; ++i) {
    if (stores) {
      times.data = std::max(times.data, send(sectors[i], now));
    } else {
      times.data = std::max(times.data, fetch(sectors[i], now) + supply_.l1_latency + bulk_latency);
    }
  }
  bulk_free_ += double(access.sectors) * sector_bytes / supply_.l1_bytes;
  times.sources = std::max(bulk_free_, stores ? times.data : 0) + supply_.shared_latency;
  if (stores) bulk_sent_ = std::max(bulk_sent_, times.data);
  return times;
}

// One address after the other, of all warps; what its cache does not have comes no faster.
MemoryPath::Times MemoryPath::constants(const TracedAccess& access, const uint64_t* sectors,
                                        double now) {
  double cycles = constant_address * (relief_.constants ? 1 : access.wavefronts);
  for (uint64_t i = 0; i < (relief_.constants ? 1 : access.sectors); ++i) {
    const uint64_t line = sectors[i] >> constant_line_shift;
    auto place = std::ranges::find(constants_, line);
    if (place == constants_.end()) {
      cycles += constant_miss;
      *--place = line;  // the one used longest ago goes
    }
    std::rotate(constants_.begin(), place, place + 1);
  }
  constant_free_ = std::max(constant_free_, now) + cycles;
  return {constant_free_ + constant_latency - constant_address, now + 8};
}

MemoryPath::Times MemoryPath::without_lanes(double now) {
  const double start = std::max(now, unit_free_);
  unit_free_ = start + 1;
  data_free_ = std::max(data_free_, start) + supply_.shared_cycles;
  return {data_free_ + supply_.shared_latency - 2, data_free_ + 8};
}

// A thread that does the work of four takes four times as many bytes, side by side.
MemoryPath::Times MemoryPath::access(const TracedAccess& access, const uint64_t* sectors,
                                     const InstructionTiming& timing, double now) {
  if (!relief_.wide_accesses ||
      (access.kind != AccessKind::global_load && access.kind != AccessKind::global_store))
    return one(access, sectors, timing, now);
  TracedAccess wide = access;
  wide.bytes = uint8_t(std::min(16, 4 * access.bytes));
  wide.offset = uint8_t(4 * access.offset % 32);
  wide.wavefronts = uint16_t(access.wavefronts * (access.bytes < 4 ? 1 : 4));
  wide.sectors = 4 * access.sectors;
  wide_.clear();
  for (uint32_t i = 0; i < wide.sectors; ++i)
    wide_.push_back(supply_.device.four_times(sectors[i / 4]) + i % 4);
  return one(wide, wide_.data(), timing, now);
}

MemoryPath::Times MemoryPath::one(const TracedAccess& access, const uint64_t* sectors,
                                  const InstructionTiming& timing, double now) {
  if (access.kind == AccessKind::constant_load) return constants(access, sectors, now);
  if (access.kind == AccessKind::bulk || access.kind == AccessKind::bulk_store)
    return bulk(access, sectors, now);
  const double start = std::max(now, unit_free_);
  if (is_shared(access.kind)) {
    double wavefronts = std::max<double>(1, access.wavefronts);
    if (access.kind == AccessKind::shared_atomic && !relief_.shared_atomics)
      wavefronts = std::max<double>(wavefronts, access.same_address);
    if (relief_.bank_conflicts) wavefronts = std::max(1.0, wavefronts - access.conflicts);
    unit_free_ = start + 1;
    data_free_ = std::max(data_free_, start) + wavefronts * supply_.shared_cycles;
    const double wider = access.bytes == 8 ? shared_64 : access.bytes == 16 ? shared_128 : 0;
    return {data_free_ - 1 + supply_.shared_latency + wider, data_free_ + 8};
  }
  // What the SM has had before comes from a tile in shared memory; what is the same for all lanes, four at a time.
  if (relief_.shared_tiles && access.kind == AccessKind::global_load &&
      std::all_of(sectors, sectors + access.sectors,
                  [&](uint64_t sector) { return seen_.contains(sector); })) {
    const double cycles =
        access.sectors == 1 ? 0.25 : std::max(1.0, access.sectors * sector_bytes / line_bytes);
    unit_free_ = start + std::min(1.0, cycles);
    data_free_ = std::max(data_free_, start) + cycles * supply_.shared_cycles;
    return {data_free_ - 1 + supply_.shared_latency, data_free_ + 8};
  }
  const uint64_t count = relief_.excess_sectors ? fewest_sectors(access) : access.sectors;
  if (access.kind == AccessKind::global_load) {
    // Tags are looked up beside the reads, which take turns with shared memory's.
    const double lanes = double(access.lanes) * access.bytes / supply_.l1_bytes,
                 banks = relief_.excess_sectors ? 1 : access.wavefronts;
    unit_free_ = start + (relief_.shared_tiles ? 2 : 1);  // a tile is stored, too
    tags_free_ = std::max(tags_free_, start) + busiest_tags(sectors, count);
    data_free_ = std::max(data_free_, start) +
                 std::max({1.0, lanes, banks * supply_.shared_cycles}) +
                 (relief_.shared_tiles ? 1 : 0);
  } else {
    unit_free_ = start + std::max(1.0, lines_of(sectors, count));
    data_free_ = std::max(data_free_, start) +
                 std::max(1.0, double(count) * sector_bytes / supply_.l1_bytes);
  }
  Times times{
      std::max(data_free_, tags_free_) + supply_.l1_latency + (access.bytes == 16 ? global_128 : 0),
      std::max(data_free_, tags_free_) + 10};
  if (access.kind == AccessKind::global_atomic) {
    double served = start, done = start;
    if (!relief_.atomics)
      served = atomic_free_ =
          std::max(atomic_free_, start) +
          std::max({atomic_sector * double(count), atomic_lane * access.lanes,
                    access.same_address > 1 ? atomic_same * access.same_address : 0});
    for (uint64_t i = 0; i < count; ++i) done = std::max(done, fetch(sectors[i], start, 4, true));
    done += served - start;
    unit_free_ = std::max(unit_free_, served - patience);
    times.data = std::max(times.data, done + supply_.l1_latency);
    return times;
  }
  if (is_store(access.kind)) {
    use_.stores += access.kind == AccessKind::global_store;
    const bool is_partial = double(access.lanes) * access.bytes < sector_bytes * double(count);
    double sent = std::max(store_free_, start);
    for (uint64_t i = 0; i < count;) {
      const uint64_t together = sectors_together(sectors + i, count - i);
      const bool is_same = supply_.same_stores && supply_.same_stores->contains(sectors[i]);
      Leaving& line = leaving(sectors[i] >> 2, access.bytes, is_same);
      if (line.until <= start) line.sectors = 0;
      int more = 0;
      for (uint64_t end = i + together; i < end; ++i) {
        const int bit = 1 << (sectors[i] & 3);
        if (!timing.past_l1) l1_.at(sectors[i]) = {true, start};
        if (line.sectors & bit) continue;
        line.sectors |= bit;
        more += 1;
        sent =
            std::max(sent, send(sectors[i], start, together, is_partial, count < access.sectors));
      }
      if (more == 0) continue;
      store_free_ = std::max(store_free_, start) + store_cycles(more, is_partial);
      line.until = store_free_;
      if (is_same) line.until = std::max(line.until, take_turn(line.line, more, start));
      sent = std::max(sent, line.until);
    }
    unit_free_ = std::max(unit_free_, sent - longest_queue);
    stores_gone_ = std::max(stores_gone_, sent - patience);
    times.data = sent;
    return times;
  }
  const bool is_cached = !timing.past_l1 && (supply_.l1_loads || timing.read_only ||
                                             access.kind == AccessKind::local_load);
  double data = times.data;
  uint64_t together = 0;  // sectors of the line that comes next
  for (uint64_t i = 0; i < count; ++i) {
    if (i == 0 || sectors[i] >> 2 != sectors[i - 1] >> 2)
      together = sectors_together(sectors + i, count - i);
    double comes;
    if (is_cached) {
      Cache::Sector& sector = l1_.at(sectors[i]);
      if (!sector.here) sector = {true, fetch(sectors[i], start, together)};
      comes = sector.ready;
    } else {
      comes = fetch(sectors[i], start, together, timing.past_l1);
    }
    data = std::max(data, comes + supply_.l1_latency);
  }
  // What is needed of the sectors that are left out comes by other lanes' access to them.
  const double left_out = double(access.sectors) - double(count),
               more = supply_.needed * double(access.sectors) - double(count);
  for (uint64_t i = count; i < access.sectors; ++i) {
    if (seen_.contains(sectors[i]) || part_of(sectors[i]) * left_out >= more) continue;
    l1_.at(sectors[i]) = {true, fetch(sectors[i], start)};
  }
  times.data = std::max(data, stores_gone_ + supply_.l1_latency);
  return times;
}

}  // namespace headroom
