// Kernels as users write them, one of a kind: what the time model says of them was looked at after it was made.
//
//   nvcc -arch=sm_90 -lineinfo -O3 -std=c++17 scripts/measure/usual_kernels.cu -o usual_kernels && ./usual_kernels 4
//
// Launches all of them as often as its argument says, on numbers that tell nothing, and checks no result: only times are of interest
// (results/h200/usual_kernels.json).
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#define T (blockIdx.x * blockDim.x + threadIdx.x)  // its number in the grid
const int N = 1 << 22;
__global__ void m01_dp4a(const int* a, int* o) {
  int s = 0, x = a[T], y = a[T + 32];
  for (int i = 0; i < 256; i++) {
    s = __dp4a(x, y, s);
    x += s;
  }
  o[T] = s;
}
__global__ void m02_popc(const unsigned* a, int* o) {
  int s = 0;
  unsigned x = a[T];
  for (int i = 0; i < 128; i++) {
    s += __popc(x ^ (s * 0x9e3779b9u));
  }
  o[T] = s;
}
__global__ void m03_shfl(const float* a, float* o) {
  float s = a[T];
  for (int i = 0; i < 16; i++)
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
  o[T] = s;
}
__global__ void m04_ballot(const int* a, int* o) {
  int s = a[T];
  for (int i = 0; i < 64; i++) s += __popc(__ballot_sync(~0u, s & 1));
  o[T] = s;
}
__global__ void m05_match(const int* a, int* o) {
  int s = a[T] & 7;
  for (int i = 0; i < 8; i++) s = (s + __popc(__match_any_sync(~0u, s))) & 7;
  o[T] = s;
}
__global__ void m06_sharedatomic(const int* a, float* o) {
  __shared__ float h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 32; i++) atomicAdd(&h[(a[T] + i * 37) & 255], 1.f);
  __syncthreads();
  o[T] = h[threadIdx.x];
}
__global__ void m07_cas(const int* a, double* o) {
  for (int i = 0; i < 8; i++) atomicAdd(&o[a[T] & (N - 1)], 1.0);
}
__global__ void m08_softmax(const float* a, float* o) {
  __shared__ float r[8];
  const float* p = a + (size_t)blockIdx.x * 4096;
  float v[16], m = -1e30f;
  for (int i = 0; i < 16; i++) {
    v[i] = p[threadIdx.x + i * 256];
    m = fmaxf(m, v[i]);
  }
  for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  if (threadIdx.x % 32 == 0) r[threadIdx.x / 32] = m;
  __syncthreads();
  for (int i = 0; i < 8; i++) m = fmaxf(m, r[i]);
  __syncthreads();
  float s = 0;
  for (int i = 0; i < 16; i++) {
    v[i] = __expf(v[i] - m);
    s += v[i];
  }
  for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0) r[threadIdx.x / 32] = s;
  __syncthreads();
  s = 0;
  for (int i = 0; i < 8; i++) s += r[i];
  for (int i = 0; i < 16; i++) o[(size_t)blockIdx.x * 4096 + threadIdx.x + i * 256] = v[i] / s;
}
__global__ void m09_stencil(const float* a, float* o) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < 1 || y < 1 || x > 255 || y > 255) return;
  for (int z = 1; z < 63; z++) {
    int i = (z * 257 + y) * 257 + x;
    o[i] = a[i - 1] + a[i + 1] + a[i - 257] + a[i + 257] + a[i - 257 * 257] + a[i + 257 * 257] -
           6 * a[i];
  }
}
__global__ void m10_normalize(const float* a, float* o) {
  float x = a[T], y = a[T + 1], z = a[T + 2];
  for (int i = 0; i < 16; i++) {
    float l = sqrtf(x * x + y * y + z * z);
    x = x / l + 1;
    y = y / l + 2;
    z = z / l + 3;
  }
  o[T] = x + y + z;
}
__global__ void m11_fp64(const double* a, double* o) {
  double x = a[T], s = 0;
  for (int i = 0; i < 64; i++) s = s * x + 0.5;
  o[T] = s;
}
__global__ void m12_bf16(const __nv_bfloat162* a, __nv_bfloat162* o) {
  __nv_bfloat162 x = a[T], y = x, z = x, w = x;
  for (int i = 0; i < 64; i++) {
    x = __hfma2(x, x, y);
    y = __hfma2(y, y, z);
    z = __hfma2(z, z, w);
    w = __hfma2(w, w, x);
  }
  o[T] = x;
}
__constant__ float table[1024];
__global__ void m13_constdiv(const int* a, float* o) {
  float s = 0;
  int k = a[T];
  for (int i = 0; i < 32; i++) s += table[(k + i) & 1023];
  o[T] = s;
}
__global__ void m14_tex(cudaTextureObject_t t, float* o) {
  float s = 0;
  for (int i = 0; i < 16; i++) s += tex2D<float>(t, (T % 1024) + i + .5f, (T / 1024) + .5f);
  o[T] = s;
}
__global__ void m15_search(const int* s, const int* a, int* o) {
  int k = a[T] & (N - 1), lo = 0, hi = N - 1;
  while (lo < hi) {
    int m = (lo + hi) / 2;
    if (s[m] < k)
      lo = m + 1;
    else
      hi = m;
  }
  o[T] = lo;
}
__global__ void m16_bitonic(const int* a, int* o) {
  __shared__ int v[1024];
  v[threadIdx.x] = a[T];
  __syncthreads();
  for (int k = 2; k <= 1024; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      int p = threadIdx.x ^ j;
      if (p > threadIdx.x) {
        bool up = (threadIdx.x & k) == 0;
        int x = v[threadIdx.x], y = v[p];
        if ((x > y) == up) {
          v[threadIdx.x] = y;
          v[p] = x;
        }
      }
      __syncthreads();
    }
  o[T] = v[threadIdx.x];
}
__global__ void m17_wmma(const __half* a, const __half* b, float* c) {
  using namespace nvcuda::wmma;
  int w = T / 32, r = w / 64, q = w % 64;
  fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, __half, row_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0);
  for (int k = 0; k < 1024; k += 16) {
    load_matrix_sync(fa, a + r * 16 * 1024 + k, 1024);
    load_matrix_sync(fb, b + k * 1024 + q * 16, 1024);
    mma_sync(fc, fa, fb, fc);
  }
  store_matrix_sync(c + r * 16 * 1024 + q * 16, fc, 1024, mem_row_major);
}
__global__ void m18_scan(const int* a, int* o) {
  int v = a[T];
  for (int r = 0; r < 8; r++) {
    for (int d = 1; d < 32; d *= 2) {
      int u = __shfl_up_sync(~0u, v, d);
      if (threadIdx.x % 32 >= d) v += u;
    }
  }
  o[T] = v;
}
__global__ void m19_gather_l2(const int* a, const float* x, float* o) {
  float s = 0;
  unsigned k = a[T];
  for (int i = 0; i < 16; i++) {
    k = k * 1664525u + 1013904223u;
    s += x[(k >> 10) & ((1 << 20) - 1)];
  }
  o[T] = s;
}
__global__ void m20_gather_dram(const int* a, const float* x, float* o) {
  float s = 0;
  unsigned k = a[T];
  for (int i = 0; i < 8; i++) {
    k = k * 1664525u + 1013904223u;
    s += x[k >> 4];
  }
  o[T] = s;
}
__global__ void m21_scatter(const int* a, float* x) {
  unsigned k = a[T];
  for (int i = 0; i < 8; i++) {
    k = k * 1664525u + 1013904223u;
    x[(k >> 10) & ((1 << 20) - 1)] = i;
  }
}
__global__ void m22_mul64(const unsigned long long* a, unsigned long long* o) {
  unsigned long long s = a[T];
  for (int i = 0; i < 64; i++) s = s * 6364136223846793005ull + 1442695040888963407ull;
  o[T] = s;
}
__global__ void m23_philox(const uint4* a, uint4* o) {
  uint4 c = a[T];
  unsigned k0 = T, k1 = 7;
  for (int i = 0; i < 40; i++) {
    unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x,
             h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
    c = make_uint4(h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  o[T] = c;
}
__global__ void m24_reduce(const float* a, float* o) {
  __shared__ float v[1024];
  float s = 0;
  for (int i = 0; i < 4; i++) {
    v[threadIdx.x] = a[T] + i;
    __syncthreads();
    for (int d = 512; d; d /= 2) {
      if (threadIdx.x < d) v[threadIdx.x] += v[threadIdx.x + d];
      __syncthreads();
    }
    s += v[0];
    __syncthreads();
  }
  o[T] = s;
}
__global__ void m25_dot(const float* a, const float* b, float* o) {
  float s = 0;
  for (int i = T; i < N * 4; i += gridDim.x * blockDim.x) s += a[i] * b[i];
  for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0) atomicAdd(o, s);
}
__global__ void m26_bytes(const unsigned char* a, unsigned char* o) { o[T] = a[T] ^ 0x5a; }
__global__ void m27_float3(const float3* a, float3* o) {
  float3 v = a[T];
  v.x += 1;
  v.y += 2;
  v.z += 3;
  o[T] = v;
}
__global__ void m28_hash(const unsigned char* a, unsigned* o) {
  unsigned h = 2166136261u;
  const unsigned char* p = a + T * 32;
  for (int i = 0; i < 32; i++) h = (h ^ p[i]) * 16777619u;
  o[T] = h;
}
__global__ void m29_redux(const int* a, int* o) {
  int s = a[T];
  for (int i = 0; i < 32; i++) s = (s ^ __reduce_add_sync(~0u, s)) + i;
  o[T] = s;
}
__global__ void m30_cpasync(const float4* a, float* o) {
  __shared__ float4 t[2][256];
  float s = 0;
  const float4* p = a + (size_t)blockIdx.x * 256 * 16;
  __pipeline_memcpy_async(&t[0][threadIdx.x], p + threadIdx.x, 16);
  __pipeline_commit();
  for (int i = 0; i < 16; i++) {
    if (i < 15)
      __pipeline_memcpy_async(&t[(i + 1) & 1][threadIdx.x], p + (i + 1) * 256 + threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float4 v = t[i & 1][255 - threadIdx.x];
    s += v.x + v.y + v.z + v.w;
    __syncthreads();
  }
  o[T] = s;
}
__global__ void m31_half_exp(const __half2* a, __half2* o) {
  __half2 x = a[T];
  for (int i = 0; i < 32; i++) x = h2exp(x);
  o[T] = x;
}
__global__ void m32_half_float(const __half* a, float* o) {
  float s = 0;
  for (int i = 0; i < 32; i++) {
    s = s * 0.5f + __half2float(a[T + i * 256]);
  }
  o[T] = s;
}
__global__ void m33_pow(const float* a, float* o) {
  float x = a[T], s = 0;
  for (int i = 0; i < 8; i++) s += powf(x, s + 1.5f);
  o[T] = s;
}
__global__ void m34_fmod(const float* a, float* o) {
  float x = a[T] * 1000, s = 0;
  for (int i = 0; i < 8; i++) s += fmodf(x + s, 1.7f);
  o[T] = s;
}
__global__ void m35_double_div(const double* a, double* o) {
  double x = a[T], s = 1;
  for (int i = 0; i < 16; i++) s = x / (s + 1.0);
  o[T] = s;
}
__global__ void m36_minmax(const float* a, float* o) {
  float x = a[T], lo = x, hi = x;
  for (int i = 0; i < 128; i++) {
    float y = x * i;
    lo = fminf(lo, y);
    hi = fmaxf(hi, y - lo);
  }
  o[T] = lo + hi;
}
int main(int argc, char** argv) {
  int reps = argc > 1 ? atoi(argv[1]) : 1;
  void *A, *B, *O, *big;
  cudaMalloc(&A, (size_t)1 << 28);
  cudaMalloc(&B, 1 << 28);
  cudaMalloc(&O, 1 << 28);
  cudaMalloc(&big, (size_t)1 << 30);
  int* h = (int*)malloc(1 << 26);
  unsigned r = 1;
  for (int i = 0; i < (1 << 24); i++) {
    r = r * 1664525u + 1013904223u;
    h[i] = (r >> 8) & 0x3fffffff;
  }
  for (int i = 0; i < 4; i++)
    cudaMemcpy((char*)A + ((size_t)i << 26), h, 1 << 26, cudaMemcpyHostToDevice);
  for (int i = 0; i < (1 << 24); i++) h[i] = i;
  cudaMemcpy(B, h, 1 << 26, cudaMemcpyHostToDevice);
  cudaMemset(big, 0, (size_t)1 << 30);
  cudaArray_t arr;
  auto d = cudaCreateChannelDesc<float>();
  cudaMallocArray(&arr, &d, 2048, 2048);
  cudaTextureObject_t tex;
  cudaResourceDesc rd{};
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = arr;
  cudaTextureDesc td{};
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
  cudaCreateTextureObject(&tex, &rd, &td, 0);
  const int G = N / 256 / 2;
  for (int q = 0; q < reps; q++) {
    m01_dp4a<<<G, 256>>>((int*)A, (int*)O);
    m02_popc<<<G, 256>>>((unsigned*)A, (int*)O);
    m03_shfl<<<G, 256>>>((float*)A, (float*)O);
    m04_ballot<<<G, 256>>>((int*)A, (int*)O);
    m05_match<<<G / 8, 256>>>((int*)A, (int*)O);
    m06_sharedatomic<<<G, 256>>>((int*)A, (float*)O);
    m07_cas<<<G / 4, 256>>>((int*)A, (double*)O);
    m08_softmax<<<4096, 256>>>((float*)A, (float*)O);
    m09_stencil<<<dim3(9, 33), dim3(32, 8)>>>((float*)A, (float*)O);
    m10_normalize<<<G, 256>>>((float*)A, (float*)O);
    m11_fp64<<<G, 256>>>((double*)A, (double*)O);
    m12_bf16<<<G, 256>>>((__nv_bfloat162*)A, (__nv_bfloat162*)O);
    m13_constdiv<<<G, 256>>>((int*)A, (float*)O);
    m14_tex<<<G, 256>>>(tex, (float*)O);
    m15_search<<<G / 4, 256>>>((int*)B, (int*)A, (int*)O);
    m16_bitonic<<<1024, 1024>>>((int*)A, (int*)O);
    m17_wmma<<<512, 256>>>((__half*)A, (__half*)A, (float*)O);
    m18_scan<<<G, 256>>>((int*)A, (int*)O);
    m19_gather_l2<<<G, 256>>>((int*)A, (float*)B, (float*)O);
    m20_gather_dram<<<G / 4, 256>>>((int*)A, (float*)big, (float*)O);
    m21_scatter<<<G / 4, 256>>>((int*)A, (float*)O);
    m22_mul64<<<G, 256>>>((unsigned long long*)A, (unsigned long long*)O);
    m23_philox<<<G, 256>>>((uint4*)A, (uint4*)O);
    m24_reduce<<<1024, 1024>>>((float*)A, (float*)O);
    m25_dot<<<1056, 256>>>((float*)A, (float*)B, (float*)O);
    m26_bytes<<<N / 64, 256>>>((unsigned char*)A, (unsigned char*)O);
    m27_float3<<<G, 256>>>((float3*)A, (float3*)O);
    m28_hash<<<G / 2, 256>>>((unsigned char*)A, (unsigned*)O);
    m29_redux<<<G, 256>>>((int*)A, (int*)O);
    m30_cpasync<<<2048, 256>>>((float4*)A, (float*)O);
    m31_half_exp<<<G, 256>>>((__half2*)A, (__half2*)O);
    m32_half_float<<<G, 256>>>((__half*)A, (float*)O);
    m33_pow<<<G, 256>>>((float*)A, (float*)O);
    m34_fmod<<<G, 256>>>((float*)A, (float*)O);
    m35_double_div<<<G, 256>>>((double*)A, (double*)O);
    m36_minmax<<<G, 256>>>((float*)A, (float*)O);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
