// Thrust's sort and reduce_by_key against std:: on fresh random input.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <algorithm>
#include <map>

#include "tests/programs/expect.cuh"
#include "tests/programs/random_input.cuh"

template <class T>
std::vector<T> host(const thrust::device_vector<T>& values) {
  std::vector<T> out(values.size());
  thrust::copy(values.begin(), values.end(), out.begin());
  return out;
}

struct ByLastDigits {  // not one of CUB's keys: a merge sort
  __host__ __device__ bool operator()(int a, int b) const { return (a & 1023) < (b & 1023); }
};

void sorts(Random& random, size_t n) {
  std::vector<int> values = random.values<int>(n);
  thrust::device_vector<int> device(values.begin(), values.end());
  thrust::stable_sort(device.begin(), device.end(), ByLastDigits{});
  std::stable_sort(values.begin(), values.end(), ByLastDigits{});
  EXPECT(host(device) == values);
}

void reduces_by_key(Random& random, size_t n) {
  std::vector<int> keys = random.values<int>(n, 0, 999), values = random.values<int>(n, -100, 100);
  std::sort(keys.begin(), keys.end());
  std::map<int, int> expected;
  for (size_t i = 0; i < n; ++i) expected[keys[i]] += values[i];
  thrust::device_vector<int> in(keys.begin(), keys.end()), summands(values.begin(), values.end()),
      key(n), sum(n);
  const auto ends =
      thrust::reduce_by_key(in.begin(), in.end(), summands.begin(), key.begin(), sum.begin());
  key.resize(ends.first - key.begin());
  sum.resize(ends.second - sum.begin());
  const std::vector<int> key_out = host(key), sum_out = host(sum);
  std::map<int, int> found;
  for (size_t i = 0; i < key_out.size(); ++i) found[key_out[i]] = sum_out[i];
  EXPECT(key_out.size() == expected.size() && found == expected);
}

int main(int argc, char** argv) {
  Random random(argc, argv);
  for (size_t n : sizes) {
    sorts(random, n);
    reduces_by_key(random, n);
    if (failures) return std::printf("of %zu, seed %lu\n", n, random.seed), 1;
  }
}
