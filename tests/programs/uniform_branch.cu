// A loop whose counter is one register for all lanes of a warp (machine code's uniform registers), and in it work that some of
// them have nothing of. ptxas branches round it where all lanes have nothing (BRA.U), and once more, where some do: were each
// lane to go its own way at the first, the counter would be doubled twice.
#include "studies/merge_sort/tile_sort.h"
#include "tests/programs/expect.cuh"

namespace merge_sort {

// Named in a header of the study, and not used here.
const Rung rank_merge{}, block_sort{}, merge_path{}, partitioned{}, four_way{};

// As block_sort_tile, with a beginning of a thread's list that takes a division.
template <typename T, int NT, int VT>
__device__ void sort_in_tile(Records<T> to, Records<T> from, int count, Shared<T, NT, VT>& shared) {
  typename T::Key keys[VT];
  typename T::Value values[VT];
  block_load<NT, VT>(keys, shared.keys, from.keys, count);
  if constexpr (T::pairs) block_load<NT, VT>(values, shared.values, from.values, count);
  const int first = threadIdx.x * VT;
  if (count == NT * VT) {
    thread_sort<T, VT, true>(keys, values, VT);
  } else {
    thread_sort<T, VT, false>(keys, values, count - first);
  }
  __syncthreads();
  const int warp = threadIdx.x / 32, behind = (warp + 1) * 32 * VT + warp;
  if (threadIdx.x % 32 == 31) shared.keys[behind] = keys[0];
  const bool is_full = count == NT * VT;
  for (int group = 2; group <= NT && group / 2 * VT < count; group *= 2) {
    const bool is_of_warp = is_full && group <= 32;
    const int shift = is_of_warp ? warp : 0;
    const auto wait = [&] {
      if (is_of_warp) {
        __syncwarp();
      } else {
        __syncthreads();
      }
    };
    wait();
#pragma unroll
    for (int i = 0; i < VT; ++i) shared.keys[shift + first + i] = keys[i];
    if (!is_of_warp && threadIdx.x < VT) shared.keys[NT * VT + threadIdx.x] = keys[0];
    wait();
    const int begin = int(threadIdx.x) / group * group * VT;
    const int middle = min(count, begin + group / 2 * VT), end = min(count, begin + group * VT);
    int places[VT];
#pragma unroll
    for (int i = 0; i < VT; ++i) places[i] = first + i;
    if (first < count) {
      Lists lists{begin, middle, middle, end};
      const int diagonal = first - begin;
      const int of_a = path_search<T>(shared.keys + shift, lists, diagonal);
      lists.a += of_a;
      lists.b += diagonal - of_a;
      merge_from<T, VT, true>(shared.keys + shift, lists, keys, places);
    }
    if constexpr (T::pairs) gather(values, shared.values + shift, places, wait);
  }
  block_store<NT, VT>(to.keys, shared.keys, keys, count);
  if constexpr (T::pairs) block_store<NT, VT>(to.values, shared.values, values, count);
}

template <typename T, int NT, int VT>
__global__ void __launch_bounds__(NT) sort_by_division(Records<T> to, Records<T> from, int n) {
  extern __shared__ __align__(8) char memory[];
  auto& shared = *reinterpret_cast<Shared<T, NT, VT>*>(memory);
  const int first = int(blockIdx.x) * (NT * VT), count = min(NT * VT, n - first);
  sort_in_tile<T, NT, VT>({to.keys + first, to.values + first},
                          {from.keys + first, from.values + first}, count, shared);
}

}  // namespace merge_sort

int main() {
  using namespace merge_sort;
  constexpr int NT = 512, VT = 23, count = 50;
  using T = Types<Int32, false>;
  int values[count], *from, *to;
  for (int i = 0; i < count; ++i) values[i] = i * 7919 % 1000;
  EXPECT_OK(cudaMalloc(&from, sizeof values));
  EXPECT_OK(cudaMalloc(&to, sizeof values));
  EXPECT_OK(cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice));
  sort_by_division<T, NT, VT>
      <<<1, NT, sizeof(Shared<T, NT, VT>)>>>({to, nullptr}, {from, nullptr}, count);
  EXPECT_OK(cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost));
  for (int i = 1; i < count; ++i) EXPECT(values[i - 1] <= values[i]);
  return failures != 0;
}
