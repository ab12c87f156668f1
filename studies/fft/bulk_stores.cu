// rung    bulk_stores
// idea    the copy engine takes the results away as well: threads neither load nor store
// expect  global_store_requests = 0, global_store_sectors = 0: threads do not store
// next    none: this is what the memory gives
//
// The last stage writes its values where the tile came from, without gaps, and one thread has them
// stored. A slot is filled again a tile later, once the engine has read it; so one slot more is taken
// up than in `bulk`.
#include "studies/fft/ring.h"

namespace {

using namespace fft;

[[maybe_unused]] __device__ study::Queue queue;

template <typename Tuning, int N>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    transform_bulk_stores(const Work work) {
#if __CUDA_ARCH__ >= 900
  namespace ptx = cuda::ptx;
  constexpr int V = Tuning::here::VT;
  using plan = Plan<N, V>;
  extern __shared__ __align__(128) char shared[];
  const Place<N, V> place;
  const Lasting<N, V> kept(work.roots, place.t);
  const unsigned tiles = unsigned(tiles_of<N, V>(work.batch));
  Slots<N> slots(work, tiles, shared);
  slots.begin(queue);
  int before = -1;  // the slot that is being stored
  for (unsigned tile; (tile = slots.wait()) < tiles; slots.next()) {
    float2 values[V];
    float2* first = slots.tile() + place.q * N + place.t;
#pragma unroll
    for (int i = 0; i < V; ++i) values[i] = first[i * plan::threads];
    __syncthreads();  // transforms lie elsewhere once there are gaps
    Stages<N, V, Padded<V>, Lasting<N, V>> stages{kept, slots.tile() + place.q * Padded<V>::size(N),
                                                  place.t};
    stages.run(values, work.inverse, [] { __syncthreads(); });
#pragma unroll
    for (int i = 0; i < V; ++i) first[i * plan::threads] = values[i];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      slots.store(tile);
      if (before >= 0) {
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
        slots.ask_for_next(before, queue);
      }
    }
    before = slots.stage();
  }
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    queue.leave(gridDim.x);
  }
#endif
}

struct Kernels : Ring {
  template <int N>
  static auto kernel() {
    return transform_bulk_stores<Tuning<N>, N>;
  }
};

}  // namespace

const fft::Rung fft::bulk_stores = fft::staying_rung<Kernels>("bulk_stores");
