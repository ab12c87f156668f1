// rung    bulk
// idea    the copy engine brings the next tiles into shared memory, whatever the threads are at
// expect  global_load_requests / 3.3, global_store_requests / 1 against queued
// next    bulk_stores: the engine takes the results away, too
//
// A slot of shared memory holds a tile from its arrival until its last exchange: threads read it
// without gaps, exchange their values in it with gaps, and one of them asks for the next tile there as
// soon as all have their last values. Registers hold one tile only, and no thread waits for memory while
// others compute. Needs sm_90.
#include "studies/fft/ring.h"

namespace {

using namespace fft;

[[maybe_unused]] __device__ study::Queue queue;

template <typename Tuning, int N>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    transform_bulk(const Work work) {
#if __CUDA_ARCH__ >= 900
  constexpr int V = Tuning::here::VT;
  using plan = Plan<N, V>;
  extern __shared__ __align__(128) char shared[];
  const Place<N, V> place;
  const Lasting<N, V> kept(work.roots, place.t);
  const unsigned tiles = unsigned(tiles_of<N, V>(work.batch));
  Slots<N> slots(work, tiles, shared);
  slots.begin(queue);
  for (unsigned tile; (tile = slots.wait()) < tiles; slots.next()) {
    float2 values[V];
#pragma unroll
    for (int i = 0; i < V; ++i) {
      values[i] = slots.tile()[place.q * N + place.t + i * plan::threads];
    }
    __syncthreads();  // transforms lie elsewhere once there are gaps
    Stages<N, V, Padded<V>, Lasting<N, V>> stages{kept, slots.tile() + place.q * Padded<V>::size(N),
                                                  place.t};
    stages.run(values, work.inverse, [&] { slots.refill(queue); });
    place.store(work.to, tile, work.batch, values);
  }
  if (threadIdx.x == 0) queue.leave(gridDim.x);
#endif
}

struct Kernels : Ring {
  template <int N>
  static auto kernel() {
    return transform_bulk<Tuning<N>, N>;
  }
};

}  // namespace

const fft::Rung fft::bulk = fft::staying_rung<Kernels>("bulk");
