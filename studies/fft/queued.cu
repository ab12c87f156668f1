// rung    queued
// idea    blocks take tiles from a queue: what is in flight is one narrow window of the memory
// expect  global_load_sectors / 1, global_store_requests / 1 against pipelined
// next    bulk: let the copy engine bring the tiles, whatever the threads are at
//
// The study `copy` shows what order is worth: with fixed strides the multiprocessors drift apart. The
// queue is asked two tiles ahead, by one thread, and the barrier after a tile hands the answer on.
#include "studies/common/queue.h"
#include "studies/fft/staying.h"

namespace {

using namespace fft;

__device__ study::Queue queue;

template <typename Tuning, int N>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    transform_queued(const Work work) {
  constexpr int V = Tuning::here::VT;
  extern __shared__ float2 shared[];
  __shared__ unsigned handed_on[2];
  const Place<N, V> place;
  Stages<N, V, Padded<V>, Lasting<N, V>> stages{
      {work.roots, place.t}, shared + place.q * Padded<V>::size(N), place.t};
  const unsigned tiles = unsigned(tiles_of<N, V>(work.batch));
  if (threadIdx.x == 0) {
    handed_on[0] = queue.take();
    handed_on[1] = queue.take();
  }
  __syncthreads();
  unsigned tile = handed_on[0], following = handed_on[1];
  __syncthreads();
  float2 next[V];
  place.load(next, work.from, tile, work.batch);
  for (int turn = 0; tile < tiles; turn ^= 1) {
    float2 values[V];
#pragma unroll
    for (int i = 0; i < V; ++i) values[i] = next[i];
    place.load(next, work.from, following, work.batch);
    const unsigned taken = threadIdx.x == 0 ? queue.take() : 0;
    stages.run(values, work.inverse);
    place.store(work.to, tile, work.batch, values);
    if (threadIdx.x == 0) handed_on[turn] = taken;
    __syncthreads();
    tile = following;
    following = handed_on[turn];
  }
  if (threadIdx.x == 0) queue.leave(gridDim.x);
}

struct Kernels : Registers {
  template <int N>
  static auto kernel() {
    return transform_queued<Tuning<N>, N>;
  }
};

}  // namespace

const fft::Rung fft::queued = fft::staying_rung<Kernels>("queued");
