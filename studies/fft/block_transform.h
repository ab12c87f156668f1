// A block a tile: its threads load their values, transform them and store them.
//
//   const fft::Rung fft::padded = fft::block_rung<16, Padded<16>, FromTable>("padded");
#pragma once
#include "studies/common/shared_memory.h"
#include "studies/fft/fft.h"
#include "studies/fft/sizes.h"
#include "studies/fft/stages.h"
#include "studies/fft/tiles.h"
#include "studies/fft/twiddles.h"

namespace fft {

template <int N, int V, typename Layout, typename Twiddles>
__global__ void __launch_bounds__(Plan<N, V>::block)
    block_transform(float2* to, const float2* from, const float2* roots, size_t batch,
                    bool inverse) {
  extern __shared__ float2 shared[];
  const Place<N, V> place;
  float2 values[V];
  place.load(values, from, blockIdx.x, batch);
  Stages<N, V, Layout, Fresh<Twiddles>> stages{
      {roots}, shared + place.q * Layout::size(N), place.t};
  stages.run(values, inverse);
  place.store(to, blockIdx.x, batch, values);
}

// Only as far as a block has threads.
template <int V>
constexpr int longest = max_size / V <= 1024 ? max_size : 1024 * V;

template <int V, typename Layout, typename Twiddles, int Most = longest<V>>
struct BlockLaunch {
  template <typename Use>
  static auto for_its_size(int n, const Use& use) {
    return for_size<min_size, Most>(n, use);
  }
  static Shape shape(const Request& request) {
    return for_its_size(request.n, [](auto n) {
      const auto kernel = block_transform<n, V, Layout, Twiddles>;
      const int shared = Layout::size(Plan<n, V>::tile) * int(sizeof(float2));
      study::allow_shared(kernel, shared);
      return Shape{reinterpret_cast<const void*>(kernel), Plan<n, V>::block, shared, 0};
    });
  }
  static void launch(const Request& r) {
    const Shape at = shape(r);
    for_its_size(r.n, [&](auto n) {
      block_transform<n, V, Layout, Twiddles>
          <<<unsigned(tiles_of<n, V>(r.batch)), at.threads, at.shared>>>(r.to, r.from, r.roots,
                                                                         r.batch, r.inverse);
    });
  }
};

template <int V, typename Layout, typename Twiddles>
Rung block_rung(const char* name) {
  using Launch = BlockLaunch<V, Layout, Twiddles>;
  return {name, Launch::launch, Launch::shape, longest<V>};
}

}  // namespace fft
