// Bandwidth of DRAM: 2 GiB read, written and copied by kernels of several shapes, and the driver's
// own copy and fill.
//
// Method: every thread moves 16 bytes `unrolled` times, all loads before the first use, in blocks
// of 256, 512 or 1024 threads; one pass over memory that is many times the L2. Timed by events; the
// best shape is the value, the others stand beside it. A copy counts the bytes read and those
// written. Bytes are those the kernel asks for, in 10^9 a second.
//
// Verified: the memory holds an arithmetic sequence with random first term and step; a read of each
// shape adds all of it up, and a write or copy is read back so: one missing or doubled word changes
// the sum.
#include "headroom/timing.cuh"
#include "machines/probes/probe.cuh"

using namespace probe;
namespace timing = headroom::timing;

enum class Work { read, write, copy };

// Instructions: LDG.E.128 and STG.E.128.
template <Work work, int unrolled>
__global__ void move(const uint4* from, uint4* to, uint32_t first, uint32_t step,
                     unsigned long long* sum) {
  const size_t begin = size_t(blockIdx.x) * blockDim.x * unrolled + threadIdx.x;
  uint4 value[unrolled];
#pragma unroll
  for (int i = 0; i < unrolled; ++i) {
    const size_t at = begin + i * blockDim.x;
    if constexpr (work == Work::write) {
      const uint32_t term = first + step * uint32_t(4 * at);
      value[i] = {term, term + step, term + 2 * step, term + 3 * step};
    } else {
      value[i] = from[at];
    }
  }
  if constexpr (work == Work::read) {
    uint32_t own = 0;
#pragma unroll
    for (int i = 0; i < unrolled; ++i) own += value[i].x + value[i].y + value[i].z + value[i].w;
    own = __reduce_add_sync(0xffffffff, own);
    if (sum && threadIdx.x % 32 == 0) atomicAdd(sum, own);
    if (!sum && own == first) to[0] = value[0];  // keeps the loads; first is no likely sum
  } else {
#pragma unroll
    for (int i = 0; i < unrolled; ++i) to[begin + i * blockDim.x] = value[i];
  }
}

struct Shape {
  int unrolled, threads;
};

struct Memory {
  size_t words;  // of 16 bytes
  Array<uint4> a, b;
  Array<unsigned long long> sum{1};
  uint32_t first, step;
  Memory(Probe& probe, size_t words)
      : words(words), a(words), b(words), first(probe.bits()), step(probe.bits() | 1) {}

  template <Work work>
  void launch(Shape shape, uint4* from, uint4* to, unsigned long long* sum, cudaStream_t s) {
    const int blocks = int(words / (size_t(shape.threads) * shape.unrolled));
    auto go = [&](auto unrolled) {
      move<work, unrolled.value><<<blocks, shape.threads, 0, s>>>(from, to, first, step, sum);
    };
    if (shape.unrolled == 1) go(std::integral_constant<int, 1>{});
    if (shape.unrolled == 2) go(std::integral_constant<int, 2>{});
    if (shape.unrolled == 4) go(std::integral_constant<int, 4>{});
    if (shape.unrolled == 8) go(std::integral_constant<int, 8>{});
    PROBE_CALL(cudaGetLastError());
  }

  // Adds up what lies there, a warp's sum at a time modulo 2^32, and compares with the formula.
  bool holds_sequence(uint4* memory, Shape shape = {4, 256}) {
    PROBE_CALL(cudaMemset(sum.data(), 0, sizeof(unsigned long long)));
    launch<Work::read>(shape, memory, nullptr, sum.data(), nullptr);
    const uint32_t n = uint32_t(4 * words);
    const uint64_t pairs = uint64_t(4 * words) * (4 * words - 1) / 2;
    return uint32_t(sum.first()) == n * first + uint32_t(pairs) * step;
  }
};

constexpr Shape shapes[] = {{1, 256}, {2, 256}, {4, 256},  {8, 256},  {2, 512},
                            {4, 512}, {8, 512}, {1, 1024}, {2, 1024}, {4, 1024}};

template <typename Launch>
std::vector<double> rates(double bytes, const Launch& launch) {
  timing::Plan plan;
  plan.max_seconds = 0.15;
  std::vector<double> samples;
  for (const double seconds : timing::measure(plan, launch).seconds)
    samples.push_back(bytes / seconds / 1e9);
  return samples;
}

template <Work work>
void measure(Probe& probe, Memory& memory, const char* name, const char* instruction) {
  std::vector<double> best;
  for (const Shape& shape : shapes) {
    PROBE_CALL(cudaMemset(memory.b.data(), 0, memory.words * 16));
    const double bytes = double(memory.words) * 16 * (work == Work::copy ? 2 : 1);
    const auto samples = rates(bytes, [&](cudaStream_t s) {
      memory.launch<work>(shape, memory.a.data(), memory.b.data(), nullptr, s);
    });
    probe.value(name, "GB/s", instruction, samples,
                {{"threads", shape.threads}, {"loads", shape.unrolled}});
    if (best.empty() || median(samples) > median(best)) best = samples;
    const bool holds = work == Work::read ? memory.holds_sequence(memory.a.data(), shape)
                                          : memory.holds_sequence(memory.b.data());
    probe.check(name, holds, double(memory.words) * 4);
  }
  probe.value(name, "GB/s", instruction, best);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  Memory memory(probe, probe.small ? 8192 : size_t(1) << 27);
  memory.launch<Work::write>({4, 256}, nullptr, memory.a.data(), nullptr, nullptr);

  measure<Work::read>(probe, memory, "read", "LDG.E.128");
  measure<Work::write>(probe, memory, "write", "STG.E.128");
  measure<Work::copy>(probe, memory, "copy", "LDG.E.128, STG.E.128");

  const size_t bytes = memory.words * 16;
  PROBE_CALL(cudaMemset(memory.b.data(), 0, bytes));
  probe.value("memcpy", "GB/s", "cudaMemcpyAsync", rates(2.0 * double(bytes), [&](cudaStream_t s) {
                PROBE_CALL(cudaMemcpyAsync(memory.b.data(), memory.a.data(), bytes,
                                           cudaMemcpyDeviceToDevice, s));
              }));
  probe.check("memcpy", memory.holds_sequence(memory.b.data()), double(memory.words) * 4);

  memory.first = 0x01010101u * (probe.bits() & 0xff), memory.step = 0;
  probe.value("memset", "GB/s", "cudaMemsetAsync", rates(double(bytes), [&](cudaStream_t s) {
                PROBE_CALL(cudaMemsetAsync(memory.b.data(), int(memory.first & 0xff), bytes, s));
              }));
  probe.check("memset", memory.holds_sequence(memory.b.data()), double(memory.words) * 4);
  return probe.end();
}
