// The merge_sort study: stable sorting by merging, from one thread a record to merges of four runs. Every
// rung is a file of its own; the list in merge_sort.h is the ladder.
//
//   merge_sort --size 2^24,2^27      on a GPU; the default size suits an executor
//
//   rung       keys  records     n   input  time by events, us  Mkeys/s  spread, %  verified
//   four_way  int32     keys  2^24  random  …
//
// Source of the form: S. Baxter, "Modern GPU", 2013.
#include <cstdio>
#include <string>
#include <vector>

#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/results.h"
#include "studies/merge_sort/choose.h"

namespace {

constexpr const char* usage =
    "merge_sort: stable sorting by merging, one rung of the ladder after the other\n\n"
    "  --size LIST     keys to sort: 1000, 2^24, …, up to 2^30, with commas between (default "
    "20000)\n"
    "  --keys LIST     int32 (the default), int64, float, low_byte: numbers by their last eight "
    "bits\n"
    "  --records LIST  keys (the default), pairs: each key has a value; of int32 and int64\n"
    "  --input LIST    random (the default), sorted, reversed, equal, few, nan\n"
    "  --rung LIST     only these, with commas between; 'list' names them\n"
    "  --seed N        the input (default: a fresh one)\n"
    "  --json FILE     write the table there too\n\n"
    "exit code: 0 every result is right, 1 one is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

}  // namespace

int main(int argc, char** argv) {
  namespace ms = merge_sort;
  study::Options options(argc, argv, usage, study::measure_usage);
  const std::vector<int> sizes = ms::chosen_sizes(options, "20000");
  const auto kinds = ms::chosen_of(options, "--keys", "int32", ms::kinds,
                                   [](const ms::NamedKind& kind) { return kind.name; });
  const std::string both[] = {"keys", "pairs"};
  const auto of_records = ms::chosen_of(options, "--records", "keys", both,
                                        [](const std::string& name) { return name; });
  const auto inputs = ms::chosen_of(options, "--input", "random", ms::inputs,
                                    [](const char* name) { return name; });
  const std::vector<const ms::Rung*> rungs = ms::chosen_rungs(options);
  study::Measure measure(options);
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  study::Table table({"rung", "keys", "records", "n", "input", "time by events, us", "Mkeys/s",
                      "spread, %", "verified"});
  study::Results results(
      std::string("merge_sort, ") + device.name, json, [&] { return table; },
      [&] { measure.print_caveats(); });
  bool all_right = true;
  for (const ms::NamedKind& kind : kinds) {
    for (const std::string& records : of_records) {
      const bool pairs = records == "pairs";
      if (pairs && !kind.has_pairs) continue;
      for (const int n : sizes) {
        for (const char* shape : inputs) {
          const auto input = ms::input_of(kind.kind, pairs, n, shape, seed);
          const ms::Request request = input->request();
          for (const ms::Rung* rung : rungs) {
            const std::string about =
                std::string(rung->name) + " of " + std::to_string(n) + " " + kind.name;
            const study::Attempt attempt = measure(
                about, [&] { rung->sort(request); }, [&] { input->poison(); });
            if (!attempt.refused.empty()) {
              table.note(rung->name, attempt.refused);
              continue;
            }
            const double seconds = attempt.timing.median();
            const bool right = input->right();
            all_right = all_right && right;
            table.row({rung->name, kind.name, records, study::number(n, 0), shape,
                       study::number(seconds * 1e6, 2),
                       study::number(seconds > 0 ? n / seconds * 1e-6 : 0, 1),
                       study::number(attempt.timing.spread() * 100, 1), right ? "PASS" : "FAIL"});
          }
        }
      }
    }
  }
  return results.finish(all_right);
}
