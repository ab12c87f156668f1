// rung    heads
// idea    an interval marks the first of its elements, and an element looks for the last mark before it, in words of 32
// expect  warp_instructions / 2.01, global_load_requests / 2.39, shared_store_instructions / 4.65 against loads_first
// next    edges_first: a block does nothing until it has found its share
//
// A bit an element says where intervals begin in the block's share: each is set by its own interval, and empty ones
// set none. An element's interval is that of the last bit at or before it: the highest in the word of its
// warp, else in the last word before that has one, which is found once a word. No thread searches or walks.
// What an element needs of its interval lies in shared memory at the interval's first element: how far away
// it comes from and goes to, or the value itself.
#include "studies/interval_move/share.h"

namespace {

using namespace interval_move;

constexpr int batch = 4;  // intervals of a thread whose numbers are in flight together

// What elements need of their interval, kept at the place of its first element in the block.
template <Kind kind, int places>
struct Needed {
  static constexpr bool has_value = kind == Kind::expand;
  static constexpr bool has_from = kind == Kind::gather || kind == Kind::move;
  static constexpr bool has_to = kind == Kind::scatter || kind == Kind::move;
  float value[has_value ? places : 1];
  int from[has_from ? places : 1], to[has_to ? places : 1];  // less the place among the elements
};

struct alignas(8) Word {
  unsigned bits;
  int before;  // the last bit that is set in the words before, counted from the first of this one
};

template <typename Tuning, Kind kind>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC) move_by_heads(Request r) {
  using here = typename Tuning::here;
  constexpr int NT = here::NT, VT = here::VT, NV = NT * VT, words = NV / 32;
  static_assert(NT % 32 == 0 && words <= 32 * 32,
                "a warp's elements share a word, and words a word");
  using N = Needed<kind, NV>;
  __shared__ N needed;
  __shared__ Word word[words];
  __shared__ unsigned with_bits[(words + 31) / 32];  // a bit a word
  __shared__ int edges[2];
  for (int i = threadIdx.x; i < words; i += NT) word[i].bits = 0;
  const Share share = share_of_block<NV>(r, edges);
  const int end = share.element + share.elements;

  // The intervals that begin here, and the one before, which may reach into the share.
  for (int first = int(threadIdx.x); first <= share.intervals; first += batch * NT) {
    int begin[batch], next[batch], from[batch], to[batch];
    float value[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const int interval = share.interval - 1 + first + i * NT;
      begin[i] = next[i] = end;
      if (interval < 0 || interval >= share.interval + share.intervals) continue;
      begin[i] = r.begin[interval];
      if (interval + 1 < r.intervals) next[i] = r.begin[interval + 1];
      if constexpr (N::has_value) value[i] = r.from[interval];
      if constexpr (N::has_from) from[i] = r.from_at[interval];
      if constexpr (N::has_to) to[i] = r.to_at[interval];
    }
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const int head = max(begin[i], share.element) - share.element;
      if (share.element + head >= min(next[i], end)) continue;
      if constexpr (N::has_value) needed.value[head] = value[i];
      if constexpr (N::has_from) needed.from[head] = from[i] - begin[i];
      if constexpr (N::has_to) needed.to[head] = to[i] - begin[i];
      atomicOr(&word[head / 32].bits, 1u << (head % 32));
    }
  }
  __syncthreads();

  constexpr int rounded = (words + 31) / 32 * 32;
  for (int i = threadIdx.x; i < rounded; i += NT) {
    const unsigned some = __ballot_sync(~0u, i < words && word[i].bits);
    if (i % 32 == 0) with_bits[i / 32] = some;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < words; i += NT) {
    int group = i / 32;
    unsigned some = with_bits[group] & ((1u << (i % 32)) - 1);
    while (!some && group > 0) some = with_bits[--group];
    if (some) {
      const int last = group * 32 + 31 - __clz(int(some));
      word[i].before = (last - i) * 32 + 31 - __clz(int(word[last].bits));
    }
  }
  __syncthreads();

  if (share.elements == 0) return;
  const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
  const unsigned up_to_me = ~0u >> (31 - lane);
  float values[VT];
  int to[VT];
#pragma unroll
  for (int i = 0; i < VT; ++i) {  // words behind the last element have a last bit before them, too
    const Word mine = word[warp + i * (NT / 32)];
    const unsigned bits = mine.bits & up_to_me;
    const int head = warp * 32 + i * NT + (bits ? 31 - __clz(int(bits)) : mine.before);
    const int place = int(threadIdx.x) + i * NT, element = share.element + place;
    to[i] = N::has_to ? element + needed.to[head] : element;
    if constexpr (N::has_value) {
      values[i] = needed.value[head];
    } else {
      const int from = N::has_from ? element + needed.from[head] : element;
      if (place < share.elements) values[i] = r.from[from];
    }
  }
#pragma unroll
  for (int i = 0; i < VT; ++i) {
    if (int(threadIdx.x) + i * NT < share.elements) r.to[to[i]] = values[i];
  }
}

// Whole words a thread: no bank conflicts ask for an odd number.
using Tuning = ShareTuning<16>;

void launch(const Request& r) {
  for_kind(r.kind, [&](auto kind) {
    const auto kernel = move_by_heads<Tuning, decltype(kind)::value>;
    headroom::launch<Tuning>(kernel, int64_t(r.elements) + r.intervals, nullptr, r);
  });
}

}  // namespace

const interval_move::Rung interval_move::heads = {"heads", launch};
