// cuBLAS in its default mode: FP32 and FP64 as they are, no TF32.
#include <cublas_v2.h>

#include <cstring>

#include "peers/blas/peers.h"
#include "studies/common/buffer.h"
#include "studies/common/check.h"

namespace blas {
namespace {

using headroom::timing::Clock;
using headroom::timing::measure;
using headroom::timing::Plan;

void require(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", call, cublasGetStatusString(status));
  std::exit(1);
}

// One for the program: making it takes far longer than a product.
cublasHandle_t handle() {
  static const cublasHandle_t made = [] {
    cublasHandle_t fresh = nullptr;
    require(cublasCreate(&fresh), "cublasCreate");
    return fresh;
  }();
  return made;
}

void product(int n, const float* a, const float* b, float* c) {
  const float one = 1, zero = 0;
  require(cublasSgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n),
          "cublasSgemm");
}
void product(int n, const double* a, const double* b, double* c) {
  const double one = 1, zero = 0;
  require(cublasDgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n),
          "cublasDgemm");
}

template <typename T>
class Pinned {
 public:
  explicit Pinned(size_t count) : bytes_(count * sizeof(T)) {
    CHECK(cudaMallocHost(&data_, bytes_));
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(data_); }

  T* data() const { return data_; }
  void fill(const std::vector<T>& values) { std::memcpy(data_, values.data(), bytes_); }
  void poison() { std::memset(data_, 0xFF, bytes_); }

 private:
  T* data_ = nullptr;
  size_t bytes_;
};

template <typename Work>
Timing timed(const Limits& limits, Clock clock, const Work& work) {
  Plan plan;
  plan.clock = clock;
  plan.target = limits.target;
  plan.min_samples = limits.min_samples;
  plan.max_samples = limits.max_samples;
  plan.max_seconds = limits.max_seconds;
  return measure(plan, [&](cudaStream_t) { work(); });
}

}  // namespace

std::string gpu_library() {
  int version = 0;
  require(cublasGetVersion(handle(), &version), "cublasGetVersion");
  return "cuBLAS " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
         "." + std::to_string(version % 100);
}

template <typename T>
GpuTimes multiply_on_gpu(const Problem<T>& problem, const Limits& limits, std::vector<T>& c) {
  const size_t n = problem.n, count = n * n, bytes = count * sizeof(T);
  study::DeviceBuffer<T> a(problem.a), b(problem.b), out(count);
  const auto multiply = [&] { product(int(n), a.data(), b.data(), out.data()); };
  const auto with_copies = [&](const T* from_a, const T* from_b, T* to) {
    CHECK(cudaMemcpyAsync(a.data(), from_a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyAsync(b.data(), from_b, bytes, cudaMemcpyHostToDevice));
    multiply();
    CHECK(cudaMemcpy(to, out.data(), bytes, cudaMemcpyDeviceToHost));
  };
  GpuTimes times;
  CHECK(cudaMemset(out.data(), 0xFF, bytes));
  times.device = timed(limits, Clock::gpu, multiply);
  times.resident = timed(limits, Clock::cpu, multiply);
  out.read(c);

  Pinned<T> pinned_a(count), pinned_b(count), pinned_c(count);
  pinned_a.fill(problem.a);
  pinned_b.fill(problem.b);
  pinned_c.poison();
  times.pinned = timed(limits, Clock::cpu,
                       [&] { with_copies(pinned_a.data(), pinned_b.data(), pinned_c.data()); });
  times.wrong_modes += std::memcmp(c.data(), pinned_c.data(), bytes) != 0;

  std::vector<T> pageable_c(count, std::numeric_limits<T>::quiet_NaN());
  times.pageable = timed(limits, Clock::cpu, [&] {
    with_copies(problem.a.data(), problem.b.data(), pageable_c.data());
  });
  times.wrong_modes += std::memcmp(c.data(), pageable_c.data(), bytes) != 0;
  return times;
}

template GpuTimes multiply_on_gpu(const Problem<float>&, const Limits&, std::vector<float>&);
template GpuTimes multiply_on_gpu(const Problem<double>&, const Limits&, std::vector<double>&);

}  // namespace blas
