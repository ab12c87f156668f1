// OpenBLAS, on as many threads as it takes by itself: all cores, unless OPENBLAS_NUM_THREADS says
// less.
#include <cblas.h>

#include <chrono>

#include "peers/blas/peers.h"

// Not in the cblas.h of every packager.
extern "C" char* openblas_get_config();
extern "C" char* openblas_get_corename();
extern "C" int openblas_get_num_threads();

namespace blas {
namespace {

void product(int n, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}
void product(int n, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}

// What `collect` takes samples from; there is no GPU in it, so no clocks are known.
template <typename Work>
struct HostSource {
  const Work& work;

  double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  double sample() {
    const double start = now();
    work();
    return now() - start;
  }
  headroom::timing::Clocks clocks() const { return {}; }
};

}  // namespace

std::string cpu_library() { return openblas_get_config(); }
std::string cpu_kernels() { return openblas_get_corename(); }
int cpu_threads() { return openblas_get_num_threads(); }

template <typename T>
Timing multiply_on_cpu(const Problem<T>& problem, const Limits& limits, std::vector<T>& c) {
  c.assign(problem.n * problem.n, std::numeric_limits<T>::quiet_NaN());
  const auto work = [&] { product(int(problem.n), problem.a.data(), problem.b.data(), c.data()); };
  work();
  Timing timing;
  timing.clock = headroom::timing::Clock::cpu;
  HostSource<decltype(work)> source{work};
  headroom::timing::collect(limits, source, timing);
  return timing;
}

template Timing multiply_on_cpu(const Problem<float>&, const Limits&, std::vector<float>&);
template Timing multiply_on_cpu(const Problem<double>&, const Limits&, std::vector<double>&);

}  // namespace blas
