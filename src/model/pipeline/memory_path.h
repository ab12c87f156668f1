// How long an access takes from one SM: its load/store unit, L1, and its share of L2 and DRAM. Each is a
// server that takes so many bytes a cycle, in the order in which accesses come; behind it is a latency.
//
//   MemoryPath path(supply);
//   path.access(LDG of 4 sectors, 1000.0) -> {data 1283, sources read 1004}
//
// Whether a sector lies in L2 is an estimate: it does when another SM is likely to have read it, when the
// launch found it there, and when the launch's footprint fits and it was touched before.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "model/pipeline/cache.h"
#include "model/pipeline/sector_set.h"
#include "model/pipeline/timing.h"

namespace headroom {

// What one SM has of memory, in bytes a cycle and cycles.
struct Supply {
  double l1_latency = 32, shared_latency = 23, l2_latency = 280, dram_latency = 690;
  double loaded_latency = 480;  // more of it, where DRAM is as busy as it can be
  double l2_far = 0;         // cycles more from the half of L2 that is far, where only that has it
  double shared_cycles = 1;  // of a wavefront
  bool l1_loads = true;      // global loads are served by L1
  double l1_bytes = 128, l2_bytes = 32, dram_bytes = 17;
  double dram_reach = 1;  // share of DRAM's bandwidth that the SMs in use can take together
  DeviceSectors device;
  // Memory of the host: bytes a cycle, loaded and stored.
  double host_load_bytes = 0.2, host_store_bytes = 0.2, host_latency = 2400;
  double l2_store_bytes = 19.9;  // to L2, by the way that loads come
  double lone_l2 = 1.59;         // cycles of the way to L2 for a sector that is alone in its line
  double lone_store = 4;         // … from an SM that stores it
  uint64_t l1_lines = 1024;
  double in_l2 = 0;         // share of what the launch reads that lies in L2 when it begins
  double far = 0;           // … of that, what lies in the far half alone
  double near = 0;          // … of that, what this SM had before: it has been brought near
  double first_here = 1;    // share of the sectors new to this SM that no other SM has fetched
  double first_stored = 1;  // … of those that it stores, that no other has stored
  double l2_keeps = 1;      // share of what was fetched once that is still in L2
  double needed = 1;        // share of the sectors that are loaded, by the bytes that are asked for
  bool writes_reach_dram = false;
  double fills = 0;         // share of the sectors stored in part for whose rest DRAM is read
  double stored_keeps = 1;  // as l2_keeps, of a sector until another SM stores to it
  const std::unordered_set<uint64_t>* same_stores = nullptr;  // sectors that all SMs store to
  double storing_sms = 132;                                   // so many
  double grid_blocks = 0;  // that meet at the barrier of a cooperative launch
};

// Obstacles that a question takes out of the way (advice.cpp).
struct Relief {
  bool bank_conflicts = false, excess_sectors = false, register_banks = false, barriers = false,
       local_memory = false, divergence = false, atomics = false, shared_atomics = false,
       block_starts = false, half_shared_loads = false, half_global_loads = false,
       shared_tiles = false, wide_accesses = false, double_rate = false, constants = false,
       l2_misses = false, immediate_constants = false;
  double latency = 1;                       // of results: so many times shorter
  bool arithmetic = false, memory = false;  // all of floating point; all of global and local memory
  Relief with(const Relief&) const;
  bool operator==(const Relief&) const = default;
};

// So long the SM's shares of DRAM and of the link to the host have been busy, with so many sectors.
struct MemoryUse {
  double dram_cycles = 0, dram_sectors = 0;
  double host_load_cycles = 0, host_store_cycles = 0, host_sectors = 0;
  double stores = 0;       // requests
  double same_stores = 0;  // cycles that those of all SMs to one place keep a slice of L2 busy
  double host_cycles() const { return std::max(host_load_cycles, host_store_cycles); }
};

class MemoryPath {
 public:
  MemoryPath(const Supply& supply, const Relief& relief)
      : supply_(supply), relief_(relief), l1_(supply.l1_lines) {
    constants_.fill(~0ull);
  }

  struct Times {
    double data = 0;     // the result is there
    double sources = 0;  // the sources have been read
  };
  Times access(const TracedAccess&, const uint64_t* sectors, const InstructionTiming&, double now);
  // One that no lane makes, its guard being false for all of them: it goes to the load/store unit all the same.
  Times without_lanes(double now);

  void forget_l1() { l1_.clear(); }

  // Until when the queues before it are taken.
  double queue() const { return std::max({unit_free_, tags_free_, data_free_}); }
  const MemoryUse& use() const { return use_; }
  // When the last store has left the SM.
  double sent() const { return std::max({sent_, store_free_, atomic_free_, bulk_sent_}); }

 private:
  Times one(const TracedAccess&, const uint64_t* sectors, const InstructionTiming&, double now);
  Times constants(const TracedAccess&, const uint64_t* sectors, double now);
  Times bulk(const TracedAccess&, const uint64_t* sectors, double now);
  double fetch(uint64_t sector, double now, uint64_t together = 4, bool at_home = false);
  double latency_of_l2(uint64_t sector, bool is_new, bool at_home) const;
  // Of `together` sectors of a line that are stored at once, in part or all of them.
  double send(uint64_t sector, double now, uint64_t together = 4, bool is_partial = false,
              bool is_apart = false);
  double store_cycles(int sectors, bool is_partial) const;
  double take_turn(uint64_t line, int sectors, double now);
  double fetch_from_host(double now, uint64_t together);
  double send_to_host(double now);
  bool in_dram(uint64_t sector, bool is_new) const;
  void take_dram(double cycles, double now);

  const Supply supply_;
  const Relief relief_;
  Cache l1_;
  // Lines of 64 bytes that the constants' cache has, the last one used first: 3 KiB, as random words of 2, 4 and 16
  // KiB were measured (results/h200/sm_units.json).
  std::array<uint64_t, 48> constants_;
  // Lines that are stored and have not left yet, the last one first: five, by how many sectors reach L2 of stores that
  // write parts of them one after the other (results/h200/model_unseen_2.json).
  struct Leaving {
    uint64_t line = ~0ull;
    int sectors = 0;  // a bit each
    double until = 0;
  };
  Leaving& leaving(uint64_t line, uint8_t bytes, bool is_same);
  std::array<Leaving, 5> leaving_;
  // … that all SMs store to: as many as make 14 of them meet, and 32 not (results/h200/same_stores.json, blockScan).
  std::array<Leaving, 16> same_leaving_;
  SectorSet seen_, stored_;
  struct Slice {  // of L2, to which all SMs store
    uint64_t line = ~0ull;
    double free = 0, busy = 0;
  };
  SectorTable<Slice> slices_;
  struct DramLine {
    double credit = 0;  // sectors that have been paid and not asked for
    double at = -1;     // the access that asked last
    bool is_paid = false;
  };
  using DramLines = SectorTable<DramLine>;
  DramLines of_dram_, to_dram_, filled_;
  static double dram_sectors(DramLines&, uint64_t sector, uint64_t together, double now);
  double unit_free_ = 0, tags_free_ = 0, data_free_ = 0, l2_free_ = 0, sent_ = 0, dram_free_ = 0,
         atomic_free_ = 0, constant_free_ = 0, store_free_ = 0, bulk_free_ = 0, stores_gone_ = 0,
         bulk_sent_ = 0;
  double recent_ = 0, recent_at_ = 0;  // cycles of DRAM, fading: how busy it was lately
  double host_load_free_ = 0, host_store_free_ = 0;
  MemoryUse use_;
  std::vector<uint64_t> wide_;  // sectors of the access at hand, where it is made wider
};

}  // namespace headroom
