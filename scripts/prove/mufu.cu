// How far MUFU, a GPU's unit of approximations, is from the correctly rounded result, which is what
// headroom's executor takes in its place: every one of the 2^32 inputs of each function, in units in
// the last place.
//
//   nvcc -arch=native -O3 scripts/prove/mufu.cu -o mufu && ./mufu [FOLDER] > results/h200/mufu.json
//
//   {"gpu": "NVIDIA H200", "functions": {"rcp": {"inputs": 4294967296, "equal": …, "ulps": {"-1": …, "1": …},
//                                                "other": 0, "largest": 1, "at": "0x3f812345"}, …}}
//
// ulps: result − reference, as neighbours on the number line; other: beyond four, or where only one
// of the two is NaN, infinite or of another sign. absolute: the largest error where the manual bounds
// it so, of lg2 from 0.5 to 2, of sin and cos up to 2π; relative: the largest of all other normal
// results. The .ftz forms are measured: they are the instruction alone; tanh has none, and of its
// subnormal results, which it does not flush, all are `other`. Of sin and cos the product
// with 1/2π, rounded towards zero, comes before it; the reference takes it as it is. FOLDER: where the
// differences of one period of each function go, a byte an input, for whoever wants to find the
// unit's tables.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    if (cudaError_t error = (call)) {                                                     \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

constexpr int farthest = 4;  // ulps told apart
struct Tally {
  unsigned long long ulps[2 * farthest + 1], other, largest, at;
  unsigned long long absolute, relative;  // bits of doubles
};

__device__ float flushed(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x; }
__device__ double turns(float x) {
  return 2.0 * __fmul_rz(x, __uint_as_float(0x3e22f983));
}  // of π

#define FUNCTION(name, ptx, exact, first, last)     \
  struct name {                                     \
    static constexpr const char* title = #name;     \
    static constexpr float from = first, to = last; \
    __device__ static float result(float x) {       \
      float y;                                      \
      asm(ptx " %0, %1;" : "=f"(y) : "f"(x));       \
      return y;                                     \
    }                                               \
    __device__ static double reference(float in) {  \
      const float x = flushed(in);                  \
      return exact;                                 \
    }                                               \
  };
FUNCTION(rcp, "rcp.approx.ftz.f32", 1.0 / double(x), 0, 0)
FUNCTION(rsqrt_, "rsqrt.approx.ftz.f32", 1.0 / sqrt(double(x)), 0, 0)
FUNCTION(sqrt_, "sqrt.approx.ftz.f32", sqrt(double(x)), 0, 0)
FUNCTION(ex2, "ex2.approx.ftz.f32", exp2(double(x)), 0, 0)
FUNCTION(lg2, "lg2.approx.ftz.f32", log2(double(x)), 0.5f, 2)
FUNCTION(sin_, "sin.approx.ftz.f32", sinpi(turns(x)), 0, 6.2831853f)
FUNCTION(cos_, "cos.approx.ftz.f32", cospi(turns(x)), 0, 6.2831853f)
FUNCTION(tanh_, "tanh.approx.f32", tanh(double(in)), 0, 0)

// Neighbours have neighbouring numbers.
__device__ int64_t place(float x) {
  const int32_t bits = __float_as_int(x);
  return bits < 0 ? -int64_t(bits & 0x7fffffff) : bits;
}

template <class F>
__device__ int64_t difference(uint32_t bits, bool& comparable) {
  const float x = __uint_as_float(bits), y = F::result(x), r = flushed(float(F::reference(x)));
  comparable = isnan(y) == isnan(r) && isinf(y) == isinf(r) &&
               (isnan(y) || y == r || signbit(y) == signbit(r));
  return isnan(y) || y == r ? 0 : place(y) - place(r);
}

// Positive doubles are in the order of their bits.
__device__ void raise(unsigned long long* most, double to) {
  const unsigned long long bits = __double_as_longlong(to);
  if (bits > *most) atomicMax(most, bits);
}

template <class F>
__global__ void tally(Tally* all) {
  __shared__ unsigned long long counts[2 * farthest + 2];
  if (threadIdx.x < 2 * farthest + 2) counts[threadIdx.x] = 0;
  __syncthreads();
  const uint64_t threads = uint64_t(gridDim.x) * blockDim.x;
  for (uint64_t n = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; n < 1ull << 32; n += threads) {
    bool comparable;
    const int64_t d = difference<F>(uint32_t(n), comparable);
    const bool told = comparable && d >= -farthest && d <= farthest;
    const unsigned peers =
        __match_any_sync(__activemask(), told ? int(d) + farthest : 2 * farthest + 1);
    if (__ffs(peers) - 1 == int(threadIdx.x % 32))
      atomicAdd(&counts[told ? d + farthest : 2 * farthest + 1], (unsigned long long)__popc(peers));
    const float x = __uint_as_float(uint32_t(n)), y = F::result(x);
    const double r = F::reference(x), error = fabs(y - r);
    if (fabsf(x) >= F::from && fabsf(x) <= F::to && isfinite(r)) {
      raise(&all->absolute, error);
    } else if (isfinite(y) && isfinite(r) && fabs(r) >= 0x1p-126 && fabs(r) < 0x1p128) {
      raise(&all->relative, error / fabs(r));
    }
    if (comparable && d != 0) {
      const unsigned long long far = d < 0 ? -d : d;
      if (far > all->largest && atomicMax(&all->largest, far) < far) all->at = n;
    }
  }
  __syncthreads();
  if (threadIdx.x < 2 * farthest + 1) atomicAdd(&all->ulps[threadIdx.x], counts[threadIdx.x]);
  if (threadIdx.x == 2 * farthest + 1) atomicAdd(&all->other, counts[threadIdx.x]);
}

template <class F>
__global__ void differences(uint32_t first, uint32_t count, int8_t* out) {
  const uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  bool comparable;
  if (n < count)
    out[n] = int8_t(max(-127ll, min(127ll, (long long)difference<F>(first + n, comparable))));
}

template <class F>
void measure(const char* folder, float first, uint32_t count, bool last = false) {
  Tally* tallied;
  CHECK(cudaMallocManaged(&tallied, sizeof(Tally)));
  *tallied = {};
  tally<F><<<132 * 8, 256>>>(tallied);
  CHECK(cudaDeviceSynchronize());
  std::string name = F::title;
  if (name.back() == '_') name.pop_back();
  std::printf("  \"%s\": {\"inputs\": 4294967296, \"equal\": %llu, \"ulps\": {", name.c_str(),
              tallied->ulps[farthest]);
  const char* comma = "";
  for (int d = -farthest; d <= farthest; ++d)
    if (d && tallied->ulps[d + farthest])
      std::printf("%s\"%d\": %llu", comma, d, tallied->ulps[d + farthest]), comma = ", ";
  std::printf("}, \"other\": %llu, \"largest\": %llu, \"at\": \"0x%08llx\", ", tallied->other,
              tallied->largest, tallied->at);
  std::printf("\"absolute\": %.4g, \"relative\": %.4g}%s\n",
              *reinterpret_cast<double*>(&tallied->absolute),
              *reinterpret_cast<double*>(&tallied->relative), last ? "" : ",");
  if (folder) {
    int8_t* out;
    CHECK(cudaMallocManaged(&out, count));
    differences<F><<<(count + 255) / 256, 256>>>(*reinterpret_cast<uint32_t*>(&first), count, out);
    CHECK(cudaDeviceSynchronize());
    std::FILE* file = std::fopen((std::string(folder) + "/" + name + ".bytes").c_str(), "wb");
    if (!file || std::fwrite(out, 1, count, file) != count || std::fclose(file)) std::exit(1);
    CHECK(cudaFree(out));
  }
  CHECK(cudaFree(tallied));
}

int main(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : nullptr;
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("{\"gpu\": \"%s\", \"functions\": {\n", properties.name);
  constexpr uint32_t octave = 1u << 23;
  measure<rcp>(folder, 1, octave);
  measure<rsqrt_>(folder, 1, 2 * octave);
  measure<sqrt_>(folder, 1, 2 * octave);
  measure<ex2>(folder, 1, octave);
  measure<lg2>(folder, 1, octave);
  measure<sin_>(folder, 1, 2 * octave);
  measure<cos_>(folder, 1, 2 * octave);
  measure<tanh_>(folder, 0.125f, 4 * octave, true);
  std::printf("}}\n");
}
