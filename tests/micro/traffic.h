// What a profiler must count of a kernel whose addresses are known, by the rules of NVIDIA GPUs
// since Volta, on nothing but sets of numbers. It shares no line with the executor: the two are
// held against each other.
//
//   Traffic traffic({4}, {64});                                       // 4 blocks of 64 threads: 8
//   warps traffic.global_load(4, [](Thread t) { return 8 * t.at; });        // every warp loads 4
//   bytes a lane, 8 apart traffic.counters()      {"global_load_requests": 8,
//   "global_load_sectors": 64, "global_load_bytes": 1024}
//
// A place is a byte offset from an aligned base, or `idle` for a thread that takes no part.
#pragma once
#include <vector_types.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace micro {

struct Thread {
  int at;                 // blocks before this one, times their threads, and `index`
  int index, warp, lane;  // in its block, x first
  int x, y, z;            // threadIdx
  int block;              // blockIdx.x; the grids here have no other
};

constexpr long idle = -1;

class Traffic {
 public:
  Traffic(int blocks, dim3 block) : blocks_(blocks), block_(block) {}

  template <class Where>
  void global_load(int bytes, Where where) {
    global("global_load", bytes, where, true);
  }
  template <class Where>
  void global_store(int bytes, Where where) {
    global("global_store", bytes, where, true);
  }
  template <class Where>
  void global_atomic(int bytes, Where where) {
    global("atomic", bytes, where, false);
  }

  template <class Where>
  void shared_load(int bytes, Where where) {
    shared("shared_load", bytes, where);
  }
  template <class Where>
  void shared_store(int bytes, Where where) {
    shared("shared_store", bytes, where);
  }
  template <class Where>
  void shared_atomic(Where where) {
    each_warp(where, [&](const Lanes&) { counters_["shared_atomic_instructions"] += 1; });
  }

  // The words of the 32 lanes at one address of local memory lie side by side; each is a request.
  template <class Where>
  void local_load(int bytes, Where where) {
    local("local_load", bytes, where);
  }
  template <class Where>
  void local_store(int bytes, Where where) {
    local("local_store", bytes, where);
  }

  int blocks() const { return blocks_; }
  dim3 block() const { return block_; }
  int threads_of_block() const { return int(block_.x * block_.y * block_.z); }
  int threads() const { return blocks_ * threads_of_block(); }
  const std::map<std::string, long>& counters() const { return counters_; }

  template <class Use>
  void each_thread(Use use) const {
    for (int at = 0; at < threads(); ++at) use(thread(at));
  }

 private:
  using Lanes = std::vector<std::optional<long>>;  // where each of the 32 wants to be

  Thread thread(int at) const {
    const int index = at % threads_of_block();
    const int x = int(block_.x), y = int(block_.y);
    return {at,        index,         index / 32,    index % 32,
            index % x, index / x % y, index / x / y, at / threads_of_block()};
  }

  template <class Where, class Count>
  void each_warp(Where where, Count count) {
    for (int block = 0; block < blocks_; ++block) {
      for (int first = 0; first < threads_of_block(); first += 32) {
        Lanes lanes(32);
        bool any = false;
        for (int lane = 0; lane < 32 && first + lane < threads_of_block(); ++lane) {
          const long place = long(where(thread(block * threads_of_block() + first + lane)));
          if (place == idle) continue;
          lanes[size_t(lane)] = place;
          any = true;
        }
        if (any) count(lanes);
      }
    }
  }

  template <class Where>
  void global(const std::string& kind, int bytes, Where where, bool count_bytes) {
    each_warp(where, [&](const Lanes& lanes) {
      std::set<long> sectors;
      for (const auto& place : lanes) {
        if (!place) continue;
        for (long byte = *place; byte < *place + bytes; ++byte) sectors.insert(byte / 32);
        if (count_bytes) counters_[kind + "_bytes"] += bytes;
      }
      counters_[kind + "_requests"] += 1;
      counters_[kind + "_sectors"] += long(sectors.size());
    });
  }

  template <class Where>
  void local(const std::string& kind, int bytes, Where where) {
    each_warp(where, [&](const Lanes& lanes) {
      std::set<long> sectors;
      for (size_t lane = 0; lane < 32; ++lane) {
        if (!lanes[lane]) continue;
        for (long byte = *lanes[lane]; byte < *lanes[lane] + bytes; ++byte)
          sectors.insert((byte / 4 * 32 + long(lane)) * 4 / 32);
      }
      counters_[kind + "_requests"] += std::max(1, bytes / 4);
      counters_[kind + "_sectors"] += long(sectors.size());
    });
  }

  // The lanes first … last served together: as many wavefronts as the fullest bank has words.
  static long pass(const Lanes& lanes, const std::vector<int>& members, int bytes) {
    std::map<long, std::set<long>> words;  // by bank
    for (int lane : members) {
      if (!lanes[size_t(lane)]) continue;
      const long first = *lanes[size_t(lane)] / 4, last = (*lanes[size_t(lane)] + bytes - 1) / 4;
      for (long word = first; word <= last; ++word) words[word % 32].insert(word);
    }
    size_t most = 0;
    for (const auto& bank : words) most = std::max(most, bank.second.size());
    return long(most);
  }

  static std::vector<int> range(int first, int count) {
    std::vector<int> members;
    for (int lane = first; lane < first + count; ++lane) members.push_back(lane);
    return members;
  }

  // Whether parts are served together: every lane's neighbour, one or two away, idles or wants the
  // same.
  static bool share(const Lanes& lanes) {
    for (int away : {1, 2}) {
      bool all = true;
      for (int lane = 0; lane < 32; ++lane) {
        const auto &mine = lanes[size_t(lane)], &other = lanes[size_t(lane ^ away)];
        all = all && (!mine || !other || *mine == *other);
      }
      if (all) return true;
    }
    return false;
  }

  // Up to 4 bytes: one pass. 8 bytes: the halves of a warp, or both together. 16: the quarters, or
  // two of each half together.
  static std::vector<std::vector<int>> passes(const Lanes& lanes, int bytes) {
    const int parts = bytes <= 4 ? 1 : bytes / 4 / (share(lanes) ? 2 : 1);
    std::vector<std::vector<int>> members;
    for (int part = 0; part < parts; ++part)
      members.push_back(range(32 / parts * part, 32 / parts));
    return members;
  }

  template <class Where>
  void shared(const std::string& kind, int bytes, Where where) {
    each_warp(where, [&](const Lanes& lanes) {
      counters_[kind + "_instructions"] += 1;
      for (const auto& members : passes(lanes, bytes)) {
        const long wavefronts = pass(lanes, members, bytes);
        counters_[kind + "_wavefronts"] += wavefronts;
        counters_[kind + "_conflicts"] += std::max(0L, wavefronts - 1);
      }
    });
  }

  int blocks_;
  dim3 block_;
  std::map<std::string, long> counters_;
};

}  // namespace micro
