// Atomics that return: latency, one thread, each operand what the one before returned; and how many
// of one kind a GPU does, all lanes to one address or each to its own.
//
// Method: latency as latency.cu (two lengths of dependent operations). Throughput by events, in
// 10^9 lanes a second, of additions whose result nobody reads (RED, which L2 carries out; a warp's
// additions to one address are one).
//
// Verified: what the addresses hold afterwards, and the last value returned, against the host.
#include "headroom/timing.cuh"
#include "machines/probes/probe.cuh"

using namespace probe;
namespace timing = headroom::timing;

enum class Kind { shared_add, shared_cas, global_add, global_cas, global_exch };
constexpr const char* names[] = {"shared_add", "shared_cas", "global_add", "global_cas",
                                 "global_exchange"};
constexpr const char* instructions[] = {"ATOMS.ADD", "ATOMS.CAS", "ATOMG.E.ADD", "ATOMG.E.CAS",
                                        "ATOMG.E.EXCH"};

// The operand is the last result, so that each waits for it; x + 1 and x + 3 tell them apart.
template <Kind kind>
__device__ __forceinline__ void step(uint64_t address, uint32_t& x) {
  const uint32_t near = uint32_t(address);
  if constexpr (kind == Kind::shared_add)
    asm volatile("atom.shared.add.u32 %0, [%1], %0;" : "+r"(x) : "r"(near) : "memory");
  if constexpr (kind == Kind::shared_cas)
    asm volatile("atom.shared.cas.b32 %0, [%1], %0, 7;" : "+r"(x) : "r"(near) : "memory");
  if constexpr (kind == Kind::global_add)
    asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(x) : "l"(address) : "memory");
  if constexpr (kind == Kind::global_cas)
    asm volatile("atom.global.cas.b32 %0, [%1], %0, 7;" : "+r"(x) : "l"(address) : "memory");
  if constexpr (kind == Kind::global_exch)
    asm volatile("atom.global.exch.b32 %0, [%1], %0;" : "+r"(x) : "l"(address) : "memory");
}

uint32_t on_host(Kind kind, uint32_t& memory, uint32_t x) {
  const uint32_t old = memory;
  if (kind == Kind::shared_add || kind == Kind::global_add) memory += x;
  if (kind == Kind::global_exch) memory = x;
  if ((kind == Kind::shared_cas || kind == Kind::global_cas) && old == x) memory = 7;
  return old;
}

constexpr int passes = 2;

template <Kind kind, int steps>
__global__ void chain(uint32_t* memory, uint32_t* results, long long* cycles) {
  __shared__ uint32_t near;
  near = *memory;
  const bool shared = kind == Kind::shared_add || kind == Kind::shared_cas;
  // Made of the thread's number, which is 0: of an address that all lanes share the compiler makes
  // one atomic for the warp, with a scan around it.
  const uint64_t address = 4 * threadIdx.x + (shared ? uint64_t(__cvta_generic_to_shared(&near))
                                                     : reinterpret_cast<uint64_t>(memory));
  uint32_t x = *results;
  long long start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    start = clock64();
#pragma unroll
    for (int i = 0; i < steps; ++i) step<kind>(address, x);
    stop = clock64() + (x == 0x12345678 ? 1 : 0);  // not before the last has returned
  }
  *results = x;
  if (shared) *memory = near;
  *cycles = stop - start;
}

template <Kind kind>
void latency(Probe& probe) {
  constexpr int shorter = 16, longer = 80;
  const std::vector<uint32_t> start{probe.bits()}, operand{probe.bits()};
  Array<uint32_t> memory(start), result(operand);
  Array<long long> cycles(1);
  uint32_t held = start[0], x = operand[0];
  auto once = [&](auto steps) {
    chain<kind, steps.value><<<1, 1>>>(memory.data(), result.data(), cycles.data());
    PROBE_CALL(cudaGetLastError());
    for (int i = 0; i < passes * steps.value; ++i) x = on_host(kind, held, x);
    return double(cycles.first());
  };
  std::vector<double> samples;
  for (int i = 0; i < (probe.small ? 1 : 15); ++i) {
    const double less = once(std::integral_constant<int, shorter>{});
    samples.push_back((once(std::integral_constant<int, longer>{}) - less) / (longer - shorter));
  }
  probe.check(names[int(kind)], memory.first() == held && result.first() == x,
              double(passes) * (shorter + longer) * double(samples.size()));
  probe.value(names[int(kind)], "cycles", instructions[int(kind)], samples);
}

// Threads whose numbers agree in the bits of `mask` share a word: 0 all one, 31 a lane of each
// warp.
__global__ void add(uint32_t* counters, uint32_t mask, int rounds) {
  const uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) & mask;
  for (int i = 0; i < rounds; ++i) atomicAdd(counters + at, 1);
}

void throughput(Probe& probe, const char* name, uint32_t mask) {
  const int blocks = probe.small ? 4 : probe.device.multiProcessorCount * 4, threads = 256,
            rounds = probe.small ? 2 : 64;
  Array<uint32_t> counters(std::vector<uint32_t>(size_t(mask) + 1));
  add<<<blocks, threads>>>(counters.data(), mask, rounds);
  PROBE_CALL(cudaGetLastError());
  const double lanes = double(blocks) * threads * rounds;
  double sum = 0;
  for (const uint32_t each : counters.read()) sum += each;
  probe.check(name, sum == lanes && counters.first() >= lanes / (double(mask) + 1) - rounds, lanes);
  if (probe.executor) return;
  timing::Plan plan;
  plan.max_seconds = 0.2;
  std::vector<double> samples;
  for (const double seconds : timing::measure(plan, [&](cudaStream_t s) {
                                add<<<blocks, threads, 0, s>>>(counters.data(), mask, rounds);
                              }).seconds)
    samples.push_back(lanes / seconds / 1e9);
  probe.value(name, "10^9 lanes/s", "REDG.E.ADD", samples);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  latency<Kind::shared_add>(probe);
  latency<Kind::shared_cas>(probe);
  latency<Kind::global_add>(probe);
  latency<Kind::global_cas>(probe);
  latency<Kind::global_exch>(probe);
  throughput(probe, "one_address", 0);
  throughput(probe, "address_per_warp_lane", 31);
  throughput(probe, "own_words", (1u << 20) - 1);
  return probe.end();
}
