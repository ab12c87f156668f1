// What a branch costs: loops of a few multiply-adds, conditions that all lanes of a warp meet alike, and lanes that part.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/branches.cu -o branches && ./branches
//
//   {"what": "loop", "instructions": 4, "warps": 8, "cycles": 12.3}
//
// So many warps of one SM go round a loop with `instructions` multiply-adds and one branch back; cycles of a round of a warp, by the
// warps of a sub-partition where they are more than one: what one round takes of it. Median of seven launches. "if taken", "if not": in
// each round a branch over twelve multiply-adds that the warp takes, or does not; "part": half of the lanes do.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int rounds = 4096, launches = 7;

template <int n>
__device__ void work(float (&x)[8]) {
#pragma unroll
  for (int i = 0; i < n; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[i % 8]));
}

template <int n>
struct Loop {
  static constexpr const char* what = "loop";
  static constexpr int instructions = n;
  __device__ void operator()(float (&x)[8], int, int) const { work<n>(x); }
};
template <int way>
struct If {
  static constexpr const char* what = way == 0   ? "if taken"
                                      : way == 1 ? "if not"
                                      : way == 2 ? "part"
                                                 : "either";
  static constexpr int instructions = 12;
  __device__ void operator()(float (&x)[8], int lane, int flags) const {
    work<4>(x);
    const int mine = way == 2 ? lane & 1 : way == 3 ? lane & 1 : way;
    if (mine == (flags & 1)) {
      work<12>(x);
    } else if (way == 3) {
#pragma unroll
      for (int i = 0; i < 12; ++i) asm volatile("mul.rn.f32 %0, %0, %0;" : "+f"(x[i % 8]));
    }
    work<4>(x);
  }
};

template <class Body>
__global__ void measured(long long* cycles, float* out, int flags, int n, Body body) {
  __shared__ long long first, last;
  float x[8];
  for (int k = 0; k < 8; ++k) x[k] = float(threadIdx.x + k);
  if (threadIdx.x == 0) first = clock64(), last = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < n; ++i) body(x, int(threadIdx.x) % 32, flags);
  atomicMax(reinterpret_cast<unsigned long long*>(&last), (unsigned long long)(clock64()));
  __syncthreads();
  if (threadIdx.x == 0) *cycles = last - first;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += x[k];
  out[threadIdx.x] = sum;
}

template <class Body>
void tell() {
  static long long* cycles = nullptr;
  static float* out = nullptr;
  if (!cycles) cudaMallocManaged(&cycles, sizeof *cycles), cudaMalloc(&out, 1024 * sizeof(float));
  for (const int warps : {1, 4, 8, 16, 32}) {
    std::vector<double> all;
    for (int i = 0; i <= launches; ++i) {
      measured<<<1, 32 * warps>>>(cycles, out, 1, rounds, Body{});
      if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
      if (i > 0) all.push_back(double(*cycles) / rounds / std::max(1, warps / 4));
    }
    std::sort(all.begin(), all.end());
    std::printf("{\"what\": \"%s\", \"instructions\": %d, \"warps\": %d, \"cycles\": %.2f}\n",
                Body::what, Body::instructions, warps, all[launches / 2]);
  }
}

int main() {
  tell<Loop<1>>(), tell<Loop<2>>(), tell<Loop<4>>(), tell<Loop<8>>(), tell<Loop<16>>(),
      tell<Loop<32>>(), tell<Loop<128>>();
  tell<If<0>>(), tell<If<1>>(), tell<If<2>>(), tell<If<3>>();
}
