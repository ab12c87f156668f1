#include "sim/check/known.h"

#include <algorithm>

namespace headroom::sim::check {
namespace {

using Entries = std::vector<Entry>;
using EntriesPtr = std::shared_ptr<const Entries>;

bool by_whom(const Entry& a, const Entry& b) { return a.whom < b.whom; }

bool has(const Entries& entries, uint64_t whom, uint32_t time) {
  const auto found = std::lower_bound(entries.begin(), entries.end(), Entry{whom, 0}, by_whom);
  return found != entries.end() && found->whom == whom && found->time >= time;
}

// One of the two where it has it all: what is shared stays shared, and is compared by its address.
EntriesPtr join_entries(const EntriesPtr& a, const EntriesPtr& b) {
  if (a == b) return a;
  Entries both;
  both.reserve(a->size() + b->size());
  bool all_a = true, all_b = true;
  for (auto x = a->begin(), y = b->begin(); x != a->end() || y != b->end();) {
    if (y == b->end() || (x != a->end() && x->whom < y->whom)) {
      both.push_back(*x++);
      all_b = false;
    } else if (x == a->end() || y->whom < x->whom) {
      both.push_back(*y++);
      all_a = false;
    } else {
      all_a &= x->time >= y->time;
      all_b &= y->time >= x->time;
      both.push_back({x->whom, std::max(x->time, y->time)});
      ++x, ++y;
    }
  }
  if (all_a) return a;
  if (all_b) return b;
  return std::make_shared<const Entries>(std::move(both));
}

}  // namespace

KnownPtr join(const KnownPtr& a, const KnownPtr& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  Known both;
  both.reserve(std::max(a->size(), b->size()) + 1);
  bool all_a = true, all_b = true;
  for (auto x = a->begin(), y = b->begin(); x != a->end() || y != b->end();) {
    if (y == b->end() || (x != a->end() && x->block < y->block)) {
      both.push_back(*x++);
      all_b = false;
    } else if (x == a->end() || y->block < x->block) {
      both.push_back(*y++);
      all_a = false;
    } else {
      both.push_back({x->block, join_entries(x->entries, y->entries)});
      all_a &= both.back().entries == x->entries;
      all_b &= both.back().entries == y->entries;
      ++x, ++y;
    }
  }
  if (all_a) return a;
  if (all_b) return b;
  return std::make_shared<const Known>(std::move(both));
}

KnownPtr join(const KnownPtr& known, std::vector<Entry> entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.whom != b.whom ? a.whom < b.whom : a.time > b.time;
  });
  const auto same = [](const Entry& a, const Entry& b) { return a.whom == b.whom; };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  Known these;
  for (auto first = entries.begin(); first != entries.end();) {
    const uint64_t block = Whom::block_of(first->whom);
    const auto last = std::find_if(first, entries.end(), [&](const Entry& entry) {
      return Whom::block_of(entry.whom) != block;
    });
    these.push_back({block, std::make_shared<const Entries>(first, last)});
    first = last;
  }
  return join(known, std::make_shared<const Known>(std::move(these)));
}

bool knows(const KnownPtr& known, uint64_t block, uint32_t warp, uint32_t lane, uint32_t time) {
  if (!known) return false;
  const auto found =
      std::lower_bound(known->begin(), known->end(), block,
                       [](const OfBlock& of, uint64_t whom) { return of.block < whom; });
  if (found == known->end() || found->block != block) return false;
  const Entries& entries = *found->entries;
  return has(entries, Whom::block(block), time) || has(entries, Whom::warp(block, warp), time) ||
         has(entries, Whom::lane(block, warp, lane), time);
}

}  // namespace headroom::sim::check
