// Kernels launched again and again on the same arrays, while now and then something of what they read or write changes:
// whatever the device makes of a launch that would do again what one before did, memory is as the host computes it.
//
//   repeats [SEED]
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tests/programs/expect.cuh"
#include "tests/programs/random_input.cuh"

namespace {

constexpr int words = 30000, arrays = 5, managed = 4, entries = 64, steps = 1500;
constexpr int threads = 128, blocks = (words + threads - 1) / threads;

__constant__ uint32_t factor = 3;
__device__ uint32_t table[entries];

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void scale(const uint32_t* in, uint32_t* out, int begin, int end) {
  const int i = begin + thread_number();
  if (i < end) out[i] = in[i] * factor + table[i % entries];
}
__global__ void add(const uint32_t* in, uint32_t* out) {
  const int i = thread_number();
  if (i < words) out[i] += in[i];
}
__global__ void sum(const uint32_t* in, uint32_t* out) {
  const int i = thread_number();
  if (i < words) atomicAdd(&out[i % 7], in[i]);
}
__global__ void set(uint32_t* to, uint32_t value) { *to = value; }
__global__ void count_clocks(uint32_t* out) {
  uint32_t sum = 0;
  for (int i = 0; i < 64; ++i) sum += uint32_t(clock64());
  out[thread_number()] = sum;
}

struct Host {
  uint32_t factor = 3, table[entries] = {};
  uint32_t array[arrays][words] = {};
};

struct Both {
  Random& random;
  Host host;
  uint32_t* device[arrays] = {};

  uint32_t any(uint32_t below) { return uint32_t(random.engine()) % below; }

  void allocate(int a) {
    EXPECT_OK(a == managed ? cudaMallocManaged(&device[a], sizeof host.array[a])
              : a == 3     ? cudaMallocAsync(&device[a], sizeof host.array[a], 0)
                           : cudaMalloc(&device[a], sizeof host.array[a]));
    EXPECT_OK(cudaMemset(device[a], 0, sizeof host.array[a]));
    std::memset(host.array[a], 0, sizeof host.array[a]);
  }

  // Few different ones, so that most come again.
  void launch() {
    const int in = int(any(arrays)), out = int(any(2)), end = any(3) ? words : 10000;
    run(any(8), in, out, end);
  }

  void run(uint32_t which, int in, int out, int end) {
    uint32_t(&from)[words] = host.array[in], (&to)[words] = host.array[out];
    switch (which) {
      case 0:
        add<<<blocks, threads>>>(device[in], device[out]);
        for (int i = 0; i < words; ++i) to[i] += from[i];
        break;
      case 1:
        if (in == 2) return;
        sum<<<blocks, threads>>>(device[in], device[2]);
        for (int i = 0; i < words; ++i) host.array[2][i % 7] += from[i];
        break;
      default:
        if (in == out) return;
        scale<<<blocks, threads>>>(device[in], device[out], words - end, words);
        for (int i = words - end; i < words; ++i)
          to[i] = from[i] * host.factor + host.table[i % entries];
    }
  }

  // What is added to is made anew before each.
  void run_rounds() {
    const int in = 3, out = int(any(2));
    const uint32_t which = any(2);
    const bool clears = any(4) > 0;
    for (int round = 0; round < 5; ++round) {
      const int to = which ? 2 : out;
      if (clears) {
        EXPECT_OK(cudaMemset(device[to], 0, sizeof host.array[to]));
        std::memset(host.array[to], 0, sizeof host.array[to]);
      }
      run(which, in, out, words);
      EXPECT(is_same(to));
      if (any(8) == 0) change();
    }
  }

  void change() {
    const int a = int(any(arrays)), b = int(any(arrays)), at = int(any(words));
    const int n = 1 + int(any(words - at));
    const uint32_t value = uint32_t(random.engine());
    switch (any(8)) {
      case 0:  // by the host, or by a kernel
        if (any(2)) {
          EXPECT_OK(cudaMemcpyToSymbol(factor, &value, sizeof value));
        } else {
          void* place = nullptr;
          EXPECT_OK(cudaGetSymbolAddress(&place, factor));
          set<<<1, 1>>>(static_cast<uint32_t*>(place), value);
        }
        host.factor = value;
        break;
      case 1:
        EXPECT_OK(cudaMemcpyToSymbol(table, &value, sizeof value, 4 * (at % entries)));
        host.table[at % entries] = value;
        break;
      case 2:
        EXPECT_OK(cudaMemcpy(device[a] + at, &value, sizeof value, cudaMemcpyHostToDevice));
        host.array[a][at] = value;
        break;
      case 3:
        if (a == b) break;
        EXPECT_OK(cudaMemcpyAsync(device[a] + at, device[b] + at, 4 * n, cudaMemcpyDeviceToDevice));
        std::copy_n(host.array[b] + at, n, host.array[a] + at);
        break;
      case 4:
        EXPECT_OK(cudaMemset(device[a] + at, int(value & 0xff), 4 * n));
        std::fill_n(host.array[a] + at, n, (value & 0xff) * 0x01010101u);
        break;
      case 5:
        EXPECT_OK(a == 3 ? cudaFreeAsync(device[a], 0) : cudaFree(device[a]));
        allocate(a);
        break;
      case 6:
        EXPECT_OK(cudaDeviceSynchronize());
        device[managed][at] = host.array[managed][at] = value;
        break;
      default:  // rows of two words, three words apart
        EXPECT_OK(cudaMemset2D(device[a], 12, int(value & 0xff), 8, words / 3));
        for (int i = 0; i < words; ++i)
          if (i % 3 < 2) host.array[a][i] = (value & 0xff) * 0x01010101u;
    }
  }

  bool is_same(int a) {
    static uint32_t got[words];
    EXPECT_OK(cudaMemcpy(got, device[a], sizeof got, cudaMemcpyDeviceToHost));
    return std::equal(got, got + words, host.array[a]);
  }
};

// It reads a clock, so that it does something else each time.
void check_clocks() {
  constexpr int n = blocks * threads;
  static uint32_t first[n], second[n];
  uint32_t* out = nullptr;
  EXPECT_OK(cudaMalloc(&out, sizeof first));
  for (uint32_t* to : {first, second}) {
    count_clocks<<<blocks, threads>>>(out);
    EXPECT_OK(cudaMemcpy(to, out, sizeof first, cudaMemcpyDeviceToHost));
  }
  EXPECT(!std::equal(first, first + n, second));
  EXPECT_OK(cudaFree(out));
}

}  // namespace

int main(int argc, char** argv) {
  Random random(argc, argv);
  static Both both{random};
  for (int a = 0; a < arrays; ++a) both.allocate(a);
  for (int step = 0; step < steps && !failures; ++step) {
    const uint32_t what = both.any(20);
    what < 3 ? both.change() : what < 4 ? both.run_rounds() : both.launch();
    EXPECT_OK(cudaGetLastError());
    EXPECT(both.is_same(int(both.any(arrays))));
  }
  for (int a = 0; a < arrays; ++a) {
    EXPECT(both.is_same(a));
    EXPECT_OK(cudaFree(both.device[a]));
  }
  check_clocks();
  if (failures) std::printf("seed %lu\n", random.seed);
  return failures ? 1 : 0;
}
