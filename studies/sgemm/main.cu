// The sgemm study: single-precision matrix product, from one thread per element towards the
// library's speed. Every rung is a file of its own with one idea; the table is the ladder.
//
//   sgemm --size 4096                 on a GPU; the default size suits an executor
//
//   rung         time by events, us  GFLOP/s  spread, %  verified
//   naive                    …
//
// Source: S. Boehm, "How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance", 2022.
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/random.h"
#include "studies/common/table.h"
#include "studies/sgemm/reference.h"
#include "studies/sgemm/sgemm.h"

namespace {

constexpr const char* usage =
    "sgemm: C = alpha A B + beta C in single precision, one rung of the ladder after the other\n\n"
    "  --size N               M = N = K (default 256)\n"
    "  --m N --n N --k N      one extent each\n"
    "  --alpha X --beta X     the factors (default 1 and 0)\n"
    "  --rung NAME            only this one: naive, coalesced, shared_tile\n"
    "  --seed N               the input (default: a fresh one)\n"
    "  --json FILE            write the table there too\n\n"
    "exit code: 0 every product is right, 1 a product is wrong or a CUDA call failed, 2 bad "
    "options\n";

constexpr const sgemm::Rung* rungs[] = {&sgemm::naive, &sgemm::coalesced, &sgemm::shared_tile};

// Element numbers are int in the kernels, and a grid has at most 65 535 blocks of 32 in y.
void reject_unless_fitting(const study::Options& options, int64_t rows, int64_t columns) {
  if (rows * columns > std::numeric_limits<int>::max()) {
    options.reject("a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) +
                   " has more than 2^31 - 1 elements: choose smaller extents");
  }
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  constexpr int64_t largest = 65535 * 32;
  const int64_t size = options.integer("--size", 256, 1, largest);
  const int m = int(options.integer("--m", size, 1, largest));
  const int n = int(options.integer("--n", size, 1, largest));
  const int k = int(options.integer("--k", size, 1, largest));
  const float alpha = float(options.real("--alpha", 1)), beta = float(options.real("--beta", 0));
  const std::string only = options.text("--rung", "");
  study::Measure measure(options);
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  reject_unless_fitting(options, m, k);
  reject_unless_fitting(options, k, n);
  reject_unless_fitting(options, m, n);
  bool known = only.empty();
  for (const sgemm::Rung* rung : rungs) known = known || only == rung->name;
  if (!known) options.reject("there is no rung '" + only + "'");

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const std::vector<float> host_a = study::random_floats(size_t(m) * k, seed);
  const std::vector<float> host_b = study::random_floats(size_t(k) * n, seed + 1);
  // What C must not be read for is not a number, so that reading it shows.
  const std::vector<float> before =
      beta == 0 ? std::vector<float>(size_t(m) * n, std::numeric_limits<float>::quiet_NaN())
                : study::random_floats(size_t(m) * n, seed + 2);
  std::vector<float> after;
  study::DeviceBuffer<float> a(host_a), b(host_b), c_before(before), c(before);
  const sgemm::Problem problem{m, n, k, alpha, beta, a.data(), b.data(), c.data()};
  const sgemm::Problem on_host{m, n, k, alpha, beta, host_a.data(), host_b.data(), nullptr};
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));

  study::Table table({"rung", "time by events, us", "GFLOP/s", "spread, %", "verified"});
  int failures = 0;
  for (const sgemm::Rung* rung : rungs) {
    if (!only.empty() && only != rung->name) continue;
    const study::Timing timing = measure(
        rung->name, [&] { rung->launch(problem); }, [&] { c.copy_from(c_before); });
    c.read(after);
    const bool right = sgemm::verify(on_host, before, after, seed + 3);
    failures += !right;
    const double seconds = timing.median();
    table.row({rung->name, study::number(seconds * 1e6, 2),
               study::number(2.0 * m * n * k / seconds * 1e-9, 1),
               study::number(timing.spread() * 100, 1), right ? "PASS" : "FAIL"});
  }
  const std::string title = "sgemm " + std::to_string(m) + " x " + std::to_string(n) + " x " +
                            std::to_string(k) + " (M x N x K), " + device.name;
  std::printf("%s\n\n", title.c_str());
  table.print();
  measure.print_caveats();
  std::printf("\n%s\n", failures ? "FAIL" : "PASS");
  if (!json.empty() && !table.write_json(json, title)) options.reject("cannot write " + json);
  return failures ? 1 : 0;
}
