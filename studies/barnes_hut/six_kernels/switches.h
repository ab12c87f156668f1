// The ten optimisations that the source names, each a bit: all of them are the solver, and all but
// one say what that one is worth.
//
//   six::names[3]              {six::warp_voting, "warp voting", "a warp asks …"}
//   choose<throttling | combined_fence>(on, [&]<unsigned On>() { kernel<On><<<…>>>(…); });
//
// The source says of most of them little more than the name; the meanings here are ours. A kernel is
// compiled for those of them that touch it: with all, and without each.
//
// Source: M. Burtscher, "CUDA Optimization Tutorial", slides, part II.
#pragma once

namespace barnes_hut::six {

enum Switch : unsigned {
  no_volatile = 1 << 0,
  reciprocal_root = 1 << 1,
  recompute = 1 << 2,
  warp_voting = 1 << 3,
  full_multithreading = 1 << 4,
  throttling = 1 << 5,
  wait_free = 1 << 6,
  combined_fence = 1 << 7,
  sorting = 1 << 8,
  synchronised = 1 << 9,
  all_switches = (1 << 10) - 1,
};

struct Named {
  Switch bit;
  const char* name;     // the source's
  const char* meaning;  // what is done; and without it
};

constexpr Named names[] = {
    {no_volatile, "no volatile",
     "the walk reads a node once, whole, into registers; without: value by value through volatile "
     "pointers, again at each use"},
    {reciprocal_root, "rsqrt",
     "the hardware's reciprocal root; without: 1 / sqrt, both rounded correctly"},
    {recompute, "recompute",
     "from how far a cell is taken as one follows from its level; without: is loaded with the "
     "cell"},
    {warp_voting, "warp voting",
     "a warp decides by the vote instruction; without: through a word in shared memory"},
    {full_multithreading, "full multithreading",
     "as many warps as fit stay on each SM; without: one warp an SM"},
    {throttling, "throttling barrier",
     "in kernels 2 and 3 a block meets after each attempt; without: each thread tries on"},
    {wait_free, "wait-free pre-pass",
     "kernel 3 first sums up, five times over, what is ready, and only then waits; without: waits"},
    {combined_fence, "combined fence",
     "in kernels 2 and 3 one fence for all loads of an attempt and one for all of its stores; "
     "without: one for each"},
    {sorting, "sorting",
     "bodies of a warp are neighbours in the tree; without: in the order of the input"},
    {synchronised, "synchronised execution",
     "the bodies of a warp walk through the tree together; without: each on its own, and one a "
     "lane "
     "where with it a lane has several"},
};

template <unsigned On, Switch one>
constexpr bool has = (On & one) != 0;

// Calls use<On>() with those switches of `Mine` that are on: all, or all but one.
template <unsigned Mine, unsigned Bit = 1, typename Use>
void choose(unsigned on, Use&& use) {
  if constexpr (Bit > Mine) {
    use.template operator()<Mine>();
  } else {
    if constexpr ((Mine & Bit) != 0) {
      if (!(on & Bit)) return use.template operator()<Mine & ~Bit>();
    }
    choose<Mine, Bit * 2>(on, use);
  }
}

}  // namespace barnes_hut::six
