// Passes that merge four runs at a time, or two: the kernels of the last rungs.
//
//   four_pass<T, 4>(to, from, request, width, [&](const Search& search) { … });
//
// What finds the splits of all tiles is given: it is what the rungs differ in.
#pragma once
#include <headroom/launch_box.cuh>

#include "studies/merge_sort/split_by_warp.h"
#include "studies/merge_sort/tuned.h"

namespace merge_sort {

// How the merged records of a group are cut into tiles: all of one size, but for the last.
struct Cut {
  int tile, tiles;  // records of a tile, tiles of a group
  Cut(int64_t n, int64_t width, int ways, int most) {
    const int64_t group = ways * width < n ? ways * width : n;
    tiles = parts_of(group, most);
    tile = parts_of(group, tiles);
  }
};

// What a kernel that finds splits has to know: where tile t of all begins, in each of its runs.
struct Search {
  int n, width, ways;
  Cut cut;
  int all;  // tiles

  __device__ Four runs(int tile) const { return {tile / cut.tiles, width, n, ways}; }
  __device__ int64_t diagonal(int tile) const { return int64_t(tile % cut.tiles) * cut.tile; }
};

// Of kernels that are launched while the one before still runs: waits for all that it wrote. Such a launch
// is asked for where the code is for compute capability 9.0 at least.
template <bool overlaps>
__device__ void wait_for_the_kernel_before() {
#if __CUDA_ARCH__ >= 900
  if constexpr (overlaps) {
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
  }
#endif
}

template <typename Kernel, typename... Arguments>
void launch_overlapped(Kernel* kernel, int blocks, int threads, int bytes,
                       const Arguments&... arguments) {
  cudaFuncAttributes of_kernel;
  CHECK(cudaFuncGetAttributes(&of_kernel, kernel));
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = unsigned(blocks);
  config.blockDim = unsigned(threads);
  config.dynamicSmemBytes = size_t(bytes);
  config.attrs = &overlap;
  config.numAttrs = of_kernel.ptxVersion >= 90 ? 1 : 0;
  CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

template <typename T, typename Tuning, int ways, bool overlaps>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    merge_tiles(Records<T> to, Records<T> from, Search search, const int4* splits) {
  constexpr int NT = Tuning::here::NT, VT = Tuning::here::VT;
  extern __shared__ __align__(16) char memory[];
  const int tile = int(blockIdx.x);
  const Four four = search.runs(tile);
  const int64_t first = search.diagonal(tile);
  wait_for_the_kernel_before<overlaps>();
  if (first >= four.all()) return;
  const int4 next = (tile + 1) % search.cut.tiles ? splits[tile + 1] : four.lengths();
  block_merge_four<T, NT, VT, ways>(to, from, four, int(first), splits[tile], next,
                                    *reinterpret_cast<Shared<T, NT, VT>*>(memory));
}

template <typename T, int ways, bool overlaps = false, typename Find>
void four_pass(Records<T> to, Records<T> from, const Request& request, int width,
               const Find& find) {
  using Tuning = MergeTuning<T>;
  const auto kernel = merge_tiles<T, Tuning, ways, overlaps>;
  headroom::at_row<Tuning>(kernel, [&](auto row) {
    using Row = decltype(row);
    constexpr int bytes = sizeof(Shared<T, Row::NT, Row::VT>);
    const Cut cut(request.n, width, ways, (Row::NT - 1) * Row::VT);
    const int all = parts_of(request.n, int64_t(ways) * width) * cut.tiles;
    const Search search{request.n, width, ways, cut, all};
    find(search);
    study::allow_shared(kernel, bytes);
    if constexpr (overlaps) {
      launch_overlapped(kernel, all, Row::NT, bytes, to, from, search, request.splits);
    } else {
      kernel<<<all, Row::NT, bytes>>>(to, from, search, request.splits);
    }
  });
}

constexpr int warps_of_search = 4;  // a block

template <typename T, bool overlaps>
__global__ void __launch_bounds__(warps_of_search * 32)
    find_by_warps(int4* splits, const typename T::Key* keys, Search search) {
  const int tile = int(blockIdx.x * warps_of_search + threadIdx.x / 32);
  wait_for_the_kernel_before<overlaps>();
  if (tile >= search.all) return;
  const Four four = search.runs(tile);
  const int64_t diagonal = search.diagonal(tile);
  const int4 split =
      diagonal < four.all() ? warp_split<T>(keys, four, int(diagonal)) : four.lengths();
  if (threadIdx.x % 32 == 0) splits[tile] = split;
}

template <typename T, bool overlaps = false>
void launch_find_by_warps(const Request& request, const typename T::Key* keys,
                          const Search& search) {
  const auto kernel = find_by_warps<T, overlaps>;
  const int blocks = parts_of(search.all, warps_of_search);
  if constexpr (overlaps) {
    launch_overlapped(kernel, blocks, warps_of_search * 32, 0, request.splits, keys, search);
  } else {
    kernel<<<blocks, warps_of_search * 32>>>(request.splits, keys, search);
  }
}

}  // namespace merge_sort
