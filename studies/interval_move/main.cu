// The interval_move study: intervals of any length are expanded, gathered, scattered or moved, from a warp
// an interval to equal shares of all. Every rung is a file of its own; the list in interval_move.h is the
// ladder.
//
//   interval_move --size 2^27        on a GPU; the default size suits an executor
//
//   rung      kind  average  elements  intervals  time by events, us  Melements/s  GB/s  spread, %  verified
//   balanced  move       16     …
//
// GB/s: elements read and written, and of each interval the numbers it needs.
//
// Source: S. Baxter, "Modern GPU", 2013: IntervalMove and load-balancing search.
#include <cstdio>
#include <string>

#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/results.h"
#include "studies/interval_move/choose.h"
#include "studies/interval_move/problem.h"

namespace {

constexpr const char* usage =
    "interval_move: intervals expanded, gathered, scattered and moved, one rung after the other\n\n"
    "  --size N         elements: 20000, 2^24, …, up to 2^29 (default 20000)\n"
    "  --average LIST   lengths of an interval, in the mean (default 16)\n"
    "  --kind LIST      expand, gather, scatter, move (default: move)\n"
    "  --rung LIST      only these, with commas between; 'list' names them\n"
    "  --seed N         the input (default: a fresh one)\n"
    "  --json FILE      write the table there too\n\n"
    "exit code: 0 every result is right, 1 one is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const interval_move::Choice chosen(options, "20000", "16");
  const int elements = chosen.elements;
  study::Measure measure(options);
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  study::Table table({"rung", "kind", "average", "elements", "intervals", "time by events, us",
                      "Melements/s", "GB/s", "spread, %", "verified"});
  study::Results results(
      std::string("interval_move, ") + device.name, json, [&] { return table; },
      [&] { measure.print_caveats(); });
  bool all_right = true;
  for (const interval_move::NamedKind& kind : chosen.kinds) {
    for (const int average : chosen.averages) {
      interval_move::Problem problem(kind.kind, elements, average, seed);
      for (const interval_move::Rung* rung : chosen.rungs) {
        const study::DeviceBuffer<int> workspace(problem.workspace(*rung));
        const study::Attempt attempt = measure(
            std::string(rung->name) + " of " + std::to_string(average),
            [&] { rung->launch(problem.request(workspace.data())); }, [&] { problem.poison(); });
        if (!attempt.refused.empty()) {
          table.note(rung->name, attempt.refused);
          continue;
        }
        const double seconds = attempt.timing.median();
        const bool right = problem.right();
        all_right = all_right && right;
        table.row({rung->name, kind.name, study::number(average, 0), study::number(elements, 0),
                   study::number(problem.intervals(), 0), study::number(seconds * 1e6, 2),
                   study::number(seconds > 0 ? elements / seconds * 1e-6 : 0, 1),
                   study::number(seconds > 0 ? problem.bytes() / seconds * 1e-9 : 0, 1),
                   study::number(attempt.timing.spread() * 100, 1), right ? "PASS" : "FAIL"});
      }
    }
  }
  return results.finish(all_right);
}
