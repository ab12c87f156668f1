// rung    global_stages
// idea    one thread a butterfly of two values, one kernel a stage: all of it through memory
// expect  the most bytes moved: each of the log2(n) stages reads and writes everything
// next    shared_stages: the stages of a transform are one block's own business
//
// The plainest way: a stage reads one array and writes another, and the kernel's end is the barrier
// between two stages. The writes of the first stages do not reach neighbours.
#include <utility>

#include "studies/common/check.h"
#include "studies/fft/complex.h"
#include "studies/fft/fft.h"

namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads)
    one_stage(float2* to, const float2* from, const float2* roots, unsigned butterflies, int half,
              int step, int done, float sign_in, float sign_out) {
  const unsigned index = blockIdx.x * threads + threadIdx.x;
  if (index >= butterflies) return;
  using namespace fft;
  const int j = int(index) & (half - 1), m = j & (done - 1);
  const size_t first = size_t(index - j) * 2;
  const float2 a = turned(from[first + j], sign_in);
  const float2 b = turned(from[first + j + half], sign_in) * roots[m * step];
  float2* out = to + first + (j - m) * 2 + m;
  out[0] = turned(a + b, sign_out);
  out[done] = turned(a - b, sign_out);
}

fft::Shape shape(const fft::Request&) {
  return {reinterpret_cast<const void*>(one_stage), threads, 0, 0};
}

void launch(const fft::Request& request) {
  const size_t points = request.n * request.batch;
  const unsigned butterflies = unsigned(points / 2), blocks = (butterflies - 1) / threads + 1;
  const float sign = request.inverse ? -1.0f : 1.0f;
  int left = 0;
  for (int done = 1; done < request.n; done *= 2) ++left;
  const float2* from = request.from;
  // The last stage writes to `to`, so the first one does where their number is odd: not in place.
  if (from == request.to && left % 2 != 0) {
    CHECK(cudaMemcpyAsync(request.workspace, from, points * sizeof(float2),
                          cudaMemcpyDeviceToDevice));
    from = request.workspace;
  }
  for (int done = 1; left-- > 0; done *= 2) {
    float2* to = left % 2 == 0 ? request.to : request.workspace;
    one_stage<<<blocks, threads>>>(to, from, request.roots, butterflies, request.n / 2,
                                   request.n / 2 / done, done, done == 1 ? sign : 1.0f,
                                   left == 0 ? sign : 1.0f);
    from = to;
  }
}

}  // namespace

const fft::Rung fft::global_stages = {"global_stages", launch, shape, fft::max_size, true};
