// Matrix instructions of a warp group (compute capability 9.0a): latency and throughput of
// wgmma.mma_async m64n128k16 with FP16 operands in shared memory and FP32 sums.
//
// Method: latency of one instruction waited for (HGMMA.64x128x16.F32, commit, wait), the difference
// of two numbers of them; throughput with 1, 2 and 4 warp groups an SM, sixteen instructions queued
// before a wait, by the SM's clock, and of the whole GPU by events. A multiply-add is two
// operations.
//
// Verified: every sum of a warp group against the host; operands are -1, 0 and 1, those of B the
// same along k, so that every order of sums is exact. Layouts are those of the PTX
// manual, 9.7.15.5.
#include "headroom/timing.cuh"
#include "machines/probes/probe.cuh"

using namespace probe;
namespace timing = headroom::timing;

constexpr int m = 64, n = 128, k = 16, queued = 16;
constexpr double operations = 2.0 * m * n * k;

// A matrix of rows of 16 halves in cores of 8 rows by 8 halves, 128 bytes each, without swizzle:
// cores side by side along k 128 bytes apart, along the rows 256.
__host__ __device__ inline int place(int row, int column) {
  return (row / 8 * 2 + column / 8) * 64 + row % 8 * 8 + column % 8;
}

__device__ uint64_t descriptor(const void* shared) {
  const uint64_t address = __cvta_generic_to_shared(shared);
  return (address & 0x3ffff) >> 4 | uint64_t(128 >> 4) << 16 | uint64_t(256 >> 4) << 32;
}

// One multiplication, added to d.
__device__ __forceinline__ void multiply(float (&d)[64], uint64_t a, uint64_t b) {
  // clang-format off
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
        "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
        "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
        "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
        "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b));
  // clang-format on
}
__device__ __forceinline__ void commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// Every warp group of 128 threads has sums of its own, all the same operands.
template <int at_a_time>
__global__ void __launch_bounds__(512)
    run(const uint16_t* operands, float* sums, int rounds, long long* cycles) {
  __shared__ alignas(128) uint16_t a[m * k], b[n * k];
  for (int i = threadIdx.x; i < m * k; i += blockDim.x) a[i] = operands[i];
  for (int i = threadIdx.x; i < n * k; i += blockDim.x) b[i] = operands[m * k + i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t of_a = descriptor(a), of_b = descriptor(b);
  float d[64] = {};
  long long start = 0;
#pragma unroll 1
  for (int round = -1; round < rounds; ++round) {
    if (round == 0) {  // the first round brings the code
      __syncthreads();
      start = clock64();
    }
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < at_a_time; ++i) multiply(d, of_a, of_b);
    commit();
    wait();
  }
  __syncthreads();
  const long long stop = clock64();
#pragma unroll
  for (int i = 0; i < 64; ++i)
    sums[(size_t(blockIdx.x) * blockDim.x + threadIdx.x) * 64 + i] = d[i];
  if (threadIdx.x == 0) cycles[blockIdx.x] = stop - start;
}

struct Problem {
  std::vector<uint16_t> operands = std::vector<uint16_t>((m + n) * k);
  std::vector<int> row_sum = std::vector<int>(m), column = std::vector<int>(n);

  static uint16_t half_of(int value) { return value < 0 ? 0xbc00 : value > 0 ? 0x3c00 : 0; }

  explicit Problem(Probe& probe) {
    auto any = [&] { return int(probe.bits() % 3) - 1; };
    for (int& each : column) each = any();
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < k; ++j) {
        const int value = any();
        row_sum[i] += value;
        operands[place(i, j)] = half_of(value);
      }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < k; ++j) operands[m * k + place(i, j)] = half_of(column[i]);
  }

  bool equals(const std::vector<float>& sums, int threads, double times) const {
    for (int t = 0; t < threads; ++t)
      for (int i = 0; i < 64; ++i) {
        const int lane = t % 32, row = t / 32 % 4 * 16 + lane / 4 + 8 * (i / 2 % 2),
                  at = lane % 4 * 2 + i % 2 + 8 * (i / 4);
        if (double(sums[size_t(t) * 64 + i]) != row_sum[row] * column[at] * times) return false;
      }
    return true;
  }
};

void latency(Probe& probe, const Problem& problem, const Array<uint16_t>& operands) {
  Array<float> sums(128 * 64);
  Array<long long> cycles(1);
  bool passed = true;
  auto once = [&](int rounds) {
    run<1><<<1, 128>>>(operands.data(), sums.data(), rounds, cycles.data());
    PROBE_CALL(cudaGetLastError());
    passed &= problem.equals(sums.read(), 128, rounds + 1);
    return double(cycles.first());
  };
  std::vector<double> samples;
  for (int i = 0; i < (probe.small ? 1 : 15); ++i) samples.push_back((once(40) - once(8)) / 32);
  probe.check("wgmma_f16_latency", passed, 128 * 64);
  probe.value("wgmma_f16_latency", "cycles", "HGMMA.64x128x16.F32 and a wait", samples);
}

void throughput(Probe& probe, const Problem& problem, const Array<uint16_t>& operands, int groups) {
  const int threads = 128 * groups, blocks = probe.small ? 1 : probe.device.multiProcessorCount;
  Array<float> sums(size_t(blocks) * threads * 64);
  Array<long long> cycles(blocks);
  auto launch = [&](int rounds, cudaStream_t stream) {
    run<queued>
        <<<blocks, threads, 0, stream>>>(operands.data(), sums.data(), rounds, cycles.data());
  };
  auto middle = [&](int rounds) {
    launch(rounds, nullptr);
    PROBE_CALL(cudaGetLastError());
    const auto each = cycles.read();
    return median(std::vector<double>(each.begin(), each.end()));
  };
  middle(1);
  probe.check("wgmma_f16", problem.equals(sums.read(), threads, 2.0 * queued), threads * 64);
  if (probe.small) return;
  const At at{{"warp groups", double(groups)}};
  std::vector<double> samples;
  for (int i = 0; i < 9; ++i)
    samples.push_back(operations * queued * groups * 32 / (middle(40) - middle(8)));
  probe.value("wgmma_f16", "operations/clk/SM", "HGMMA.64x128x16.F32", samples, at);
  const int rounds = 1000;
  timing::Plan plan;
  plan.max_seconds = 0.5;
  samples.clear();
  for (const double seconds :
       timing::measure(plan, [&](cudaStream_t s) { launch(rounds - 1, s); }).seconds)
    samples.push_back(operations * queued * groups * rounds * blocks / seconds / 1e12);
  probe.value("wgmma_f16_rate", "10^12 operations/s", "HGMMA.64x128x16.F32", samples, at);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  if (probe.device.major != 9) {
    probe.caveat("matrix instructions of warp groups were not measured", "this GPU has none",
                 "they are Hopper's, compute capability 9.0");
    return probe.end();
  }
  const Problem problem(probe);
  const Array<uint16_t> operands(problem.operands);
  latency(probe, problem, operands);
  for (const int groups : {1, 2, 4}) throughput(probe, problem, operands, groups);
  return probe.end();
}
