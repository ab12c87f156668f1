// What an operand of constant memory costs that its cache does not have: FFMA R0, R0, c[0x3][0x1234], R1.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/operand_constants.cu -o operand_constants && ./operand_constants
//
//   {"walk": 16384, "warps": 8, "cycles_of_64_bytes": 41.2}
//   {"words": 512, "of": "float", "constants": 1, "warps": 4, "cycles": 1.63}
//
// A loop of so many multiply-adds, each with a word of its own, or with registers alone for comparison (the same code otherwise); cycles
// of an SM's sub-partition an instruction, the median of seven launches on one SM.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int rounds = 64, launches = 7, chains = 8;
__constant__ double table[4096];

template <class Real, int words, bool constants>
__global__ void measured(long long* cycles, Real* out, Real a, Real b) {
  Real x[chains];
  for (int k = 0; k < chains; ++k) x[k] = Real(threadIdx.x + k);
  const Real* of = reinterpret_cast<const Real*>(table);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < words; ++j) x[j % chains] = x[j % chains] * (constants ? of[j] : a) + b;
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  Real sum = 0;
  for (int k = 0; k < chains; ++k) sum += x[k];
  out[threadIdx.x] = sum;
}

// All warps go over the same `bytes` again and again: ULDC UR4, c[0x3][UR5].
__global__ void walked(long long* cycles, double* out, int bytes, int times) {
  double x[chains];
  for (int k = 0; k < chains; ++k) x[k] = double(threadIdx.x + k);

  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int t = 0; t < times; ++t)
#pragma unroll 2
    for (int j = 0; j < bytes / 16; j += 2) {
      x[0] = x[0] * table[2 * j] + 0.5, x[1] = x[1] * table[2 * j + 1] + 0.5;
      x[2] = x[2] * table[2 * j + 2] + 0.5, x[3] = x[3] * table[2 * j + 3] + 0.5;
    }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  double sum = 0;
  for (int k = 0; k < chains; ++k) sum += x[k];
  out[threadIdx.x] = sum;
}

void tell_walks() {
  long long* cycles;
  double* out;
  cudaMallocManaged(&cycles, sizeof *cycles);
  cudaMalloc(&out, 1024 * sizeof(double));
  for (const int bytes : {512, 1024, 2048, 4096, 8192, 16384, 32768})
    for (const int warps : {1, 4, 8, 16, 32}) {
      std::vector<long long> all;
      const int times = 1 << 20 >> 5 << 5;
      for (int i = 0; i <= launches; ++i) {
        walked<<<1, 32 * warps>>>(cycles, out, bytes, times / bytes);
        if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
        if (i > 0) all.push_back(*cycles);
      }
      std::sort(all.begin(), all.end());
      std::printf("{\"walk\": %d, \"warps\": %d, \"cycles_of_64_bytes\": %.2f}\n", bytes, warps,
                  double(all[launches / 2]) / (double(times) / 64));
    }
}

template <class Real, int words, bool constants>
void tell(const char* of) {
  long long* cycles;
  Real* out;
  cudaMallocManaged(&cycles, sizeof *cycles);
  cudaMalloc(&out, 1024 * sizeof(Real));
  for (const int warps : {1, 4, 8, 16, 32}) {
    std::vector<long long> all;
    for (int i = 0; i <= launches; ++i) {
      measured<Real, words, constants><<<1, 32 * warps>>>(cycles, out, Real(1.25), Real(0.5));
      if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
      if (i > 0) all.push_back(*cycles);
    }
    std::sort(all.begin(), all.end());
    const double issued = double(rounds) * words * std::max(1, warps / 4);
    std::printf(
        "{\"words\": %d, \"of\": \"%s\", \"constants\": %d, \"warps\": %d, \"cycles\": %.3f}\n",
        words, of, constants, warps, double(all[launches / 2]) / issued);
  }
  cudaFree(cycles);
  cudaFree(out);
}

template <class Real>
void all(const char* of) {
  tell<Real, 64, false>(of), tell<Real, 64, true>(of);
  tell<Real, 128, false>(of), tell<Real, 128, true>(of);
  tell<Real, 256, false>(of), tell<Real, 256, true>(of);
  tell<Real, 512, false>(of), tell<Real, 512, true>(of);
  tell<Real, 1024, false>(of), tell<Real, 1024, true>(of);
  tell<Real, 2048, false>(of), tell<Real, 2048, true>(of);
}

int main() {
  all<float>("float");
  all<double>("double");
  tell_walks();
}
