// Load-to-use latency: cycles of a load whose address is what the load before returned.
//
// Method: one thread follows pointers, `ring[i]` holds where i + 1 is, all in one random circle, so
// that no prefetch can guess. The difference of a longer and a shorter walk over the difference of
// their steps is the value; a first walk brings the ring where it is to be found.
//
//   shared    4-byte addresses, LDS
//   constant  offsets in constant memory, LDC: 2 KiB
//   l1        8-byte pointers, 16 KiB, LDG.E.64
//   l2        the same past L1 (ld.global.cg, LDG.E.64.STRONG.GPU): 1 MiB; and alone, every line of
//             a range for itself (a pointer to itself): the two halves of L2 lie at different
//             distances from an SM, and a line is in one of them
//   dram      1 GiB, each line for the first time, past L2; and over 1/4 to 64 GiB
//
// Verified: where the walks end, against the host.
#include <numeric>

#include "machines/probes/probe.cuh"

using namespace probe;

enum class Space { shared, constant, l1, l2 };

__constant__ uint32_t constant_ring[512];

// The next stop: of a shared ring its address, of the others a pointer or an index.
template <Space space>
__device__ __forceinline__ void step(uint64_t& at) {
  if constexpr (space == Space::shared) {
    uint32_t next;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(next) : "r"(uint32_t(at)) : "memory");
    at = next;
  } else if constexpr (space == Space::constant) {
    at = *reinterpret_cast<const uint32_t*>(reinterpret_cast<const char*>(constant_ring) +
                                            uint32_t(at));
  } else if constexpr (space == Space::l1) {
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(at) : : "memory");
  } else {
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at) : : "memory");
  }
}

template <Space space>
__device__ __forceinline__ uint64_t walk(uint64_t at, long steps) {
#pragma unroll 1
  for (long i = 0; i < steps; i += 16)
#pragma unroll
    for (int j = 0; j < 16; ++j) step<space>(at);
  return at;
}

// cycles[0] of `shorter` steps and cycles[1] of `longer`, after `first` of warm-up.
template <Space space>
__global__ void chase(uint64_t* start, long first, long shorter, long longer, long long* cycles,
                      const uint32_t* ring, int ring_size) {
  extern __shared__ uint32_t shared_ring[];
  uint64_t at = *start;
  if constexpr (space == Space::shared) {
    const uint32_t base = uint32_t(__cvta_generic_to_shared(shared_ring));
    for (int i = 0; i < ring_size; ++i) shared_ring[i] = base + 4 * ring[i];
    at = base + 4 * uint32_t(at);
  }
  at = walk<space>(at, first);
  long long t = clock64();
  at = walk<space>(at, shorter);
  cycles[0] = clock64() - t;
  t = clock64();
  at = walk<space>(at, longer);
  cycles[1] = clock64() - t;
  if constexpr (space == Space::shared)
    at = (uint32_t(at) - uint32_t(__cvta_generic_to_shared(shared_ring))) / 4;
  *start = at;
}

// A circle through 0 … size-1 in random order: next[i] follows i.
std::vector<uint32_t> circle(Probe& probe, size_t size) {
  std::vector<uint32_t> order(size), next(size);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), probe.random);
  for (size_t i = 0; i < size; ++i) next[order[i]] = order[(i + 1) % size];
  return next;
}

// Every stop holds the address of the next.
__global__ void link(char* memory, const uint32_t* next, size_t stops, size_t stride) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < stops;
       i += size_t(gridDim.x) * blockDim.x)
    *reinterpret_cast<char**>(memory + i * stride) = memory + next[i] * stride;
}

struct Walk {
  long first, shorter, longer;
  long steps() const { return first + shorter + longer; }
};

// From stop 0; fresh = every walk begins where the last one ended, so that no line is met twice.
template <Space space>
void measure(Probe& probe, const char* name, const char* instruction, size_t stops, size_t stride,
             Walk walk, int repeat, bool fresh = false, const At& at = {}) {
  const bool on_chip = space == Space::shared || space == Space::constant;
  const std::vector<uint32_t> next = circle(probe, stops);
  Array<char> memory(on_chip ? 1 : stops * stride);
  Array<uint32_t> ring(next);
  if (!on_chip) {
    link<<<64, 256>>>(memory.data(), ring.data(), stops, stride);
    PROBE_CALL(cudaGetLastError());
    // What was just written is in L2 still: other writes take its place.
    if (!probe.small) Array<char> flush(size_t(1) << 30);
  } else if (space == Space::constant) {
    std::vector<uint32_t> offsets;
    for (const uint32_t i : next) offsets.push_back(4 * i);
    PROBE_CALL(cudaMemcpyToSymbol(constant_ring, offsets.data(), stops * sizeof(uint32_t)));
  }
  const uint64_t base = on_chip ? 0 : reinterpret_cast<uint64_t>(memory.data());
  Array<uint64_t> start(std::vector<uint64_t>{base});
  Array<long long> cycles(2);

  size_t expected = 0;
  bool passed = true;
  std::vector<double> samples;
  for (int i = 0; i < repeat; ++i) {
    if (!fresh) start.write({base}), expected = 0;
    chase<space><<<1, 1, space == Space::shared ? stops * 4 : 0>>>(
        start.data(), walk.first, walk.shorter, walk.longer, cycles.data(), ring.data(),
        int(stops));
    PROBE_CALL(cudaGetLastError());
    for (long j = 0; j < walk.steps(); ++j) expected = next[expected];
    passed &= start.first() == base + (space == Space::shared ? expected : expected * stride);
    const auto both = cycles.read();
    samples.push_back(double(both[1] - both[0]) / double(walk.longer - walk.shorter));
  }
  probe.check(name, passed, double(repeat));
  probe.value(name, "cycles", instruction, samples, at);
}

// One line a block of one thread would share with none: 32 loads of a pointer to itself.
__global__ void lines(uint64_t first, size_t stride, int number, float* each) {
  for (int line = 0; line < number; ++line) {
    uint64_t at = first + line * stride;
    at = walk<Space::l2>(at, 16);
    long long t = clock64();
    at = walk<Space::l2>(at, 16);
    const long long shorter = clock64() - t;
    t = clock64();
    at = walk<Space::l2>(at, 48);
    const long long longer = clock64() - t;
    each[line] = at == first + line * stride ? float(longer - shorter) / 32 : -1;
  }
}

void near_and_far(Probe& probe) {
  const int number = probe.small ? 8 : 4096;
  const size_t stride = 4096 + 128;
  Array<char> memory(number * stride);
  std::vector<char> image(memory.size());
  for (int i = 0; i < number; ++i) {
    const uint64_t pointer = reinterpret_cast<uint64_t>(memory.data()) + i * stride;
    std::memcpy(&image[i * stride], &pointer, sizeof pointer);
  }
  memory.write(image);
  Array<float> each(number);
  lines<<<1, 1>>>(reinterpret_cast<uint64_t>(memory.data()), stride, number, each.data());
  PROBE_CALL(cudaGetLastError());
  std::vector<float> cycles = each.read();
  probe.check("l2_lines", *std::min_element(cycles.begin(), cycles.end()) >= 0, number);

  // Two groups where the lines differ: below and above the middle of the range that 96 % fill.
  std::sort(cycles.begin(), cycles.end());
  const double low = cycles[number / 50], high = cycles[number - 1 - number / 50];
  std::vector<double> near, far;
  for (const float c : cycles) (c < (low + high) / 2 ? near : far).push_back(c);
  probe.value("l2_near", "cycles", "LDG.E.64.STRONG.GPU", near);
  probe.value("l2_far", "cycles", "LDG.E.64.STRONG.GPU", far);
  if (probe.executor) return;
  for (double bin = std::floor(low / 10) * 10 - 10; bin < high + 10; bin += 10) {
    const auto in = std::count_if(cycles.begin(), cycles.end(),
                                  [&](float c) { return c >= bin && c < bin + 10; });
    if (in) probe.counted("l2_lines", "lines", "", double(in), number, {{"cycles", bin}});
  }
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  const int repeat = probe.small ? 1 : 11;
  const Walk brief = probe.small ? Walk{16, 16, 32} : Walk{512, 512, 2560};
  measure<Space::shared>(probe, "shared", "LDS", 512, 4, brief, repeat);
  measure<Space::constant>(probe, "constant", "LDC", 512, 4, brief, repeat);
  measure<Space::l1>(probe, "l1", "LDG.E.64", 128, 128, brief, repeat);
  measure<Space::l2>(probe, "l2", "LDG.E.64.STRONG.GPU", 8192, 128,
                     probe.small ? brief : Walk{8192, 2048, 6144}, repeat);
  near_and_far(probe);
  // Each line once, past L2; the wider the lines lie, the more of the address tables they need.
  const size_t dram_lines = probe.small ? 256 : size_t(1) << 19;
  auto dram = [&](size_t stride, const At& at) {
    measure<Space::l2>(probe, "dram", "LDG.E.64.STRONG.GPU", dram_lines, stride,
                       probe.small ? brief : Walk{512, 512, 2560}, repeat, true, at);
  };
  dram(2048, {});
  if (!probe.small)
    for (const size_t stride : {512, 8192, 32768, 131072})
      dram(stride, {{"GiB", double(dram_lines * stride) / (1 << 30)}});
  return probe.end();
}
