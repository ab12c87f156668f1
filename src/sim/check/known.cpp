#include "sim/check/known.h"

#include <algorithm>

namespace headroom::sim::check {
namespace {

bool by_whom(const Entry& a, const Entry& b) { return a.whom < b.whom; }

bool has(const Known& known, uint64_t whom, uint32_t time) {
  const auto found = std::lower_bound(known.begin(), known.end(), Entry{whom, 0}, by_whom);
  return found != known.end() && found->whom == whom && found->time >= time;
}

}  // namespace

KnownPtr join(const KnownPtr& a, const KnownPtr& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  Known both;
  both.reserve(a->size() + b->size());
  for (auto x = a->begin(), y = b->begin(); x != a->end() || y != b->end();) {
    if (y == b->end() || (x != a->end() && x->whom < y->whom)) {
      both.push_back(*x++);
    } else if (x == a->end() || y->whom < x->whom) {
      both.push_back(*y++);
    } else {
      both.push_back({x->whom, std::max(x->time, y->time)});
      ++x, ++y;
    }
  }
  return std::make_shared<const Known>(std::move(both));
}

KnownPtr join(const KnownPtr& known, std::vector<Entry> entries) {
  std::sort(entries.begin(), entries.end(), by_whom);
  return join(known, std::make_shared<const Known>(std::move(entries)));
}

bool knows(const KnownPtr& known, uint64_t block, uint32_t warp, uint32_t lane, uint32_t time) {
  return known &&
         (has(*known, Whom::block(block), time) || has(*known, Whom::warp(block, warp), time) ||
          has(*known, Whom::lane(block, warp, lane), time));
}

}  // namespace headroom::sim::check
