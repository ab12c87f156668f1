// Bandwidth of shared memory by width of access: 4, 8 and 16 bytes a lane, loads and stores without
// bank conflicts, and 4-byte loads at strides of 2 to 32 words for what a conflict costs.
//
// Method: 1024 threads on every SM, each lane at its own place of the warp's row, eight accesses in
// flight (LDS, LDS.64, LDS.128, STS …), by the SM's clock.
//
// The loads are volatile, as ptxas takes others out of the loop; the instruction is the same.
//
// Verified: what the loads add up to, and what the stores leave, against the host.
#include "machines/probes/probe.cuh"

using namespace probe;

constexpr int words = 8192, unrolled = 8;  // 32 KiB

template <int width>
__device__ __forceinline__ uint32_t load(uint32_t address) {
  uint32_t a, b = 0, c = 0, d = 0;
  if constexpr (width == 4)
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(address));
  if constexpr (width == 8)
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(address));
  if constexpr (width == 16)
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(address));
  return a ^ b ^ c ^ d;
}

template <int width>
__device__ __forceinline__ void store(uint32_t address, uint32_t value) {
  if constexpr (width == 4)
    asm volatile("st.shared.u32 [%0], %1;" : : "r"(address), "r"(value) : "memory");
  if constexpr (width == 8)
    asm volatile("st.shared.v2.u32 [%0], {%1, %1};" : : "r"(address), "r"(value) : "memory");
  if constexpr (width == 16)
    asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};"
                 :
                 : "r"(address), "r"(value)
                 : "memory");
}

// Threads lie `stride` bytes apart within a warp, warps and accesses 512 bytes.
template <int width, bool stores>
__global__ void __launch_bounds__(1024)
    access(const uint32_t* content, int stride, int rounds, uint32_t* results, long long* cycles) {
  __shared__ alignas(16) uint32_t row[words];
  for (int i = threadIdx.x; i < words; i += blockDim.x) row[i] = content[i];
  const uint32_t base = uint32_t(__cvta_generic_to_shared(row));
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t sum = threadIdx.x;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < unrolled; ++i) {
      const uint32_t address = base + (lane * stride + (warp * unrolled + i) * 512) % (words * 4);
      if constexpr (stores)
        store<width>(address, sum + round);
      else
        sum ^= load<width>(address);
    }
  }
  __syncthreads();
  const long long stop = clock64();
  if constexpr (stores) {
    sum = 0;
#pragma unroll 1
    for (int i = threadIdx.x; i < words; i += blockDim.x) sum ^= row[i];
  }
  results[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = stop - start;
}

// Bytes of (longer - shorter) rounds over the cycles of the difference, so that start and end cost
// nothing. launch(rounds) leaves the cycles of each block in `cycles`; one round is `bytes`.
template <typename Launch>
std::vector<double> bytes_per_clock(const Array<long long>& cycles, double bytes, int shorter,
                                    int longer, int repeat, const Launch& launch) {
  auto middle = [&](int rounds) {
    launch(rounds);
    PROBE_CALL(cudaGetLastError());
    const auto all = cycles.read();
    return median(std::vector<double>(all.begin(), all.end()));
  };
  middle(shorter);
  std::vector<double> samples;
  for (int i = 0; i < repeat; ++i)
    samples.push_back(bytes * (longer - shorter) / (middle(longer) - middle(shorter)));
  return samples;
}

template <int width, bool stores>
std::vector<double> measure(Probe& probe, const char* name, const char* instruction, int stride,
                            const At& at) {
  const int threads = probe.small ? 64 : 1024,
            blocks = probe.small ? 1 : probe.device.multiProcessorCount, odd = 1;
  std::vector<uint32_t> content(words);
  for (uint32_t& word : content) word = probe.bits();
  Array<uint32_t> data(content), results(size_t(blocks) * threads);
  Array<long long> cycles(blocks);
  auto launch = [&](int rounds) {
    access<width, stores>
        <<<blocks, threads>>>(data.data(), stride, rounds, results.data(), cycles.data());
    PROBE_CALL(cudaGetLastError());
  };

  // After an odd number of rounds every load stands in the sum once. With more than 256 threads
  // rows overlap, and any of several stores may be the last.
  const int checked = stores ? 64 : threads;
  access<width, stores>
      <<<blocks, checked>>>(data.data(), stride, odd, results.data(), cycles.data());
  PROBE_CALL(cudaGetLastError());
  const std::vector<uint32_t> found = results.read();
  bool passed = true;
  std::vector<uint32_t> row = content;
  for (int t = 0; t < checked; ++t) {
    uint32_t sum = uint32_t(t);
    for (int i = 0; i < unrolled; ++i) {
      const int at_word = ((t % 32) * stride + (t / 32 * unrolled + i) * 512) % (words * 4) / 4;
      for (int w = 0; w < width / 4; ++w) {
        if (stores) row[at_word + w] = uint32_t(t);
        sum ^= content[at_word + w];
      }
    }
    if (!stores) passed &= found[t] == sum;
  }
  for (int t = 0; stores && t < checked; ++t) {
    uint32_t left = 0;
    for (int i = t; i < words; i += checked) left ^= row[i];
    passed &= found[t] == left;
  }
  probe.check(name, passed, checked);
  if (probe.small) return {};
  const auto samples =
      bytes_per_clock(cycles, double(threads) * unrolled * width, 32, 160, 9, launch);
  probe.value(name, "B/clk/SM", instruction, samples, at);
  return samples;
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  std::vector<double> best;
  auto keep = [&](const std::vector<double>& samples) {
    if (best.empty() || (!samples.empty() && median(samples) > median(best))) best = samples;
  };
  keep(measure<4, false>(probe, "load", "LDS", 4, {{"bytes", 4}}));
  keep(measure<8, false>(probe, "load", "LDS.64", 8, {{"bytes", 8}}));
  keep(measure<16, false>(probe, "load", "LDS.128", 16, {{"bytes", 16}}));
  measure<4, true>(probe, "store", "STS", 4, {{"bytes", 4}});
  measure<8, true>(probe, "store", "STS.64", 8, {{"bytes", 8}});
  measure<16, true>(probe, "store", "STS.128", 16, {{"bytes", 16}});
  for (const int stride : {2, 4, 8, 16, 32})
    measure<4, false>(probe, "load_strided", "LDS", 4 * stride, {{"words", double(stride)}});
  probe.value("best", "B/clk/SM", "LDS, LDS.64 or LDS.128", best);
  return probe.end();
}
