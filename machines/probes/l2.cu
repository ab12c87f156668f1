// Bandwidth of L2 by working set: all SMs together read one range over and over, past L1.
//
// Method: a grid that fills the GPU; in every round each block reads another part of the range, so
// that every SM reads from all of L2. 16 bytes a lane past L1 (ld.global.cg, LDG.E.128.STRONG.GPU),
// four loads in flight, timed by events, 10^9 bytes a second. Ranges larger than L2 show DRAM. The
// best value is of ranges that give every block a part of its own.
//
// Verified: the sum of all that was read, against a formula (the range holds a random arithmetic
// sequence).
#include "headroom/timing.cuh"
#include "machines/probes/probe.cuh"

using namespace probe;
namespace timing = headroom::timing;

constexpr int threads = 512, unrolled = 4, part = threads * unrolled;  // 32 KiB

__global__ void fill(uint4* memory, size_t vectors, uint32_t first, uint32_t step) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < vectors;
       i += size_t(gridDim.x) * blockDim.x) {
    const uint32_t term = first + step * uint32_t(4 * i);
    memory[i] = {term, term + step, term + 2 * step, term + 3 * step};
  }
}

__global__ void __launch_bounds__(threads)
    read(const uint4* memory, int parts, int rounds, uint32_t* sums) {
  uint32_t sum = 0;
  int at = blockIdx.x % parts;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const uint4* own = memory + size_t(at) * part + threadIdx.x;
    uint4 v[unrolled];
#pragma unroll
    for (int i = 0; i < unrolled; ++i)
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v[i].x), "=r"(v[i].y), "=r"(v[i].z), "=r"(v[i].w)
                   : "l"(own + i * threads));
#pragma unroll
    for (int i = 0; i < unrolled; ++i) sum += v[i].x + v[i].y + v[i].z + v[i].w;
    at += gridDim.x;
    while (at >= parts) at -= parts;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  const int blocks = probe.small ? 8 : probe.device.multiProcessorCount * 4;
  std::vector<double> best;
  for (const double mib : {0.25, 2.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0, 40.0, 48.0,
                           56.0, 64.0, 80.0, 96.0, 128.0, 256.0, 1024.0}) {
    if (probe.small && mib > 1) break;
    const int parts = int(mib * 1024 / 32);
    const size_t vectors = size_t(parts) * part;
    const uint32_t first = probe.bits(), step = probe.bits() | 1;
    Array<uint4> memory(vectors);
    Array<uint32_t> sums(size_t(blocks) * threads);
    fill<<<blocks, threads>>>(memory.data(), vectors, first, step);
    // The whole range a whole number of times, and about 8 GiB of reads in all.
    const double whole = probe.small ? parts / 8.0 : double(parts) / blocks;
    const int passes = probe.small ? 1 : std::max(1, int(8 * 1024 / mib));
    const int rounds = std::max(1, int(std::ceil(whole * passes)));
    auto launch = [&](cudaStream_t s) {
      read<<<blocks, threads, 0, s>>>(memory.data(), parts, rounds, sums.data());
    };
    launch(nullptr);
    PROBE_CALL(cudaGetLastError());

    // Each block's parts, by the same walk; a part's sum by the formula.
    uint32_t expected = 0, found = 0;
    for (int block = 0; block < blocks; ++block) {
      int at = block % parts;
      for (int round = 0; round < rounds; ++round) {
        const uint32_t n = 4 * part, begin = first + step * uint32_t(4ull * part * at);
        expected += n * begin + step * uint32_t(uint64_t(n) * (n - 1) / 2);
        at = (at + blocks) % parts;
      }
    }
    for (const uint32_t sum : sums.read()) found += sum;
    probe.check("read", found == expected, double(vectors) * 4);
    if (probe.executor) continue;
    timing::Plan plan;
    plan.max_seconds = 0.15;
    std::vector<double> samples;
    for (const double seconds : timing::measure(plan, launch).seconds)
      samples.push_back(double(blocks) * rounds * part * 16 / seconds / 1e9);
    probe.value("read", "GB/s", "LDG.E.128.STRONG.GPU", samples, {{"MiB", mib}});
    // Smaller ranges are read by several blocks at a time, whose requests may be served as one.
    if (parts >= blocks && (best.empty() || median(samples) > median(best))) best = samples;
  }
  probe.value("best", "GB/s", "LDG.E.128.STRONG.GPU", best);
  return probe.end();
}
