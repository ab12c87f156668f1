// Sorts the tiles that passes then merge.
//
//   template <typename T>
//   using Tuning = headroom::LaunchBox<headroom::Row<80, 256, T::key_size == 4 ? 17 : 9>>;
//
//   const int width = tile_sort<T, Tuning<T>>(to, from, n);     // records of a tile
#pragma once
#include <headroom/launch_box.cuh>

#include "studies/common/shared_memory.h"
#include "studies/merge_sort/block_tile.h"
#include "studies/merge_sort/passes.h"

namespace merge_sort {

template <typename T, typename Tuning>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    sort_tiles(Records<T> to, Records<T> from, int n) {
  constexpr int NT = Tuning::here::NT, VT = Tuning::here::VT;
  extern __shared__ __align__(16) char memory[];
  auto& shared = *reinterpret_cast<Shared<T, NT, VT>*>(memory);
  const int first = int(blockIdx.x) * (NT * VT), count = min(NT * VT, n - first);
  block_sort_tile<T, NT, VT>({to.keys + first, to.values + first},
                             {from.keys + first, from.values + first}, count, shared);
}

template <typename T, typename Tuning>
int tile_sort_width() {
  const auto kernel = sort_tiles<T, Tuning>;
  return int(headroom::configure<Tuning>(kernel).NV());
}

template <typename T, typename Tuning>
void tile_sort(Records<T> to, Records<T> from, int n) {
  const auto kernel = sort_tiles<T, Tuning>;
  headroom::at_row<Tuning>(kernel, [&](auto row) {
    using Row = decltype(row);
    constexpr int bytes = sizeof(Shared<T, Row::NT, Row::VT>);
    study::allow_shared(kernel, bytes);
    kernel<<<parts_of(n, Row::NT * Row::VT), Row::NT, bytes>>>(to, from, n);
  });
}

}  // namespace merge_sort
