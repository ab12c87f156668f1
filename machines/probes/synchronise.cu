// What threads of a block do together: shuffle, vote, match, reduction, and barriers, in cycles.
//
// Method: chains of dependent operations (a vote's result decides the next vote), or barriers in a
// row, by clock64(), the difference of two lengths as in latency.cu. __syncthreads() is timed for
// 1 to 32 warps: warp 0's clock.
//
// Verified: what each chain leaves in every lane, against the host; barriers by a counter that
// every warp raises before and all read after.
#include "machines/probes/probe.cuh"

using namespace probe;

enum class Kind { shuffle, shuffle_down, ballot, any, match, reduce, warp_barrier };
constexpr const char* names[] = {"shfl_idx",  "shfl_down", "vote_ballot", "vote_any",
                                 "match_any", "redux_add", "syncwarp"};
constexpr const char* instructions[] = {"SHFL.IDX",
                                        "SHFL.DOWN",
                                        "LOP3.LUT + ISETP + VOTE.ANY + LOP3.LUT",
                                        "ISETP + VOTE.ANY + select + add",
                                        "MATCH.ANY + add",
                                        "REDUX.SUM + MOV",
                                        "nothing in a converged warp"};

template <Kind kind>
__device__ __forceinline__ void step(uint32_t& x) {
  constexpr uint32_t all = 0xffffffff;
  if constexpr (kind == Kind::shuffle)
    asm volatile("shfl.sync.idx.b32 %0, %0, %0, 31, 0xffffffff;" : "+r"(x));
  if constexpr (kind == Kind::shuffle_down)
    asm volatile("shfl.sync.down.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));
  if constexpr (kind == Kind::ballot) x = __ballot_sync(all, x & 1) ^ x;
  if constexpr (kind == Kind::any) x = __any_sync(all, x == 5) ? x : x + 1;
  if constexpr (kind == Kind::match) x = __match_any_sync(all, x) + x;
  if constexpr (kind == Kind::reduce) x = __reduce_add_sync(all, x);
  if constexpr (kind == Kind::warp_barrier) __syncwarp();
}

std::vector<uint32_t> on_host(Kind kind, const std::vector<uint32_t>& x) {
  std::vector<uint32_t> next = x;
  uint32_t ballot = 0, sum = 0;
  bool any = false;
  for (int i = 0; i < 32; ++i) ballot |= (x[i] & 1) << i, sum += x[i], any |= x[i] == 5;
  for (int i = 0; i < 32; ++i) {
    if (kind == Kind::shuffle) next[i] = x[x[i] % 32];
    if (kind == Kind::shuffle_down) next[i] = x[std::min(i + 1, 31)];
    if (kind == Kind::ballot) next[i] = ballot ^ x[i];
    if (kind == Kind::any) next[i] = any ? x[i] : x[i] + 1;
    if (kind == Kind::reduce) next[i] = sum;
    if (kind == Kind::match) {
      uint32_t equal = 0;
      for (int j = 0; j < 32; ++j) equal |= uint32_t(x[j] == x[i]) << j;
      next[i] = equal + x[i];
    }
  }
  return next;
}

constexpr int passes = 2;

template <Kind kind, int steps>
__global__ void chain(uint32_t* values, long long* cycles) {
  uint32_t x = values[threadIdx.x];
  long long start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    start = clock64();
#pragma unroll
    for (int i = 0; i < steps; ++i) step<kind>(x);
    stop = clock64();
  }
  values[threadIdx.x] = x;
  if (threadIdx.x == 0) *cycles = stop - start;
}

template <Kind kind>
void measure(Probe& probe) {
  constexpr int shorter = 16, longer = 80;
  std::vector<uint32_t> x(32);
  for (uint32_t& each : x) each = probe.bits();
  Array<uint32_t> values(x);
  Array<long long> cycles(1);
  auto once = [&](auto steps) {
    chain<kind, steps.value><<<1, 32>>>(values.data(), cycles.data());
    PROBE_CALL(cudaGetLastError());
    for (int i = 0; i < passes * steps.value; ++i) x = on_host(kind, x);
    return double(cycles.first());
  };
  std::vector<double> samples;
  for (int i = 0; i < (probe.small ? 1 : 15); ++i) {
    const double less = once(std::integral_constant<int, shorter>{});
    samples.push_back((once(std::integral_constant<int, longer>{}) - less) / (longer - shorter));
  }
  probe.check(names[int(kind)], values.read() == x, 32 * double(samples.size()));
  probe.value(names[int(kind)], "cycles", instructions[int(kind)], samples);
}

// Barriers one after the other; before the timed ones, each warp raises a counter that all read
// after a barrier.
template <int barriers>
__global__ void wait(uint32_t* seen, long long* cycles) {
  __shared__ uint32_t counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&counter, 1);
  __syncthreads();
  seen[threadIdx.x] = counter;
  long long start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    __syncthreads();
    start = clock64();
#pragma unroll
    for (int i = 0; i < barriers; ++i) __syncthreads();
    stop = clock64();
  }
  if (threadIdx.x == 0) *cycles = stop - start;
}

void barriers(Probe& probe) {
  constexpr int shorter = 8, longer = 40;
  for (const int warps : {1, 2, 4, 8, 12, 16, 24, 32}) {
    Array<uint32_t> seen(warps * 32);
    Array<long long> cycles(1);
    auto once = [&](auto number) {
      wait<number.value><<<1, warps * 32>>>(seen.data(), cycles.data());
      PROBE_CALL(cudaGetLastError());
      return double(cycles.first());
    };
    std::vector<double> samples;
    for (int i = 0; i < (probe.small ? 1 : 15); ++i) {
      const double less = once(std::integral_constant<int, shorter>{});
      samples.push_back((once(std::integral_constant<int, longer>{}) - less) / (longer - shorter));
    }
    probe.check("syncthreads", seen.read() == std::vector<uint32_t>(warps * 32, uint32_t(warps)),
                warps * 32);
    probe.value("syncthreads", "cycles", "BAR.SYNC", samples, {{"warps", double(warps)}});
  }
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  measure<Kind::shuffle>(probe);
  measure<Kind::shuffle_down>(probe);
  measure<Kind::ballot>(probe);
  measure<Kind::any>(probe);
  measure<Kind::match>(probe);
  measure<Kind::reduce>(probe);
  measure<Kind::warp_barrier>(probe);
  barriers(probe);
  return probe.end();
}
