// Instructions whose lanes look at each other: shuffle, vote, match, redux. By the manual's
// sections 9.7.9 and 9.7.13. Lanes that do not run have no value: a shuffle from one gives 0, as
// on an H200.
#include <bit>

#include "sim/lanes/gather.h"
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

enum class Shuffle { up, down, bfly, idx };

// shfl.sync.mode.b32 d[|p], a, b, c, membermask : operands {d, [p,] a, b, c, members}
template <Shuffle Mode, bool WithPredicate>
void shuffle(Warp& warp, const Operation& operation) {
  constexpr int in = WithPredicate ? 2 : 1;
  const uint32_t* a = at<uint32_t>(warp, operation.operand[in]);
  const uint32_t* b = at<uint32_t>(warp, operation.operand[in + 1]);
  const uint32_t* c = at<uint32_t>(warp, operation.operand[in + 2]);
  uint32_t out[lanes], source[lanes], running = warp.mask;
  alignas(64) int32_t in_range[lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    const int segment = int(c[lane] >> 8 & 31), clamp = int(c[lane] & 31),
              delta = int(b[lane] & 31);
    const int limit = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
    int from = lane, good = 0;
    if constexpr (Mode == Shuffle::up) from = lane - delta, good = from >= limit;
    if constexpr (Mode == Shuffle::down) from = lane + delta, good = from <= limit;
    if constexpr (Mode == Shuffle::bfly) from = lane ^ delta, good = from <= limit;
    if constexpr (Mode == Shuffle::idx) from = lowest | (delta & ~segment), good = from <= limit;
    in_range[lane] = -good;
    source[lane] = uint32_t(good ? from : lane) & 31;
  }
  near_words(out, a, source, lanes, 0);
  for (int lane = 0; lane < lanes; ++lane) out[lane] &= -(running >> source[lane] & 1);
  keep<false>(warp, operation.operand[0], out);
  if constexpr (WithPredicate) keep_bits<false>(warp, operation.operand[1], collect(in_range));
}

// Calls f(team, here) for each membermask that running lanes name: the lanes that name it, and
// those of its lanes that run. Tiles of a warp vote side by side, each with its own mask.
template <class F>
void for_each_team(Warp& warp, uint32_t members, F f) {
  const uint32_t* mask = at<uint32_t>(warp, members);
  uint32_t others = 0;
  for (int lane = 0; lane < lanes; ++lane) others |= mask[lane] ^ mask[0];
  if (others == 0) return f(warp.mask, warp.mask & mask[0]);
  for (uint32_t left = warp.mask; left;) {
    const uint32_t named = mask[__builtin_ctz(left)];
    uint32_t team = 0;
    for (int lane = 0; lane < lanes; ++lane) team |= uint32_t(mask[lane] == named) << lane;
    team &= left;
    f(team, warp.mask & named);
    left &= ~team;
  }
}

template <class T>
void give(T* out, uint32_t team, T value) {
  for (int lane = 0; lane < lanes; ++lane) out[lane] = team >> lane & 1 ? value : out[lane];
}

// vote.sync.mode.pred p, q, membermask : operands {p, q, members}
enum class Vote { all, any, uni };
template <Vote Mode>
void vote(Warp& warp, const Operation& operation) {
  const uint32_t ballots = *at<uint32_t>(warp, operation.operand[1]);
  uint32_t out = 0;
  for_each_team(warp, operation.operand[2], [&](uint32_t team, uint32_t here) {
    const uint32_t yes = ballots & here;
    const bool holds = Mode == Vote::all   ? yes == here
                       : Mode == Vote::any ? yes != 0
                                           : yes == 0 || yes == here;
    out |= holds ? team : 0;
  });
  keep_bits<false>(warp, operation.operand[0], out);
}

void ballot(Warp& warp, const Operation& operation) {
  const uint32_t ballots = *at<uint32_t>(warp, operation.operand[1]);
  uint32_t out[lanes] = {};
  for_each_team(warp, operation.operand[2],
                [&](uint32_t team, uint32_t here) { give(out, team, ballots & here); });
  keep<false>(warp, operation.operand[0], out);
}

void active_mask(Warp& warp, const Operation& operation) {
  uint32_t out[lanes];
  for (uint32_t& value : out) value = warp.mask;
  keep<false>(warp, operation.operand[0], out);
}

// match.any.sync.type d, a, membermask
template <class T>
void match_any(Warp& warp, const Operation& operation) {
  const T* a = at<T>(warp, operation.operand[1]);
  const uint32_t* mask = at<uint32_t>(warp, operation.operand[2]);
  uint32_t out[lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    uint32_t same = 0;
    for (int other = 0; other < lanes; ++other) same |= uint32_t(a[other] == a[lane]) << other;
    out[lane] = same & warp.mask & mask[lane];
  }
  keep<false>(warp, operation.operand[0], out);
}

// match.all.sync.type d[|p], a, membermask
template <class T, bool WithPredicate>
void match_all(Warp& warp, const Operation& operation) {
  constexpr int in = WithPredicate ? 2 : 1;
  const T* a = at<T>(warp, operation.operand[in]);
  uint32_t out[lanes] = {}, holds = 0;
  for_each_team(warp, operation.operand[in + 1], [&](uint32_t team, uint32_t here) {
    const T first = a[__builtin_ctz(here ? here : team)];
    uint32_t same = 0;
    for (int lane = 0; lane < lanes; ++lane) same |= uint32_t(a[lane] == first) << lane;
    const bool all = (same & here) == here;
    give(out, team, all ? here : 0);
    holds |= all ? team : 0;
  });
  keep<false>(warp, operation.operand[0], out);
  if constexpr (WithPredicate) keep_bits<false>(warp, operation.operand[1], holds);
}

template <class T>
T plus(T x, T y) {
  return T(uint32_t(x) + uint32_t(y));
}
template <class T>
T minimum(T x, T y) {
  return x < y ? x : y;
}
template <class T>
T maximum(T x, T y) {
  return x > y ? x : y;
}
template <class T>
T both(T x, T y) {
  return x & y;
}
template <class T>
T either(T x, T y) {
  return x | y;
}
template <class T>
T differ(T x, T y) {
  return x ^ y;
}

// redux.sync.op.type d, a, membermask
template <class T, T (*F)(T, T)>
void reduce(Warp& warp, const Operation& operation) {
  const T* a = at<T>(warp, operation.operand[1]);
  T out[lanes] = {};
  for_each_team(warp, operation.operand[2], [&](uint32_t team, uint32_t here) {
    uint32_t left = here ? here : team;
    if (left == all_lanes) {
      T sum = a[0];
      for (int lane = 1; lane < lanes; ++lane) sum = F(sum, a[lane]);  // in vectors: in any order
      return give(out, team, sum);
    }
    T sum = a[__builtin_ctz(left)];
    for (left &= left - 1; left; left &= left - 1) sum = F(sum, a[__builtin_ctz(left)]);
    give(out, team, sum);
  });
  keep<false>(warp, operation.operand[0], out);
}

// elect.sync d|p, membermask : the lowest lane
void elect(Warp& warp, const Operation& operation) {
  uint32_t out[lanes] = {}, leaders = 0;
  for_each_team(warp, operation.operand[2], [&](uint32_t team, uint32_t here) {
    const uint32_t leader = uint32_t(__builtin_ctz(here ? here : team));
    give(out, team, leader);
    leaders |= 1u << leader;
  });
  keep<false>(warp, operation.operand[0], out);
  keep_bits<false>(warp, operation.operand[1], leaders);
}

constexpr uint8_t P = predicate_sort;
template <Shuffle Mode>
constexpr Row plain = whole<&shuffle<Mode, false>, &shuffle<Mode, false>, 4, 4, 4, 4, 4>(1);
template <Shuffle Mode>
constexpr Row ranged = whole<&shuffle<Mode, true>, &shuffle<Mode, true>, 4, P, 4, 4, 4, 4>(2);
template <Vote Mode>
constexpr Row vote_row = whole<&vote<Mode>, &vote<Mode>, P, P, 4>(1);
template <class T>
constexpr Row any_row = whole<&match_any<T>, &match_any<T>, 4, sizeof(T), 4>(1);
template <class T>
constexpr Row all_row = whole<&match_all<T, false>, &match_all<T, false>, 4, sizeof(T), 4>(1);
template <class T>
constexpr Row all_pair = whole<&match_all<T, true>, &match_all<T, true>, 4, P, sizeof(T), 4>(2);
template <class T, T (*F)(T, T)>
constexpr Row redux = whole<&reduce<T, F>, &reduce<T, F>, 4, 4, 4>(1);
constexpr Row ballot_row = whole<&ballot, &ballot, 4, P, 4>(1);

constexpr std::pair<std::string_view, Row> rows[] = {
    {"shfl.sync.up.b32", plain<Shuffle::up>},
    {"shfl.sync.up.b32", ranged<Shuffle::up>},
    {"shfl.sync.down.b32", plain<Shuffle::down>},
    {"shfl.sync.down.b32", ranged<Shuffle::down>},
    {"shfl.sync.bfly.b32", plain<Shuffle::bfly>},
    {"shfl.sync.bfly.b32", ranged<Shuffle::bfly>},
    {"shfl.sync.idx.b32", plain<Shuffle::idx>},
    {"shfl.sync.idx.b32", ranged<Shuffle::idx>},
    {"shfl.up.sync.b32", plain<Shuffle::up>},
    {"shfl.up.sync.b32", ranged<Shuffle::up>},
    {"shfl.down.sync.b32", plain<Shuffle::down>},
    {"shfl.down.sync.b32", ranged<Shuffle::down>},
    {"shfl.bfly.sync.b32", plain<Shuffle::bfly>},
    {"shfl.bfly.sync.b32", ranged<Shuffle::bfly>},
    {"shfl.idx.sync.b32", plain<Shuffle::idx>},
    {"shfl.idx.sync.b32", ranged<Shuffle::idx>},
    {"vote.sync.all.pred", vote_row<Vote::all>},
    {"vote.all.sync.pred", vote_row<Vote::all>},
    {"vote.sync.any.pred", vote_row<Vote::any>},
    {"vote.any.sync.pred", vote_row<Vote::any>},
    {"vote.sync.uni.pred", vote_row<Vote::uni>},
    {"vote.uni.sync.pred", vote_row<Vote::uni>},
    {"vote.sync.ballot.b32", ballot_row},
    {"vote.ballot.sync.b32", ballot_row},
    {"activemask.b32", whole<&active_mask, &active_mask, 4>(1)},
    {"match.any.sync.b32", any_row<uint32_t>},
    {"match.any.sync.b64", any_row<uint64_t>},
    {"match.sync.any.b32", any_row<uint32_t>},
    {"match.sync.any.b64", any_row<uint64_t>},
    {"match.all.sync.b32", all_row<uint32_t>},
    {"match.all.sync.b64", all_row<uint64_t>},
    {"match.all.sync.b32", all_pair<uint32_t>},
    {"match.all.sync.b64", all_pair<uint64_t>},
    {"match.sync.all.b32", all_row<uint32_t>},
    {"match.sync.all.b64", all_row<uint64_t>},
    {"match.sync.all.b32", all_pair<uint32_t>},
    {"match.sync.all.b64", all_pair<uint64_t>},
    {"redux.sync.add.u32", redux<uint32_t, plus<uint32_t>>},
    {"redux.sync.add.s32", redux<int32_t, plus<int32_t>>},
    {"redux.sync.min.u32", redux<uint32_t, minimum<uint32_t>>},
    {"redux.sync.min.s32", redux<int32_t, minimum<int32_t>>},
    {"redux.sync.max.u32", redux<uint32_t, maximum<uint32_t>>},
    {"redux.sync.max.s32", redux<int32_t, maximum<int32_t>>},
    {"redux.sync.and.b32", redux<uint32_t, both<uint32_t>>},
    {"redux.sync.or.b32", redux<uint32_t, either<uint32_t>>},
    {"redux.sync.xor.b32", redux<uint32_t, differ<uint32_t>>},
    {"elect.sync", whole<&elect, &elect, 4, P, 4>(2)},
};

}  // namespace

void warp_rows(RowTable& table) {
  for (const auto& [spelling, row] : rows) table.add(spelling, row);
}

}  // namespace headroom::sim::HEADROOM_ISA
