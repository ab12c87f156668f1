#include "model/pipeline/excess_pattern.h"

#include <cmath>
#include <cstdlib>
#include <set>

namespace headroom {
namespace {

// Rows and columns of a matrix have few distances between their sectors, random places as many as there are.
bool is_scattered(const TracedAccess& access, const uint64_t* sectors) {
  constexpr size_t most = 3;
  std::set<uint64_t> distances;
  for (uint32_t i = 1; i < access.sectors; ++i) {
    distances.insert(sectors[i] - sectors[i - 1]);
    if (distances.size() > most) return true;
  }
  return false;
}

// By the sectors of the first lane and of the last, which lie lower where lanes go down; of few lanes sectors are too coarse.
bool lies_by_16_bytes(const TracedAccess& access, const uint64_t* sectors) {
  constexpr int enough_lanes = 16;
  if (access.lanes < enough_lanes) return false;
  const auto last_from_first = int64_t(sectors[access.sectors - 1] - sectors[0]);
  const double apart = 32 * double(std::abs(last_from_first)) / (access.lanes - 1);
  return int64_t(std::round(apart / 4)) % 4 == 0;
}

}  // namespace

void ExcessPattern::OfWarp::add(const TracedAccess& access, const uint64_t* sectors) {
  constexpr uint32_t soon = 16;          // basic blocks
  constexpr uint64_t a_few_bytes = 256;  // as of a loop that is unrolled
  const bool stores = access.kind == AccessKind::global_store;
  const uint64_t place = sectors[0] << 5 | access.offset;
  const auto [before, is_first] = before_.try_emplace(access.instruction, place);
  const uint64_t step = place - before->second;
  before->second = place;
  const auto [part, is_new] = parts_.try_emplace({access.kind, sectors[0], access.sectors}, access);
  const bool is_part = !is_new && part->second.instruction != access.instruction &&
                       part->second.offset != access.offset &&
                       access.entry - part->second.entry <= soon;
  part->second = access;
  const double needed = fewest_sectors(access);
  if (access.sectors <= fewest_sectors(access)) {
    all_.whole_[stores] += needed;
    return;
  }
  all_.excess_[stores] += needed;
  all_.executions_ += 1;
  const bool is_along = !is_first && step > 0 && step <= a_few_bytes;
  all_.along_ += is_along;
  all_.stores_ += stores;
  all_.stores_along_ += stores && is_along;
  all_.split_ += is_part;
  all_.scattered_ += is_scattered(access, sectors);
  all_.by_16_bytes_ += lies_by_16_bytes(access, sectors);
}

std::string ExcessPattern::next() const {
  static constexpr const char* swap =
      "let neighbouring lanes read neighbouring addresses: swap the indices, or store arrays of "
      "fields, not of structures (studies/sgemm/coalesced.cu)";
  const double most = 0.5 * executions_;
  // Who goes along a row and puts one result where its neighbours' are rows away has its indices the wrong way round.
  const bool puts_apart = stores_ > 0 && stores_along_ <= 0.5 * stores_;
  if (along_ > most && puts_apart) return swap;
  if (along_ > most)
    return "each thread goes along a row or a list of its own: let several lanes or a warp go "
           "along it together, lane beside lane, and add up by shuffles; or load 16 bytes at a "
           "time, as float4 (studies/sgemm/vectorised.cu)";
  if (has_no_stride())
    return "its lanes' places have no stride: sort or bin the indices, so that neighbouring lanes "
           "have neighbouring ones, or keep a small table in shared memory";
  if (split_ > most)
    return by_16_bytes_ > most
               ? "a thread's next accesses take the rest of these sectors: one of 8 or 16 bytes "
                 "for them, as float4 (studies/sgemm/vectorised.cu), or arrays of fields in place "
                 "of structures"
               : "a thread's next accesses take the rest of these sectors: arrays of fields in "
                 "place of structures, or copy whole structures into shared memory first, lane "
                 "beside lane";
  // Swapped indices would turn the one into the other.
  const bool stores = excess_[1] > excess_[0];
  if (excess_[!stores] == 0 && whole_[!stores] > 0.3 * excess_[stores] && excess_[stores] > 0)
    return stores ? "what is read along rows is written along columns: go through a tile in shared "
                    "memory, its rows padded by one element, so that both go along rows"
                  : "what is written along rows is read along columns: go through a tile in shared "
                    "memory, its rows padded by one element, so that both go along rows";
  return swap;
}

}  // namespace headroom
