// rung    pipelined
// idea    the values of the next tile are on their way while this one is transformed
// expect  global_load_requests / 1, global_load_sectors / 1 against kept_twiddles
// next    queued: tiles in the order of addresses, so that the multiprocessors stay close together
//
// A second set of sixteen values, 32 registers more: a thread of five blocks of 64 may have 204. Loads
// are asked for before the stages and first touched after them.
#include "studies/fft/staying.h"

namespace {

using namespace fft;

template <typename Tuning, int N>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    transform_pipelined(const Work work) {
  constexpr int V = Tuning::here::VT;
  extern __shared__ float2 shared[];
  const Place<N, V> place;
  Stages<N, V, Padded<V>, Lasting<N, V>> stages{
      {work.roots, place.t}, shared + place.q * Padded<V>::size(N), place.t};
  const unsigned tiles = unsigned(tiles_of<N, V>(work.batch));
  float2 next[V];
  place.load(next, work.from, blockIdx.x, work.batch);
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float2 values[V];
#pragma unroll
    for (int i = 0; i < V; ++i) values[i] = next[i];
    // Behind the last tile there is none: nothing is read there.
    place.load(next, work.from, tile + gridDim.x, work.batch);
    stages.run(values, work.inverse);
    place.store(work.to, tile, work.batch, values);
  }
}

struct Kernels : Registers {
  template <int N>
  static auto kernel() {
    return transform_pipelined<Tuning<N>, N>;
  }
};

}  // namespace

const fft::Rung fft::pipelined = fft::staying_rung<Kernels>("pipelined");
