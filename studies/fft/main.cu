// The fft study: batched complex transforms in single precision, from one thread a butterfly to few
// threads with many values in registers. Every rung is a file of its own; the list in fft.h is the ladder.
//
//   fft --bytes 2G --size 1024        on a GPU; the default size suits an executor
//
//   rung             n  direction  place  …  occupancy, %  time by events, us  GB/s  …  error  verified
//   sixteen_values  1024    forward    out  …
//
// GB/s: bytes of the batch, read and written once. error: see batch.h.
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, p3 and part V.
#include <cstdio>
#include <string>
#include <vector>

#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/results.h"
#include "studies/fft/accuracy.h"
#include "studies/fft/batch.h"
#include "studies/fft/choose.h"
#include "studies/fft/residency.h"

namespace {

constexpr const char* usage =
    "fft: batched complex Fourier transforms in single precision, one rung after the other\n\n"
    "  --size LIST       points of a transform: powers of two from 16 to 8192, with commas "
    "between\n"
    "                    (default 1024)\n"
    "  --bytes N         of the batch (default 64K); 64K, 4M, 2G are understood\n"
    "  --rung LIST       only these, with commas between; 'list' names them\n"
    "  --direction LIST  forward (the default), inverse\n"
    "  --place LIST      out (the default), in: where the result lies\n"
    "  --blocks N        that stay on a multiprocessor (default: as tuned)\n"
    "  --stages N        tiles of a block in a ring, 2 to 8 (default: as tuned)\n"
    "  --accuracy        errors by size instead of times: factors from a table, by intrinsics, by\n"
    "                    recurrence\n"
    "  --seed N          the input (default: a fresh one)\n"
    "  --json FILE       write the table there too\n\n"
    "exit code: 0 every transform is right, 1 one is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

constexpr int64_t most_bytes = int64_t(16) << 30;  // butterflies are counted in 32 bits

struct Settings {
  std::vector<int> sizes;
  std::vector<const fft::Rung*> rungs;
  std::vector<bool> inverse, in_place;
  size_t bytes;
  int blocks, stages;
};

Settings settings(study::Options& options) {
  Settings chosen;
  chosen.sizes = fft::chosen_sizes(options, "1024");
  chosen.rungs = fft::chosen_rungs(options);
  chosen.inverse = fft::chosen_of(options, "--direction", "forward", "inverse");
  chosen.in_place = fft::chosen_of(options, "--place", "out", "in");
  const int64_t bytes = options.bytes("--bytes", 64 << 10);
  if (bytes > most_bytes) options.reject("--bytes must be 16G at most");
  chosen.bytes = size_t(bytes);
  chosen.blocks = int(options.integer("--blocks", 0, 0, 32));
  chosen.stages = options.given("--stages") ? int(options.integer("--stages", 2, 2, 8)) : 0;
  return chosen;
}

// One row: the rung's time and its answer. False: wrong.
bool add_row(study::Table& table, const fft::Rung& rung, const fft::Request& request,
             const std::string& about, fft::Batch& batch, study::Measure& measure) {
  const bool in_place = request.from == request.to;
  const study::Attempt attempt = measure(
      about, [&] { rung.launch(request); }, [&] { batch.prepare(in_place); });
  if (!attempt.refused.empty()) {
    table.note(rung.name, attempt.refused);
    return true;
  }
  if (!attempt.timing.executor) {
    batch.prepare(in_place);
    rung.launch(request);
  }
  const fft::Answer answer = batch.answer(request.inverse);
  const fft::Residency resident = fft::residency(rung.shape(request));
  const double seconds = attempt.timing.median();
  table.row({rung.name, study::number(request.n, 0), request.inverse ? "inverse" : "forward",
             in_place ? "in" : "out", study::number(double(batch.size()), 0),
             study::number(resident.threads, 0), study::number(resident.blocks, 0),
             study::number(resident.occupancy, 1), study::number(seconds * 1e6, 2),
             study::number(2.0 * double(batch.bytes()) / seconds * 1e-9, 1),
             study::number(fft::operations(request.n, batch.size()) / seconds * 1e-9, 0),
             study::number(attempt.timing.spread() * 100, 1), study::number(answer.error, 2),
             answer.right ? "PASS" : "FAIL"});
  return answer.right;
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const Settings chosen = settings(options);
  const bool only_accuracy = options.flag("--accuracy");
  study::Measure measure(options);
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const int capability = fft::capability_of_code();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  if (only_accuracy) {
    return fft::accuracy(chosen.rungs, chosen.sizes, chosen.bytes, seed, device.name, capability,
                         json);
  }

  study::Table table({"rung", "n", "direction", "place", "batch", "threads", "blocks/SM",
                      "occupancy, %", "time by events, us", "GB/s", "GFLOP/s", "spread, %", "error",
                      "verified"});
  study::Results results(
      std::string("fft, ") + device.name, json, [&] { return table; },
      [&] { measure.print_caveats(); });
  bool right = true;
  for (const int n : chosen.sizes) {
    fft::Batch batch(n, chosen.bytes, seed);
    for (const fft::Rung* rung : chosen.rungs) {
      const std::string why = fft::why_not(*rung, n, capability);
      if (!why.empty()) {
        table.note(rung->name, why);
        continue;
      }
      const study::DeviceBuffer<char> workspace(rung->workspace ? batch.bytes() : 0);
      for (const bool inverse : chosen.inverse) {
        for (const bool in_place : chosen.in_place) {
          fft::Request request =
              batch.request(in_place, inverse, reinterpret_cast<float2*>(workspace.data()));
          request.blocks = chosen.blocks;
          request.stages = chosen.stages;
          const std::string about = std::string(rung->name) + " of " + std::to_string(n);
          right = add_row(table, *rung, request, about, batch, measure) && right;
        }
      }
    }
  }
  return results.finish(right);
}
