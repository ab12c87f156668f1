// rung    shared_stages
// idea    a block holds a transform in shared memory: memory is read once and written once
// expect  global_store_requests / 10, global_store_sectors / 12 against global_stages
// next    four_values: half of the stages, if a thread holds four values
//
// Still one thread a butterfly, 512 at 1024 points, and every stage goes through shared memory: from one
// half of it to the other, with one barrier for each. Longer transforms give a thread several
// butterflies, shorter ones share a block.
#include <algorithm>

#include "studies/common/shared_memory.h"
#include "studies/fft/complex.h"
#include "studies/fft/fft.h"

namespace {

constexpr int most_threads = 512, least_threads = 64;

__global__ void __launch_bounds__(most_threads)
    all_stages(float2* to, const float2* from, const float2* roots, size_t batch, int n,
               float sign) {
  using namespace fft;
  extern __shared__ float2 shared[];
  const int transforms = max(1, 2 * int(blockDim.x) / n), points = transforms * n, half = n / 2;
  const size_t first = size_t(blockIdx.x) * points;
  const int there = int(min(size_t(points), batch * n - first));
  float2 *in = shared, *out = shared + points;
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    in[i] = i < there ? turned(from[first + i], sign) : float2{0, 0};
  }
  for (int done = 1, step = half; done < n; done *= 2, step /= 2) {
    __syncthreads();
    for (int index = threadIdx.x; index < points / 2; index += blockDim.x) {
      const int j = index & (half - 1), m = j & (done - 1), base = (index - j) * 2;
      const float2 a = in[base + j], b = in[base + j + half] * roots[m * step];
      const int at = base + (j - m) * 2 + m;
      out[at] = a + b;
      out[at + done] = a - b;
    }
    float2* swapped = in;
    in = out;
    out = swapped;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < there; i += blockDim.x) to[first + i] = turned(in[i], sign);
}

int threads_for(int n) { return std::clamp(n / 2, least_threads, most_threads); }
int transforms_for(int n) { return std::max(1, 2 * threads_for(n) / n); }

fft::Shape shape(const fft::Request& request) {
  const int shared = 2 * transforms_for(request.n) * request.n * int(sizeof(float2));
  study::allow_shared(all_stages, shared);
  return {reinterpret_cast<const void*>(all_stages), threads_for(request.n), shared, 0};
}

void launch(const fft::Request& r) {
  const fft::Shape at = shape(r);
  const size_t transforms = transforms_for(r.n);
  all_stages<<<unsigned((r.batch - 1) / transforms + 1), at.threads, at.shared>>>(
      r.to, r.from, r.roots, r.batch, r.n, r.inverse ? -1.0f : 1.0f);
}

}  // namespace

const fft::Rung fft::shared_stages = {"shared_stages", launch, shape};
