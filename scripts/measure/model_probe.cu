// What a model of a kernel's time needs to know of a GPU, as rows of JSON: how bandwidth grows with
// the bytes in flight, what atomics and barriers cost, and how often an SM can issue an instruction.
//
//   nvcc -arch=sm_90 -std=c++20 -O3 scripts/measure/model_probe.cu -o model_probe
//   ./model_probe > rows.json        all but the empty launches, half a minute
//   ./model_probe --empty            empty launches of 18 shapes, three times: for a profiler
//
//   {"probe": "read_dram", "warps": 8, "bytes_a_warp": 2048, "bytes_an_sm": 16384, "gb_s": …},
//   {"probe": "issue", "what": "LDS.32", "cycles": …},
//
// warps: of an SM; bytes_a_warp: of the loads that a warp starts before it waits for all of them;
// gb_s: by events; cycles: of one SM's clock, for an instruction of a warp or an iteration. Every
// value is the median of five runs after one that does not count. What ptxas makes of the
// instructions deserves a look: cuobjdump -sass.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    if (cudaError_t error = (call)) {                                                     \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

namespace {

constexpr size_t gib = size_t(1) << 30, mib = size_t(1) << 20;
constexpr int runs = 5;
int sms;
uint4* memory;         // 1 GiB
uint32_t* small;       // 16 MiB, of zeros unless a probe writes it
long long* cycles_of;  // of the clock, one a block

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}
// Rows are the elements of one array.
const char* before = "[";
void row(const char* format, auto... values) {
  std::printf("%s", std::exchange(before, ",\n "));
  std::printf(format, values...);
  std::fflush(stdout);
}

template <class Launch>
double milliseconds(const Launch& launch) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (!begin) {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  std::vector<double> all;
  for (int run = 0; run <= runs; ++run) {
    CHECK(cudaEventRecord(begin));
    launch(run);
    CHECK(cudaEventRecord(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(end));
    float time = 0;
    CHECK(cudaEventElapsedTime(&time, begin, end));
    if (run > 0) all.push_back(time);
  }
  return median(all);
}
// Of the one block that a launch has.
template <class Launch>
double cycles(const Launch& launch) {
  std::vector<double> all;
  for (int run = 0; run <= runs; ++run) {
    launch();
    CHECK(cudaGetLastError());
    long long taken = 0;
    CHECK(cudaMemcpy(&taken, cycles_of, sizeof taken, cudaMemcpyDeviceToHost));
    if (run > 0) all.push_back(double(taken));
  }
  return median(all);
}

__device__ long long now() {
  long long clock;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
  return clock;
}
// From when the block's threads are all there to when its last warp is done.
__shared__ long long last;
__device__ long long start() {
  if (threadIdx.x == 0) last = 0;
  __syncthreads();
  return now();
}
__device__ void stop(long long begin, long long* cycles_of) {
  const long long end = now();
  atomicMax(&last, end);
  __syncthreads();
  if (threadIdx.x == 0) cycles_of[blockIdx.x] = last - begin;
}

__global__ void empty() {}

void empty_launches() {
  for (int time = 0; time < 3; ++time) {
    for (const int grid : {1, 132, 1056, 8448, 67584, 540672}) {
      for (const int block : {32, 256, 1024}) empty<<<grid, block>>>();
    }
  }
  CHECK(cudaDeviceSynchronize());
}
void empty_rows() {
  for (const int grid : {1, 132, 1056, 8448, 67584, 540672}) {
    for (const int block : {32, 256, 1024}) {
      constexpr int launches = 20;
      const double time = milliseconds([&](int) {
        for (int i = 0; i < launches; ++i) empty<<<grid, block>>>();
      });
      row("{\"probe\": \"empty\", \"grid\": %d, \"block\": %d, \"us\": %.4g}", grid, block,
          time * 1e3 / launches);
    }
  }
}

// Streams: each warp loads `batch` vectors a lane and waits for all, then the next. A pass goes over
// `count` vectors; in the next one a block reads what another one had, so that no L1 has it.

template <class V>
__device__ V load(const V* from);
template <>
__device__ uint4 load(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v;
}
template <>
__device__ uint32_t load(const uint32_t* from) {
  uint32_t v;
  asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(v) : "l"(from));
  return v;
}
__device__ uint32_t mixed(uint32_t v) { return v; }
__device__ uint32_t mixed(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

template <class V, int batch>
__global__ void __launch_bounds__(1024, sizeof(V) * batch < 128 ? 2 : 1)
    stream_read(uint32_t* out, const V* in, size_t count, int passes) {
  const size_t all = size_t(gridDim.x) * blockDim.x * batch;
  uint32_t sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const size_t block = (blockIdx.x + 5u * unsigned(pass)) % gridDim.x;
    const size_t warp = (block * blockDim.x + threadIdx.x) / 32;
    for (size_t at = warp * 32 * batch + threadIdx.x % 32; at < count; at += all) {
      V values[batch];
#pragma unroll
      for (int j = 0; j < batch; ++j) values[j] = load(in + at + 32 * j);
#pragma unroll
      for (int j = batch; j-- > 0;) sum ^= mixed(values[j]);  // the last one first
    }
  }
  if (sum == 0x12345678) *out = sum;
}
template <int batch>
__global__ void stream_write(uint4* out, size_t count, uint32_t value) {
  const size_t all = size_t(gridDim.x) * blockDim.x * batch;
  const size_t warp = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  for (size_t at = warp * 32 * batch + threadIdx.x % 32; at < count; at += all) {
#pragma unroll
    for (int j = 0; j < batch; ++j) out[at + 32 * j] = make_uint4(value, value, value, value);
  }
}

// A part of the GiB that grows with what is in flight, and another part in every run.
size_t part_of(size_t in_flight) { return in_flight < 8192 ? gib / 16 : gib / 2; }

template <class V, int batch>
void read_rows(int warps) {
  const int blocks = sms * (warps > 32 ? 2 : 1), threads = std::min(warps, 32) * 32;
  const size_t bytes = 32 * sizeof(V) * batch, in_flight = bytes * size_t(warps);
  const auto print = [&](const char* probe, double moved, double time) {
    row("{\"probe\": \"%s\", \"warps\": %d, \"bytes_a_warp\": %zu, \"bytes_an_sm\": %zu, \"gb_s\": "
        "%.5g}",
        probe, warps, bytes, in_flight, moved / time * 1e-6);
  };
  const size_t part = part_of(in_flight);
  print("read_dram", double(part), milliseconds([&](int run) {
          const size_t first = size_t(run) * part % gib;
          stream_read<V, batch><<<blocks, threads>>>(
              small, reinterpret_cast<const V*>(memory) + first / sizeof(V), part / sizeof(V), 1);
        }));
  const int passes = in_flight < 8192 ? 4 : 32;
  print("read_l2", double(16 * mib) * passes, milliseconds([&](int) {
          stream_read<V, batch><<<blocks, threads>>>(reinterpret_cast<uint32_t*>(memory),
                                                     reinterpret_cast<const V*>(small),
                                                     16 * mib / sizeof(V), passes);
        }));
}
template <int batch>
void write_rows(int warps) {
  const int blocks = sms * (warps > 32 ? 2 : 1), threads = std::min(warps, 32) * 32;
  const size_t bytes = 512 * batch, in_flight = bytes * size_t(warps), part = gib / 2;
  const double time = milliseconds([&](int run) {
    stream_write<batch><<<blocks, threads>>>(memory + size_t(run) * part % gib / 16, part / 16, 7);
  });
  row("{\"probe\": \"write_dram\", \"warps\": %d, \"bytes_a_warp\": %zu, \"bytes_an_sm\": %zu, "
      "\"gb_s\": %.5g}",
      warps, bytes, in_flight, double(part) / time * 1e-6);
}
void streams() {
  for (const int warps : {1, 2, 4, 8, 16, 32, 64}) {
    read_rows<uint32_t, 1>(warps);
    read_rows<uint32_t, 4>(warps);
    read_rows<uint4, 1>(warps);
    read_rows<uint4, 2>(warps);
    read_rows<uint4, 4>(warps);
    if (warps < 64) read_rows<uint4, 8>(warps);
  }
  for (const int warps : {1, 2, 4, 8, 16, 32, 64}) {
    write_rows<1>(warps);
    write_rows<4>(warps);
  }
}

// Atomics of global memory. Places come from memory: ptxas must not see that they are one.

struct RedU32 {
  static constexpr const char* name = "RED.ADD.U32";
  static __device__ uint32_t go(uint32_t* to) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(to), "r"(1) : "memory");
    return 0;
  }
};
struct RedF32 {
  static constexpr const char* name = "RED.ADD.F32";
  static __device__ uint32_t go(uint32_t* to) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(to), "f"(1.0f) : "memory");
    return 0;
  }
};
struct AtomU32 {
  static constexpr const char* name = "ATOM.ADD.U32";
  static __device__ uint32_t go(uint32_t* to) {
    uint32_t old;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(to), "r"(1) : "memory");
    return old;
  }
};
template <class Atomic>
__global__ void atomics(uint32_t* to, const uint32_t* places, int times) {
  const uint32_t place = places[blockIdx.x * blockDim.x + threadIdx.x];
  uint32_t sum = 0;
#pragma unroll 4
  for (int j = 0; j < times; ++j) sum += Atomic::go(to + place);
  if (sum == 0x12345678) to[place] = 1;
}
template <class Atomic>
void atomics_rows() {
  const int blocks = 8 * sms, threads = 256, n = blocks * threads;
  struct Pattern {
    const char* name;
    uint32_t (*place)(uint32_t thread);
    int times;
  };
  const Pattern patterns[] = {
      {"one address", [](uint32_t) { return 0u; }, 4},
      {"an address a warp", [](uint32_t t) { return t / 32 * 32; }, 32},
      {"32 addresses, of lanes", [](uint32_t t) { return t % 32; }, 8},
      {"32 addresses, of warps", [](uint32_t t) { return t / 32 % 32 * 32; }, 8},
      {"an address a thread", [](uint32_t t) { return t; }, 32},
      {"an address a thread, hashed", [](uint32_t t) { return t * 2654435761u >> 12; }, 32},
  };
  for (const Pattern& pattern : patterns) {
    std::vector<uint32_t> places;
    for (int t = 0; t < n; ++t) places.push_back(pattern.place(uint32_t(t)));
    CHECK(cudaMemcpy(memory, places.data(), size_t(n) * 4, cudaMemcpyHostToDevice));
    const double time = milliseconds([&](int) {
      atomics<Atomic>
          <<<blocks, threads>>>(small, reinterpret_cast<uint32_t*>(memory), pattern.times);
    });
    row("{\"probe\": \"atomics\", \"what\": \"%s\", \"where\": \"%s\", \"lanes_a_ns\": %.5g}",
        Atomic::name, pattern.name, double(n) * pattern.times / time * 1e-6);
  }
  CHECK(cudaMemset(small, 0, 16 * mib));
}

// Atomics of shared memory, 32 warps; `spread` words between lanes' places.
template <bool with_result>
__global__ void shared_atomics(uint32_t* out, long long* cycles_of, int spread, int times) {
  __shared__ uint32_t words[32 * 1024 / 4];
  for (unsigned i = threadIdx.x; i < 32 * 1024 / 4; i += blockDim.x) words[i] = 0;
  const uint32_t place = uint32_t(__cvta_generic_to_shared(words + threadIdx.x * unsigned(spread)));
  uint32_t sum = threadIdx.x;  // adds what is not the same in all lanes
  const long long begin = start();
#pragma unroll 8
  for (int j = 0; j < times; ++j) {
    uint32_t old = 0;
    if (with_result) {
      asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                   : "=r"(old)
                   : "r"(place), "r"(threadIdx.x)
                   : "memory");
    } else {
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(place), "r"(threadIdx.x) : "memory");
    }
    sum ^= old;
  }
  stop(begin, cycles_of);
  out[threadIdx.x] = sum + words[threadIdx.x];
}
void shared_atomics_rows() {
  for (const int spread : {0, 1, 2, 4, 8}) {
    constexpr int times = 256;
    row("{\"probe\": \"shared_atomics\", \"what\": \"RED\", \"words_apart\": %d, \"cycles\": %.4g}",
        spread, cycles([&] {
                  shared_atomics<false><<<1, 1024>>>(small, cycles_of, spread, times);
                }) / (32 * times));
    row("{\"probe\": \"shared_atomics\", \"what\": \"ATOM\", \"words_apart\": %d, \"cycles\": "
        "%.4g}",
        spread, cycles([&] {
                  shared_atomics<true><<<1, 1024>>>(small, cycles_of, spread, times);
                }) / (32 * times));
  }
}

__global__ void barriers(long long* cycles_of, int times) {
  const long long begin = start();
#pragma unroll 8
  for (int j = 0; j < times; ++j) asm volatile("bar.sync 0;" ::: "memory");
  stop(begin, cycles_of);
}
void barrier_rows() {
  for (int warps = 1; warps <= 32; ++warps) {
    constexpr int times = 1024;
    row("{\"probe\": \"barrier\", \"warps\": %d, \"cycles\": %.4g}", warps,
        cycles([&] { barriers<<<1, 32 * warps>>>(cycles_of, times); }) / times);
  }
}

// Loads that hit, by lanes that follow lists of addresses: here each entry is its own address. Of a global address the low half is loaded, or with 64 bits and more all of it.

// Words beyond the address are used, or ptxas would not load them.
struct Low32 {
  static constexpr int words = 1;
  static __device__ void follow(uint64_t& at, uint64_t&) {
    asm volatile(
        "{ .reg .u32 low, high;\n mov.b64 {low, high}, %0;\n ld.global.u32 low, [%0];\n"
        "mov.b64 %0, {low, high}; }"
        : "+l"(at));
  }
};
struct Whole64 {
  static constexpr int words = 2;
  static __device__ void follow(uint64_t& at, uint64_t&) {
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(at));
  }
};
struct Whole128 {
  static constexpr int words = 4;
  static __device__ void follow(uint64_t& at, uint64_t& rest) {
    uint64_t other;
    asm volatile("ld.global.v2.u64 {%0, %1}, [%0];" : "+l"(at), "=l"(other));
    rest ^= other;
  }
};
struct Shared32 {
  static constexpr int words = 1;
  static __device__ void follow(uint32_t& at, uint32_t&) {
    asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  }
};
struct Shared64 {
  static constexpr int words = 2;
  static __device__ void follow(uint32_t& at, uint32_t& rest) {
    uint32_t y;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%0];" : "+r"(at), "=r"(y));
    rest ^= y;
  }
};
struct Shared128 {
  static constexpr int words = 4;
  static __device__ void follow(uint32_t& at, uint32_t& rest) {
    uint32_t y, z, w;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%0];" : "+r"(at), "=r"(y), "=r"(z), "=r"(w));
    rest ^= y ^ z ^ w;
  }
};

constexpr int most_entries = 1024, chains = 8;

// `parallel` lists a thread.
template <class Load, int parallel>
__global__ void __launch_bounds__(1024)
    follow_global(uint32_t* out, const uint32_t* list, long long* cycles_of) {
  uint64_t at[parallel], rest = 0;
#pragma unroll
  for (int k = 0; k < parallel; ++k) {
    at[k] = uint64_t(list + (threadIdx.x + 32 * k) % most_entries * Load::words);
  }
  long long begin = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {  // the first one fills the cache
    begin = start();
#pragma unroll 4
    for (int j = 0; j < 256; ++j) {
#pragma unroll
      for (int k = 0; k < parallel; ++k) Load::follow(at[k], rest);
    }
    stop(begin, cycles_of);
  }
#pragma unroll
  for (int k = 0; k < parallel; ++k) rest ^= at[k];
  out[threadIdx.x] = uint32_t(rest);
}
template <class Load, int parallel>
__global__ void __launch_bounds__(1024)
    follow_shared(uint32_t* out, const uint32_t*, long long* cycles_of) {
  __shared__ __align__(16) uint32_t list[most_entries * Load::words];
  const auto address = [&](unsigned i) {
    return uint32_t(__cvta_generic_to_shared(list + i % most_entries * Load::words));
  };
  for (unsigned i = threadIdx.x; i < most_entries; i += blockDim.x) {
    list[i * Load::words] = address(i);
  }
  uint32_t at[parallel], rest = 0;
#pragma unroll
  for (int k = 0; k < parallel; ++k) at[k] = address(threadIdx.x + 32 * unsigned(k));
  const long long begin = start();
#pragma unroll 4
  for (int j = 0; j < 256; ++j) {
#pragma unroll
    for (int k = 0; k < parallel; ++k) Load::follow(at[k], rest);
  }
  stop(begin, cycles_of);
#pragma unroll
  for (int k = 0; k < parallel; ++k) rest ^= at[k];
  out[threadIdx.x] = rest;
}
using Follow = void (*)(uint32_t*, const uint32_t*, long long*);
template <int words>
void load_rows(const char* what, Follow one, Follow many) {
  std::vector<uint32_t> list(most_entries * words);
  for (int i = 0; i < most_entries; ++i) {
    const uint64_t address = uint64_t(reinterpret_cast<uint32_t*>(memory) + i * words);
    std::memcpy(&list[size_t(i * words)], &address, std::min(words, 2) * 4);
  }
  CHECK(cudaMemcpy(memory, list.data(), list.size() * 4, cudaMemcpyHostToDevice));
  const auto* entries = reinterpret_cast<uint32_t*>(memory);
  const double alone = cycles([&] { one<<<1, 32>>>(small, entries, cycles_of); });
  const double all = cycles([&] { many<<<1, 1024>>>(small, entries, cycles_of); });
  row("{\"probe\": \"latency\", \"what\": \"%s\", \"cycles\": %.4g}", what, alone / 256);
  row("{\"probe\": \"issue\", \"what\": \"%s\", \"cycles\": %.4g}", what,
      all / (32 * chains * 256));
}
void all_load_rows() {
  load_rows<1>("LDG.32", follow_global<Low32, 1>, follow_global<Low32, chains>);
  load_rows<2>("LDG.64", follow_global<Whole64, 1>, follow_global<Whole64, chains>);
  load_rows<4>("LDG.128", follow_global<Whole128, 1>, follow_global<Whole128, chains>);
  load_rows<1>("LDS.32", follow_shared<Shared32, 1>, follow_shared<Shared32, chains>);
  load_rows<2>("LDS.64", follow_shared<Shared64, 1>, follow_shared<Shared64, chains>);
  load_rows<4>("LDS.128", follow_shared<Shared128, 1>, follow_shared<Shared128, chains>);
}

// The cycles that an SM needs for an instruction of a warp, by 32 warps of eight chains each. A step
// is one of chain k, from its own value and, where ptxas could make one of two, from its neighbours'.
struct Place {
  uint32_t shared, thread;
  uint64_t global;
};
#define STEP(Name, title, Type, ...)                                         \
  struct Name {                                                              \
    using Value = Type;                                                      \
    static constexpr const char* name = title;                               \
    static __device__ void step(Type (&x)[chains], int k, const Place& at) { \
      [[maybe_unused]] const Type next = x[(k + 1) % chains];                \
      [[maybe_unused]] const Type third = x[(k + 3) % chains];               \
      __VA_ARGS__;                                                           \
    }                                                                        \
  };
// d op= (neighbours), of one type.
#define THREE(Name, title, ptx, Type, letter) \
  STEP(Name, title, Type, asm volatile(ptx : "+" letter(x[k]) : letter(next), letter(third)))
#define ONE(Name, title, ptx, Type, letter) \
  STEP(Name, title, Type, asm volatile(ptx : "+" letter(x[k])))
THREE(Ffma, "FFMA", "fma.rn.f32 %0, %0, %1, %1;", float, "f")
THREE(Dfma, "DFMA", "fma.rn.f64 %0, %0, %1, %1;", double, "d")
THREE(Imad, "IMAD", "mad.lo.u32 %0, %0, %1, %2;", uint32_t, "r")
THREE(Lop, "LOP3", "lop3.b32 %0, %0, %1, %2, 0xe8;", uint32_t, "r")
THREE(Shf, "SHF", "shf.l.wrap.b32 %0, %0, %1, %2;", uint32_t, "r")
STEP(Fadd, "FADD", float, asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x[k]) : "f"(next)))
THREE(Iadd, "IADD3", "add.u32 %0, %0, %1; add.u32 %0, %0, %2;", uint32_t, "r")
STEP(Wide, "IMAD.WIDE", uint64_t,
     asm volatile("mul.wide.u32 %0, %1, %2;"
                  : "=l"(x[k])
                  : "r"(uint32_t(x[k] >> 32)), "r"(uint32_t(next))))
THREE(Isetp, "ISETP, SEL", "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.b32 %0, %2, %0, p; }",
      uint32_t, "r")
THREE(Fsetp, "FSETP, FSEL", "{ .reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %2, %0, p; }",
      float, "f")
ONE(Shfl, "SHFL", "shfl.sync.bfly.b32 %0, %0, 1, 31, -1;", uint32_t, "r")
ONE(Popc, "POPC", "popc.b32 %0, %0;", uint32_t, "r")
ONE(Ex2, "MUFU.EX2", "ex2.approx.ftz.f32 %0, %0;", float, "f")
ONE(I2f, "I2FP.F32.S32", "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f; }", uint32_t, "r")
ONE(I2f64, "I2F.F64", "{ .reg .f64 d; .reg .b32 low; cvt.rn.f64.s32 d, %0; mov.b64 {low, %0}, d; }",
    uint32_t, "r")
ONE(F2i, "F2I.S32", "{ .reg .s32 i; cvt.rzi.s32.f32 i, %0; mov.b32 %0, i; }", float, "f")
ONE(F2fWiden, "F2F.F64.F32",
    "{ .reg .f64 d; .reg .b32 low; cvt.f64.f32 d, %0; mov.b64 {low, %0}, d; }", float, "f")
STEP(F2fNarrow, "F2F.F32.F64", float,
     asm volatile("{ .reg .f64 d; mov.b64 d, {%0, %1}; cvt.rn.f32.f64 %0, d; }"
                  : "+f"(x[k])
                  : "f"(next)))
#define SHARED(bytes) "r"(at.shared + bytes * at.thread)
#define GLOBAL(bytes) "l"(at.global + 16384 * k + bytes * at.thread)
#define STORE(Name, title, ptx, place) \
  STEP(Name, title, uint32_t, asm volatile(ptx ::place, "r"(x[k]) : "memory"))
STORE(Sts32, "STS.32", "st.volatile.shared.u32 [%0], %1;", SHARED(4))
STORE(Sts64, "STS.64", "st.volatile.shared.v2.u32 [%0], {%1, %1};", SHARED(8))
STORE(Sts128, "STS.128", "st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};", SHARED(16))
STORE(Stg32, "STG.32", "st.global.u32 [%0], %1;", GLOBAL(4))
STORE(Stg64, "STG.64", "st.global.v2.u32 [%0], {%1, %1};", GLOBAL(8))
STORE(Stg128, "STG.128", "st.global.v4.u32 [%0], {%1, %1, %1, %1};", GLOBAL(16))
struct Accumulator {
  float of[4];
  __device__ Accumulator(uint32_t x = 0) : of{float(x), 1, 2, 3} {}
  __device__ operator uint32_t() const { return uint32_t(of[0] + of[1] + of[2] + of[3]); }
};
STEP(Hmma, "HMMA.16816.F32", Accumulator,
     asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                  "{%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
                  : "+f"(x[k].of[0]), "+f"(x[k].of[1]), "+f"(x[k].of[2]), "+f"(x[k].of[3])
                  : "r"(at.thread)))
constexpr int steps = 256;  // of a chain, four in a turn of the loop
template <class Instruction>
__global__ void __launch_bounds__(1024)
    issue(uint32_t* out, char* global, long long* cycles_of, uint32_t seed) {
  __shared__ __align__(16) uint32_t words[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = 0;
  const Place at{uint32_t(__cvta_generic_to_shared(words)), threadIdx.x, uint64_t(global)};
  typename Instruction::Value x[chains];
#pragma unroll
  for (int k = 0; k < chains; ++k) x[k] = typename Instruction::Value(seed * (threadIdx.x + k));
  long long begin = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {  // the first one fills the caches
    begin = start();
#pragma unroll 1
    for (int j = 0; j < steps / 4; ++j) {
#pragma unroll
      for (int k = 0; k < 4 * chains; ++k) Instruction::step(x, k % chains, at);
    }
    stop(begin, cycles_of);
  }
  uint32_t sum = words[threadIdx.x];
#pragma unroll
  for (int k = 0; k < chains; ++k) sum ^= uint32_t(x[k]);
  out[threadIdx.x] = sum;
}
template <class... Instruction>
void issue_rows_of() {
  (row("{\"probe\": \"issue\", \"what\": \"%s\", \"cycles\": %.4g}", Instruction::name,
       cycles([] {
         issue<Instruction><<<1, 1024>>>(small, reinterpret_cast<char*>(memory), cycles_of, 3);
       }) / (32 * chains * steps)),
   ...);
}
void issue_rows() {
  issue_rows_of<Ffma, Fadd, Dfma, Imad, Wide, Iadd, Lop, Shf, Isetp, Fsetp, Shfl, Popc, Ex2, I2f,
                I2f64, F2i, F2fWiden, F2fNarrow, Sts32, Sts64, Sts128, Stg32, Stg64, Stg128,
                Hmma>();
}

}  // namespace

int main(int count, char** arguments) {
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  if (count > 1 && std::strcmp(arguments[1], "--empty") == 0) {
    empty_launches();
    return 0;
  }
  CHECK(cudaMalloc(&memory, gib));
  CHECK(cudaMemset(memory, 0, gib));
  CHECK(cudaMalloc(&small, 16 * mib));
  CHECK(cudaMemset(small, 0, 16 * mib));
  CHECK(cudaMalloc(&cycles_of, sizeof(long long)));
  empty_rows();
  streams();
  atomics_rows<RedU32>();
  atomics_rows<RedF32>();
  atomics_rows<AtomU32>();
  shared_atomics_rows();
  barrier_rows();
  all_load_rows();
  issue_rows();
  std::printf("]\n");
}
