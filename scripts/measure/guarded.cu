// What an access costs whose guard is false for all lanes, and one of few lanes, beside those of all.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/guarded.cu -o guarded && ./guarded
//
//   {"what": "ld.shared", "lanes": 0, "ways": 1, "store": "none", "warps": 32, "cycles": 0.52}
//   {"what": "ld.shared, one after the other", "lanes": 0, "ways": 1, "store": "none", "warps": 1, "cycles": 31.0}
//   {"what": "tree", "threads": 256, "blocks": 8448, "us": 19.4}
//
// Warps of one SM load again and again; the first `lanes` lanes of each warp do (0: none, by a guard that the compiler does not know and
// keeps as one: stores alone it would branch around), at words of which `ways` share a bank; where `store` is "each", each load is
// followed by a store of the same lanes and places. Cycles of the SM for all warps' loads together, the median of seven launches. "one after the other": each access needs the one before. "tree": sums of blocks in shared memory, unrolled, in which fewer and
// fewer threads add, behind guards; the time of a launch by events, the median of 21.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

constexpr int rounds = 64, each = 16, launches = 7, words = 8192;

enum Kind { shared_load, shared_both, shared_chain, global_load };

template <Kind kind>
__global__ void __launch_bounds__(1024) measured(long long* cycles, unsigned* sink, unsigned* data,
                                                 int lanes, int ways, unsigned none) {
  __shared__ unsigned mine[words];
  __shared__ long long first, last;
  const unsigned lane = threadIdx.x % 32;
  // `ways` lanes after each other have words of one bank.
  const unsigned word = lane / ways + lane % ways * 32;
  const unsigned at = unsigned(__cvta_generic_to_shared(mine)) + word * 4;
  const unsigned does = lane < unsigned(lanes);
  unsigned* const global = data + threadIdx.x;
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x) mine[i] = 0;
  if (threadIdx.x == 0) first = 1ll << 62, last = 0;
  __syncthreads();
  unsigned sum = threadIdx.x;
  atomicMin(&first, clock64());
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    const unsigned here = at + (i & none);
    unsigned part[each];
#pragma unroll
    for (int j = 0; j < each; ++j) {
      part[j] = 0;
      if constexpr (kind == shared_load || kind == shared_both)
        asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u32 %0, [%1];}"
                     : "+r"(part[j])
                     : "r"(here + j * 128), "r"(does));
      if constexpr (kind == shared_both)
        asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u32 [%1], %0;}" ::"r"(sum),
                     "r"(here + j * 128), "r"(does));
      if constexpr (kind == shared_chain)
        asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u32 %0, [%1];}"
                     : "+r"(sum)
                     : "r"(at + (sum & none)), "r"(does));
      if constexpr (kind == global_load)
        asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.u32 %0, [%1];}"
                     : "+r"(part[j])
                     : "l"(global + (i & none) + j * 1024), "r"(does));
    }
#pragma unroll
    for (int j = 0; j < each; ++j) sum ^= part[j];
  }
  atomicMax(&last, clock64());
  __syncthreads();
  if (threadIdx.x == 0) *cycles = last - first;
  sink[threadIdx.x] = sum;
}

long long* cycles;
unsigned *sink, *data;

template <Kind kind>
void tell(const char* what, const char* store, int lanes, int ways, int warps) {
  std::vector<double> all;
  const int number = kind == shared_chain ? 1 : warps;
  for (int i = 0; i <= launches; ++i) {
    measured<kind><<<1, 32 * warps>>>(cycles, sink, data, lanes, ways, 0);
    if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
    if (i > 0) all.push_back(double(*cycles) / (rounds * each * number));
  }
  std::sort(all.begin(), all.end());
  std::printf(
      "{\"what\": \"%s\", \"lanes\": %d, \"ways\": %d, \"store\": \"%s\", \"warps\": %d, "
      "\"cycles\": %.2f}\n",
      what, lanes, ways, store, warps, all[launches / 2]);
}

template <int threads>
__global__ void __launch_bounds__(threads) tree(const int* in, int* out) {
  __shared__ int part[threads];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * threads + t];
#pragma unroll
  for (int apart = threads / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (t < apart) part[t] += part[t + apart];
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

template <int threads>
void tell_tree(int blocks) {
  int *in, *out;
  cudaMalloc(&in, size_t(blocks) * threads * sizeof(int));
  cudaMalloc(&out, blocks * sizeof(int));
  std::vector<int> host(size_t(blocks) * threads), sums(blocks);
  unsigned random = 12345;
  for (int& value : host) value = int((random = random * 1664525u + 1013904223u) >> 8);
  cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  std::vector<float> all;
  for (int i = 0; i < 22; ++i) {
    cudaEventRecord(begin);
    for (int k = 0; k < 10; ++k) tree<threads><<<blocks, threads>>>(in, out);
    cudaEventRecord(end);
    if (cudaEventSynchronize(end) != cudaSuccess) std::exit(1);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (i > 0) all.push_back(ms * 100);
  }
  cudaMemcpy(sums.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; ++b) {
    unsigned sum = 0;
    for (int t = 0; t < threads; ++t) sum += unsigned(host[size_t(b) * threads + t]);
    if (sum != unsigned(sums[b])) std::fprintf(stderr, "wrong sum of block %d\n", b), std::exit(1);
  }
  std::sort(all.begin(), all.end());
  std::printf("{\"what\": \"tree\", \"threads\": %d, \"blocks\": %d, \"us\": %.2f}\n", threads,
              blocks, all[all.size() / 2]);
  cudaFree(in), cudaFree(out);
}

int main(int count, char** words) {
  if (count > 1 && std::string(words[1]) == "once") {  // for headroom run
    int *in, *out;
    cudaMalloc(&in, 8448 * 256 * sizeof(int)), cudaMalloc(&out, 8448 * sizeof(int));
    tree<128><<<8448, 128>>>(in, out);
    tree<256><<<8448, 256>>>(in, out);
    tree<1024><<<2112, 1024>>>(in, out);
    return cudaDeviceSynchronize() != cudaSuccess;
  }
  cudaMallocManaged(&cycles, sizeof *cycles);
  cudaMalloc(&sink, 1024 * sizeof(unsigned));
  cudaMalloc(&data, (each + 1) * 1024 * sizeof(unsigned));
  for (const int lanes : {0, 32})
    tell<shared_chain>("ld.shared, one after the other", "none", lanes, 1, 1);
  for (const int lanes : {0, 1, 32})
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
      tell<shared_load>("ld.shared", "none", lanes, 1, warps);
      tell<shared_both>("ld.shared", "each", lanes, 1, warps);
      tell<global_load>("ld.global", "none", lanes, 1, warps);
    }
  for (const int lanes : {2, 4, 8, 16, 32})
    for (const int ways : {2, 4, 8, 16, 32})
      if (ways <= lanes)
        for (const int warps : {4, 32}) {
          tell<shared_load>("ld.shared", "none", lanes, ways, warps);
          tell<shared_both>("ld.shared", "each", lanes, ways, warps);
        }
  tell_tree<128>(8448);
  tell_tree<256>(8448);
  tell_tree<1024>(2112);
}
