// What a load costs that L1 has, by where its lanes lie; alone, and with loads of shared memory between.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/l1_gathers.cu -o l1_gathers && ./l1_gathers
//
//   {"what": "ld.global", "bytes": 8, "apart": 32, "shared": 1, "cycles": 9.04}
//
// 32 warps of one SM load the same few KiB again and again, each lane `bytes` from places `apart` bytes from the lane before it (0: one
// place; -1: random places of 4 KiB); `shared` loads of 32 words of shared memory follow each. Cycles of the SM for all of these: the
// median of seven launches. Of shared memory (ld.shared, st.shared) the same places are read or written there.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int threads = 1024, rounds = 128, each = 8, launches = 7, room = 8192, step = 256;

enum Kind { global_load, shared_load, shared_store };

template <Kind kind, int bytes>
__device__ unsigned touch(const char* global, unsigned shared, unsigned value) {
  unsigned a = value, b = value, c = value, d = value;
  if constexpr (kind == global_load && bytes == 4)
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(global));
  if constexpr (kind == global_load && bytes == 8)
    asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(global));
  if constexpr (kind == global_load && bytes == 16)
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(global));
  if constexpr (kind == shared_load && bytes == 4)
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(shared));
  if constexpr (kind == shared_load && bytes == 8)
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(shared));
  if constexpr (kind == shared_load && bytes == 16)
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(shared));
  if constexpr (kind == shared_store && bytes == 4)
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared), "r"(value));
  if constexpr (kind == shared_store && bytes == 8)
    asm volatile("st.shared.v2.u32 [%0], {%1, %1};" ::"r"(shared), "r"(value));
  if constexpr (kind == shared_store && bytes == 16)
    asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(shared), "r"(value));
  return kind == shared_store ? 0 : a ^ b ^ c ^ d;
}

template <Kind kind, int bytes, int shared_loads>
__global__ void __launch_bounds__(threads)
    measured(long long* cycles, unsigned* sink, const char* data, int apart, unsigned none) {
  __shared__ __align__(16) char mine[room];
  __shared__ long long first, last;
  const unsigned lane = threadIdx.x % 32;
  const unsigned random = (threadIdx.x * 2654435761u >> 12) % (4096 / bytes) * bytes;
  const unsigned at = apart < 0 ? random : lane * apart;
  const unsigned of_shared = unsigned(__cvta_generic_to_shared(mine));
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < room / 4; i += threads)
    sum += reinterpret_cast<const unsigned*>(data)[i];
  if (threadIdx.x == 0) first = clock64(), last = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    const unsigned here = at + (i & none);  // a place that the compiler does not know
    unsigned part[each];
#pragma unroll
    for (int j = 0; j < each; ++j) {
      part[j] = touch<kind, bytes>(data + here + j * step, of_shared + here + j * step, sum);
#pragma unroll
      for (int k = 0; k < shared_loads; ++k)
        part[j] ^= touch<shared_load, 4>(
            nullptr, of_shared + lane * 4 + (i & none) + (j * shared_loads + k) * 128, 0);
    }
#pragma unroll
    for (int j = 0; j < each; ++j) sum ^= part[j];
  }
  atomicMax(reinterpret_cast<unsigned long long*>(&last), (unsigned long long)(clock64()));
  __syncthreads();
  if (threadIdx.x == 0) *cycles = last - first;
  sink[threadIdx.x] = sum;
}

template <Kind kind, int bytes, int shared_loads>
void tell(const char* what) {
  static long long* cycles = nullptr;
  static unsigned* sink = nullptr;
  static char* data = nullptr;
  if (!cycles) {
    cudaMallocManaged(&cycles, sizeof *cycles);
    cudaMalloc(&sink, threads * sizeof(unsigned));
    cudaMalloc(&data, room);
    cudaMemset(data, 1, room);
  }
  for (const int apart : {0, bytes, 2 * bytes, 4 * bytes, 8 * bytes, 128, 132, 144, -1}) {
    if (apart % bytes != 0 && apart >= 0) continue;
    if (31 * apart + bytes + (each - 1) * step > room) continue;
    std::vector<double> all;
    for (int i = 0; i <= launches; ++i) {
      measured<kind, bytes, shared_loads><<<1, threads>>>(cycles, sink, data, apart, 0);
      if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
      if (i > 0) all.push_back(double(*cycles) / (rounds * each * (threads / 32)));
    }
    std::sort(all.begin(), all.end());
    std::printf(
        "{\"what\": \"%s\", \"bytes\": %d, \"apart\": %d, \"shared\": %d, \"cycles\": %.2f}\n",
        what, bytes, apart, shared_loads, all[launches / 2]);
  }
}

template <int bytes>
void tell_of() {
  tell<global_load, bytes, 0>("ld.global");
  tell<global_load, bytes, 1>("ld.global");
  tell<global_load, bytes, 3>("ld.global");
  tell<shared_load, bytes, 0>("ld.shared");
  tell<shared_store, bytes, 0>("st.shared");
}

int main() {
  tell_of<4>();
  tell_of<8>();
  tell_of<16>();
}
