// The same matrix product by OpenBLAS on all cores of the host and by cuBLAS on a GPU, with the
// copies and without: how fast each is, and from which size the GPU wins.
//
//   blas --json blas.json
//
//   sgemm
//
//   n      CPU, GFLOP/s  GPU, events  resident  pinned copies  pageable copies  verified
//   16              1.2          0.9       0.7            0.3              0.2      PASS
//
// Sources: "Timing and Bandwidth Calculation" (SGEMM and DGEMM of the GPU's library against a
// threaded CPU BLAS); 2 n^3 operations.
#include <cstdio>

#include "peers/blas/report.h"
#include "studies/common/check.h"
#include "studies/common/options.h"
#include "studies/common/origin.h"

namespace {

using namespace blas;

constexpr const char* usage =
    "blas: C = A B by OpenBLAS on all cores and by cuBLAS, square matrices\n\n"
    "  --least N, --most N   sizes (default 16 to 8192): powers of two, and one and a half times "
    "them\n"
    "  --cpu-only            OpenBLAS alone; needs no GPU\n"
    "  --seed N              the input (default: a fresh one)\n"
    "  --json FILE           write everything there too\n\n"
    "exit code: 0 every product is right, 1 one is wrong or a CUDA call failed, 2 bad options\n";

template <typename T>
Row compare(const char* routine, size_t n, uint64_t seed, bool cpu_only) {
  const Problem<T> problem(n, seed);
  Limits limits;
  limits.target = 0.01;
  limits.min_samples = n < 4096 ? 10 : 3;
  limits.max_samples = 300;
  limits.max_seconds = 0.3;
  Row row{routine, n, problem.operations()};
  std::vector<T> by_cpu, by_gpu;
  row.cpu = multiply_on_cpu(problem, limits, by_cpu);
  row.cpu_error = problem.error_over_bound(by_cpu);
  row.max_apart = 8 * std::sqrt(double(n)) * std::numeric_limits<T>::epsilon();
  if (cpu_only) return row;
  row.gpu = multiply_on_gpu(problem, limits, by_gpu);
  row.gpu_error = problem.error_over_bound(by_gpu);
  row.apart = difference(by_gpu, by_cpu);
  return row;
}

// 16, 24, 32, 48, …
std::vector<size_t> sizes(size_t least, size_t most) {
  std::vector<size_t> found;
  for (size_t power = 1; power <= most; power *= 2) {
    for (const size_t n : {power, power + power / 2}) {
      if (n >= least && n <= most && (found.empty() || n > found.back())) found.push_back(n);
    }
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  const size_t least = size_t(options.integer("--least", 16, 1, 32768));
  const size_t most = size_t(options.integer("--most", 8192, 1, 32768));
  const bool cpu_only = options.flag("--cpu-only");
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  if (sizes(least, most).empty()) options.reject("no size lies between --least and --most");
  options.require_writable(json);
  int devices = 0;
  if (!cpu_only && cudaGetDeviceCount(&devices) != cudaSuccess)
    options.reject("there is no GPU: --cpu-only goes without");

  std::printf("seed %llu\n%s, %d threads, code for %s on %s; %s\n",
              static_cast<unsigned long long>(seed), cpu_library().c_str(), cpu_threads(),
              cpu_kernels().c_str(), cpu_name().c_str(),
              cpu_only ? "no GPU" : gpu_library().c_str());
  std::vector<Row> rows;
  for (const size_t n : sizes(least, most))
    rows.push_back(compare<float>("sgemm", n, seed + 4 * n, cpu_only));
  for (const size_t n : sizes(least, most))
    rows.push_back(compare<double>("dgemm", n, seed + 4 * n, cpu_only));
  print(rows);
  bool right = true;
  for (const Row& row : rows) right = right && row.right();
  std::printf("\n%s\n", right ? "PASS" : "FAIL");
  if (!json.empty() && !write_json(json, rows, study::command_line(argc, argv)))
    options.reject("cannot write " + json);
  return right ? 0 : 1;
}
