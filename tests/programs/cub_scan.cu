// CUB's device-wide scan (decoupled look-back: blocks wait for those before them), reduce and select, against std:: on
// fresh random input.
#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <numeric>

#include "tests/programs/device_vector.cuh"
#include "tests/programs/expect.cuh"
#include "tests/programs/random_input.cuh"

void scans(Random& random, size_t n) {
  const std::vector<int> values = random.values<int>(n, -1000, 1000);
  DeviceVector<int> in(values), out(n);
  std::vector<int> expected(n);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, in.data, out.data, int(n));
  });
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
  EXPECT(out.host() == expected);
}

void reduces(Random& random, size_t n) {
  const std::vector<int> values = random.values<int>(n, -1000, 1000);
  DeviceVector<int> in(values), out(1);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, in.data, out.data, int(n));
  });
  EXPECT(out.host()[0] == std::accumulate(values.begin(), values.end(), 0));
}

struct Odd {
  __host__ __device__ bool operator()(int value) const { return value & 1; }
};

void selects(Random& random, size_t n) {
  const std::vector<int> values = random.values<int>(n);
  DeviceVector<int> in(values), out(n), count(1);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, in.data, out.data, count.data, int(n), Odd{});
  });
  std::vector<int> expected, selected = out.host();
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Odd{});
  selected.resize(std::min<size_t>(n, count.host()[0]));
  EXPECT(selected == expected);
}

int main(int argc, char** argv) {
  Random random(argc, argv);
  for (size_t n : sizes) {
    scans(random, n);
    reduces(random, n);
    selects(random, n);
    if (failures) return std::printf("of %zu, seed %lu\n", n, random.seed), 1;
  }
}
