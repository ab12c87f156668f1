// The sgemm study: single-precision matrix product, from one thread per element towards the
// library's speed. Every rung is a file of its own with one idea; the list in sgemm.h is the ladder.
//
//   sgemm --size 4096                 on a GPU; the default size suits an executor
//
//   rung     m     n     k  time by events, us  GFLOP/s  spread, %  error  verified
//   naive 4096  4096  4096              …
//
// error: the largest |C - C64| / (2^-24 sum |a b|), see reference.h.
//
// Source: S. Boehm, "How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance", 2022.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/results.h"
#include "studies/sgemm/accuracy.h"
#include "studies/sgemm/apart.h"
#include "studies/sgemm/choose.h"
#include "studies/sgemm/matrices.h"

namespace {

constexpr const char* usage =
    "sgemm: C = alpha A B + beta C in single precision, one rung of the ladder after the other\n\n"
    "  --size LIST            M = N = K, or MxNxK; several with commas between (default 256)\n"
    "  --m N --n N --k N      one extent each, of all of them\n"
    "  --alpha X --beta X     the factors (default 1 and 0)\n"
    "  --rung LIST            only these, with commas between; 'list' names them\n"
    "  --accuracy             errors by input instead of times; inputs that are hard, too\n"
    "  --apart                is any_shape right where rows lie apart, by each of its kernels?\n"
    "  --seed N               the input (default: a fresh one)\n"
    "  --json FILE            write the table there too\n\n"
    "exit code: 0 every product is right, 1 a product is wrong or a CUDA call failed, 2 bad "
    "options,\n130 interrupted\n";

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const std::vector<sgemm::Shape> shapes = sgemm::shapes(options, "256");
  const float alpha = float(options.real("--alpha", 1)), beta = float(options.real("--beta", 0));
  if (!std::isfinite(alpha) || !std::isfinite(beta)) {
    options.reject("--alpha and --beta must be finite floats");
  }
  const std::vector<const sgemm::Rung*> rungs = sgemm::chosen_rungs(options);
  const bool only_accuracy = options.flag("--accuracy"), only_apart = options.flag("--apart");
  study::Measure measure(options);
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const int capability = sgemm::capability_of_code();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));

  if (only_apart) {
    if (sgemm::any_shape.capability > capability) {
      options.reject("--apart needs code for compute capability " +
                     sgemm::capability_text(sgemm::any_shape));
    }
    return sgemm::rows_apart(seed, std::string("rows of sgemm apart, ") + device.name, json);
  }
  if (only_accuracy) {
    const std::string title = std::string("errors of sgemm, ") + device.name;
    return sgemm::accuracy(sgemm::able(rungs, capability), shapes, seed, title, json);
  }

  study::Table table(
      {"rung", "m", "n", "k", "time by events, us", "GFLOP/s", "spread, %", "error", "verified"});
  const std::string title = "sgemm" +
                            (shapes.size() == 1 ? shapes[0].text(" ") + " (M x N x K)" : "") +
                            ", " + device.name;
  study::Results results(
      title, json, [&] { return table; }, [&] { measure.print_caveats(); });
  int failures = 0;
  for (const sgemm::Shape& shape : shapes) {
    sgemm::Matrices matrices(shape, alpha, beta, seed);
    for (const sgemm::Rung* rung : rungs) {
      if (rung->capability > capability) {
        table.note(rung->name,
                   "needs code for compute capability " + sgemm::capability_text(*rung));
        continue;
      }
      const sgemm::Workspace workspace(*rung, matrices.on_device(nullptr));
      const sgemm::Problem problem = matrices.on_device(workspace.data());
      const std::string row = rung->name + (shapes.size() == 1 ? "" : shape.text(" "));
      const study::Attempt attempt = measure(
          row, [&] { rung->launch(problem); }, [&] { matrices.restore_c(); });
      if (!attempt.refused.empty()) {
        table.note(rung->name, attempt.refused);
        continue;
      }
      const study::Timing& timing = attempt.timing;
      const sgemm::Answer answer = matrices.answer();
      failures += !answer.right;
      const double seconds = timing.median();
      table.row({rung->name, study::number(shape.m, 0), study::number(shape.n, 0),
                 study::number(shape.k, 0), study::number(seconds * 1e6, 2),
                 study::number(shape.operations() / seconds * 1e-9, 1),
                 study::number(timing.spread() * 100, 1), study::number(answer.error, 2),
                 answer.right ? "PASS" : "FAIL"});
    }
  }
  return results.finish(!failures);
}
