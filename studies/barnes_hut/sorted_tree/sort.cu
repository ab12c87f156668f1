// Bodies in the order of their keys: the order by a radix sort of the library, then places and
// motions moved, so that what is near in space is near in memory for all that follows.
#include <cub/device/device_radix_sort.cuh>

#include "studies/barnes_hut/sorted_tree/tree.h"

namespace barnes_hut::sorted {

static cudaError_t sort_pairs(void* storage, size_t& bytes, const Key* keys, Key* sorted_keys,
                              const unsigned* bodies, unsigned* order, int n) {
  return cub::DeviceRadixSort::SortPairs(storage, bytes, keys, sorted_keys, bodies, order, n, 0,
                                         3 * levels);
}

static size_t storage_bytes(int n) {
  size_t bytes = 0;
  CHECK(sort_pairs(nullptr, bytes, nullptr, nullptr, nullptr, nullptr, n));
  return bytes;
}

Sort::Sort(int n)
    : n_(n),
      keys_(n),
      sorted_keys_(n),
      bodies_(n),
      order_(n),
      bytes_(storage_bytes(n)),
      storage_(bytes_) {}

void Sort::run() {
  CHECK(sort_pairs(storage_.data(), bytes_, keys(), sorted_keys(), bodies(), order_.data(), n_));
}

template <typename Real>
static __global__ void gather_kernel(int n, const unsigned* order, const Place<Real>* places,
                                     const Motion<Real>* motions, Place<Real>* places_in_order,
                                     Motion<Real>* motions_in_order) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned from = order[i];
  places_in_order[i] = places[from];
  motions_in_order[i] = motions[from];
}

template <typename Real>
void gather(int n, const unsigned* order, const Place<Real>* places, const Motion<Real>* motions,
            Place<Real>* places_in_order, Motion<Real>* motions_in_order) {
  gather_kernel<<<nbody::blocks_over(n, block_size), block_size>>>(
      n, order, places, motions, places_in_order, motions_in_order);
  CHECK(cudaGetLastError());
}
template void gather(int, const unsigned*, const Place<float>*, const Motion<float>*, Place<float>*,
                     Motion<float>*);
template void gather(int, const unsigned*, const Place<double>*, const Motion<double>*,
                     Place<double>*, Motion<double>*);

}  // namespace barnes_hut::sorted
