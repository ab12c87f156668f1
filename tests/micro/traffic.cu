// Counts what the lanes of warps touch, with sets of sectors and of words, byte by byte.
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "tests/micro/traffic.h"

namespace micro {

struct Traffic::Lanes {
  std::vector<std::optional<long>> place = std::vector<std::optional<long>>(32);

  bool idle(int lane) const { return !place[size_t(lane)]; }
  long operator[](int lane) const { return *place[size_t(lane)]; }
};

Thread Traffic::thread(int at) const {
  const int index = at % threads_of_block(), x = int(block_.x), y = int(block_.y);
  return {at,        index,         index / 32,    index % 32,
          index % x, index / x % y, index / x / y, at / threads_of_block()};
}

void Traffic::each_warp(const Where& where, const std::function<void(const Lanes&)>& count) const {
  for (int block = 0; block < blocks_; ++block) {
    for (int first = 0; first < threads_of_block(); first += 32) {
      Lanes lanes;
      bool any = false;
      for (int lane = 0; lane < 32 && first + lane < threads_of_block(); ++lane) {
        const long place = where(thread(block * threads_of_block() + first + lane));
        if (place == idle) continue;
        lanes.place[size_t(lane)] = place;
        any = true;
      }
      if (any) count(lanes);
    }
  }
}

void Traffic::global(const std::string& kind, int bytes, const Where& where) {
  each_warp(where, [&](const Lanes& lanes) {
    std::set<long> sectors;
    for (int lane = 0; lane < 32; ++lane) {
      if (lanes.idle(lane)) continue;
      for (long byte = lanes[lane]; byte < lanes[lane] + bytes; ++byte) sectors.insert(byte / 32);
      if (kind != "atomic") counters_[kind + "_bytes"] += bytes;
    }
    counters_[kind + "_requests"] += 1;
    counters_[kind + "_sectors"] += long(sectors.size());
  });
}

// The words of the 32 lanes at one address of local memory lie side by side; each is a request.
void Traffic::local(const std::string& kind, int bytes, const Where& where) {
  each_warp(where, [&](const Lanes& lanes) {
    std::set<long> sectors;
    for (int lane = 0; lane < 32; ++lane) {
      if (lanes.idle(lane)) continue;
      for (long byte = lanes[lane]; byte < lanes[lane] + bytes; ++byte)
        sectors.insert((byte / 4 * 32 + lane) * 4 / 32);
    }
    counters_[kind + "_requests"] += std::max(1, bytes / 4);
    counters_[kind + "_sectors"] += long(sectors.size());
  });
}

namespace {

// Whether parts are served together: every lane's neighbour, one or two away, idles or wants the
// same.
template <class Lanes>
bool share(const Lanes& lanes) {
  for (int away : {1, 2}) {
    bool all = true;
    for (int lane = 0; lane < 32; ++lane)
      all =
          all && (lanes.idle(lane) || lanes.idle(lane ^ away) || lanes[lane] == lanes[lane ^ away]);
    if (all) return true;
  }
  return false;
}

// Lanes first … first + count - 1, served together: as many wavefronts as the fullest bank has
// words.
template <class Lanes>
long wavefronts_of(const Lanes& lanes, int first, int count, int bytes) {
  std::map<long, std::set<long>> words;  // by bank
  for (int lane = first; lane < first + count; ++lane) {
    if (lanes.idle(lane)) continue;
    for (long word = lanes[lane] / 4; word <= (lanes[lane] + bytes - 1) / 4; ++word)
      words[word % 32].insert(word);
  }
  size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.second.size());
  return long(most);
}

}  // namespace

// Up to 4 bytes: one pass. 8 bytes: the halves of a warp, or both together. 16: the quarters, or
// two of each half together.
void Traffic::shared(const std::string& kind, int bytes, const Where& where) {
  each_warp(where, [&](const Lanes& lanes) {
    counters_[kind + "_instructions"] += 1;
    const int parts = bytes <= 4 ? 1 : bytes / 4 / (share(lanes) ? 2 : 1);
    for (int part = 0; part < parts; ++part) {
      const long wavefronts = wavefronts_of(lanes, 32 / parts * part, 32 / parts, bytes);
      counters_[kind + "_wavefronts"] += wavefronts;
      counters_[kind + "_conflicts"] += std::max(0L, wavefronts - 1);
    }
  });
}

void Traffic::global_load(int bytes, const Where& where) { global("global_load", bytes, where); }
void Traffic::global_store(int bytes, const Where& where) { global("global_store", bytes, where); }
void Traffic::global_atomic(int bytes, const Where& where) { global("atomic", bytes, where); }
void Traffic::local_load(int bytes, const Where& where) { local("local_load", bytes, where); }
void Traffic::local_store(int bytes, const Where& where) { local("local_store", bytes, where); }
void Traffic::shared_load(int bytes, const Where& where) { shared("shared_load", bytes, where); }
void Traffic::shared_store(int bytes, const Where& where) { shared("shared_store", bytes, where); }
void Traffic::shared_atomic(const Where& where) {
  each_warp(where, [&](const Lanes&) { counters_["shared_atomic_instructions"] += 1; });
}

}  // namespace micro
