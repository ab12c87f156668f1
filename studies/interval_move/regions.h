// Intervals in the order of the regions of memory that they go to, in three kernels: counted, summed up, and placed.
//
//   count_regions<<<chunks, …>>>(r, at, sums);             // of each chunk of intervals and each region
//   sum_chunks<<<R, …>>>(sums, chunks, totals);
//   order_by_region<<<chunks, …>>>(r, at, sums, totals, records);
//
// A record has its interval's begin in the new order: `InOrder` is to move_tile what `AsGiven` is.
#pragma once
#include "studies/interval_move/tiles.h"

namespace interval_move {

// How many intervals a block has, and which of R regions an element goes to.
struct Chunks {
  int intervals, shift;
  template <int R>
  __device__ int region_of(int to) const {
    return min(to >> shift, R - 1);
  }
};

struct Sums {
  int intervals, elements;
};
__device__ inline Sums operator+(Sums a, Sums b) {
  return {a.intervals + b.intervals, a.elements + b.elements};
}

__device__ inline int length_of(const Request& r, int interval, int begin) {
  return (interval + 1 < r.intervals ? r.begin[interval + 1] : r.elements) - begin;
}

// sums[region * chunks + chunk]
template <int NT, int R>
__global__ void __launch_bounds__(NT) count_regions(Request r, Chunks chunk, Sums* sums) {
  __shared__ int intervals[R], elements[R];
  for (int i = threadIdx.x; i < R; i += NT) intervals[i] = elements[i] = 0;
  __syncthreads();
  const int first = int(blockIdx.x) * chunk.intervals;
  const int last = min(first + chunk.intervals, r.intervals);
  constexpr int batch = 4;
  for (int at = first + int(threadIdx.x); at < last; at += batch * NT) {
    int region[batch], length[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const int interval = at + i * NT;
      region[i] = -1;
      if (interval >= last) continue;
      length[i] = length_of(r, interval, r.begin[interval]);
      region[i] = chunk.region_of<R>(r.to_at[interval]);
    }
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      if (region[i] < 0) continue;
      atomicAdd(&intervals[region[i]], 1);
      atomicAdd(&elements[region[i]], length[i]);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < R; i += NT) {
    sums[size_t(i) * gridDim.x + blockIdx.x] = {intervals[i], elements[i]};
  }
}

// The sum of this lane's numbers and of those of the lanes before.
__device__ inline int inclusive_in_warp(int mine) {
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(~0u, mine, d);
    if (int(threadIdx.x % 32) >= d) mine += other;
  }
  return mine;
}

// A block a region: what the chunks before each chunk have, and all.
template <int NT>
__global__ void __launch_bounds__(NT) sum_chunks(Sums* sums, int chunks, Sums* totals) {
  __shared__ Sums of_warp[NT / 32];
  Sums* mine = sums + size_t(blockIdx.x) * chunks;
  const int warp = int(threadIdx.x / 32);
  Sums carry = {0, 0};
  for (int at = 0; at < chunks; at += NT) {
    const int i = at + int(threadIdx.x);
    const Sums own = i < chunks ? mine[i] : Sums{0, 0};
    const Sums up_to = {inclusive_in_warp(own.intervals), inclusive_in_warp(own.elements)};
    if (threadIdx.x % 32 == 31) of_warp[warp] = up_to;
    __syncthreads();
    Sums before = carry;
    for (int w = 0; w < NT / 32; ++w) {
      if (w < warp) before = before + of_warp[w];
      carry = carry + of_warp[w];
    }
    if (i < chunks) {
      mine[i] = before + Sums{up_to.intervals - own.intervals, up_to.elements - own.elements};
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = carry;
}

struct alignas(16) Record {
  int begin, length, from, to;
};

struct InOrder {
  const Record* records;
  __device__ int begin(const Request&, int interval) const { return records[interval].begin; }
  template <Kind kind>
  __device__ Interval at(const Request&, int interval) const {
    const int4 its = *reinterpret_cast<const int4*>(&records[interval]);
    return {its.x, its.x + its.y, its.z, its.w};
  }
};

// A block's tile, in the order of regions.
template <int NV>
struct Tile {
  int length[NV], from[NV], to[NV];
  int of_row[NV / 32];
};

// One warp: sums of the numbers before each.
template <int count>
__device__ void exclusive_by_warp(const int* numbers, int* sums) {
  constexpr int each = count / 32;
  static_assert(count % 32 == 0);
  const int lane = int(threadIdx.x % 32);
  int own[each], sum = 0;
#pragma unroll
  for (int i = 0; i < each; ++i) sum += own[i] = numbers[lane * each + i];
  int before = inclusive_in_warp(sum) - sum;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    sums[lane * each + i] = before;
    before += own[i];
  }
}

template <int NT, int VT, int OCC, int R, bool scatter>
__global__ void __launch_bounds__(NT, OCC)
    order_by_region(Request r, Chunks chunk, const Sums* sums, const Sums* totals,
                    Record* records) {
  constexpr int NV = NT * VT;
  static_assert(R <= NT && NV % 1024 == 0);
  extern __shared__ int4 memory[];
  Tile<NV>& tile = *reinterpret_cast<Tile<NV>*>(memory);
  __shared__ int count[R],
      start[R];  // the tile's intervals of a region, and those of the regions before
  __shared__ int head[R], tail[R];  // elements of the tile before a region, and up to its end
  __shared__ Sums next[R];          // where a region's next interval goes
  const int t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  if (t < R) {
    Sums before = sums[size_t(t) * gridDim.x + blockIdx.x];
    for (int i = 0; i < t; ++i) before = before + totals[i];
    next[t] = before;
  }
  const int begin_of_chunk = int(blockIdx.x) * chunk.intervals;
  const int end_of_chunk = min(begin_of_chunk + chunk.intervals, r.intervals);
  for (int first = begin_of_chunk; first < end_of_chunk; first += NV) {
    const int there = min(NV, end_of_chunk - first);
    if (t < R) count[t] = 0;
    __syncthreads();
    int length[VT], from[VT], to[VT], rank[VT];
#pragma unroll
    for (int i = 0; i < VT; ++i) {
      if (t + i * NT >= there) continue;
      const int interval = first + t + i * NT, begin = r.begin[interval];
      length[i] = length_of(r, interval, begin);
      from[i] = scatter ? begin : r.from_at[interval];
      to[i] = r.to_at[interval];
    }
#pragma unroll
    for (int i = 0; i < VT; ++i) {
      if (t + i * NT < there) rank[i] = atomicAdd(&count[chunk.region_of<R>(to[i])], 1);
    }
    __syncthreads();
    if (warp == 0) exclusive_by_warp<R>(count, start);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < VT; ++i) {
      if (t + i * NT >= there) continue;
      const int slot = start[chunk.region_of<R>(to[i])] + rank[i];
      tile.length[slot] = length[i];
      tile.from[slot] = from[i];
      tile.to[slot] = to[i];
    }
    __syncthreads();
    int before
        [VT];  // elements of the tile before each of a thread's slots: first of its row of 32 alone
#pragma unroll
    for (int i = 0; i < VT; ++i) {
      const int row = warp + i * (NT / 32), slot = row * 32 + lane;
      before[i] = inclusive_in_warp(slot < there ? tile.length[slot] : 0);
      if (lane == 31) tile.of_row[row] = before[i];
    }
    __syncthreads();
    if (warp == 0) exclusive_by_warp<NV / 32>(tile.of_row, tile.of_row);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < VT; ++i) {
      const int row = warp + i * (NT / 32), slot = row * 32 + lane;
      if (slot >= there) continue;
      const int region = chunk.region_of<R>(tile.to[slot]), in_region = slot - start[region];
      before[i] += tile.of_row[row] - tile.length[slot];
      if (in_region == 0) head[region] = before[i];
      if (in_region == count[region] - 1) tail[region] = before[i] + tile.length[slot];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < VT; ++i) {
      const int slot = (warp + i * (NT / 32)) * 32 + lane;
      if (slot >= there) continue;
      const int region = chunk.region_of<R>(tile.to[slot]);
      const Sums at = next[region];
      *reinterpret_cast<int4*>(&records[at.intervals + slot - start[region]]) = {
          at.elements + before[i] - head[region], tile.length[slot], tile.from[slot],
          tile.to[slot]};
    }
    __syncthreads();
    if (t < R && count[t]) next[t] = next[t] + Sums{count[t], tail[t] - head[t]};
  }
}

}  // namespace interval_move
