// CUB's device-wide radix sort, of keys and of pairs, against std::stable_sort on fresh random input.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <numeric>

#include "tests/programs/device_vector.cuh"
#include "tests/programs/expect.cuh"
#include "tests/programs/random_input.cuh"

void sorts_keys(Random& random, size_t n) {
  std::vector<int> keys = random.values<int>(n);
  DeviceVector<int> in(keys), out(n);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data, out.data, int(n));
  });
  std::sort(keys.begin(), keys.end());
  EXPECT(out.host() == keys);
}

// Few different keys, so that the order of equal ones shows: the sort is stable.
void sorts_pairs(Random& random, size_t n) {
  std::vector<int> keys = random.values<int>(n, -50, 50), order(n);
  std::iota(order.begin(), order.end(), 0);
  DeviceVector<int> in(keys), out(n), values_in(order), values_out(n);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, in.data, out.data, values_in.data,
                                           values_out.data, int(n));
  });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  std::stable_sort(keys.begin(), keys.end());
  EXPECT(out.host() == keys);
  EXPECT(values_out.host() == order);
}

int main(int argc, char** argv) {
  Random random(argc, argv);
  for (size_t n : sizes) {
    sorts_keys(random, n);
    sorts_pairs(random, n);
    if (failures) return std::printf("of %zu, seed %lu\n", n, random.seed), 1;
  }
}
