// rung    kept_twiddles
// idea    blocks stay, and keep the factors of all their transforms in registers
// expect  warp_instructions / 1.16 against recurrence; global_load_requests / 1.87 against padded
// next    pipelined: while a thread computes it has nothing in flight
//
// A thread has the same place in every transform, so its factors are the same: 27 at 1024 points, read
// from the table once. Few threads have the registers for that. The grid is the size of the machine, and
// a block goes from tile to tile in fixed strides.
#include "studies/fft/staying.h"

namespace {

using namespace fft;

template <typename Tuning, int N>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    transform_kept(const Work work) {
  constexpr int V = Tuning::here::VT;
  extern __shared__ float2 shared[];
  const Place<N, V> place;
  Stages<N, V, Padded<V>, Lasting<N, V>> stages{
      {work.roots, place.t}, shared + place.q * Padded<V>::size(N), place.t};
  const unsigned tiles = unsigned(tiles_of<N, V>(work.batch));
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float2 values[V];
    place.load(values, work.from, tile, work.batch);
    stages.run(values, work.inverse);
    place.store(work.to, tile, work.batch, values);
  }
}

struct Kernels : Registers {
  template <int N>
  static auto kernel() {
    return transform_kept<Tuning<N>, N>;
  }
};

}  // namespace

const fft::Rung fft::kept_twiddles = fft::staying_rung<Kernels>("kept_twiddles");
