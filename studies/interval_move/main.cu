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
#include <vector>

#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/results.h"
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

using interval_move::Kind;
using interval_move::Rung;

struct NamedKind {
  const char* name;
  Kind kind;
};
constexpr NamedKind kinds[] = {{"expand", Kind::expand},
                               {"gather", Kind::gather},
                               {"scatter", Kind::scatter},
                               {"move", Kind::move}};

std::vector<const Rung*> chosen_rungs(study::Options& options) {
  const std::string names = options.text("--rung", "");
  std::vector<const Rung*> chosen;
  for (const Rung* rung : interval_move::rungs) {
    if (names == "list") std::puts(rung->name);
    if (names.empty()) chosen.push_back(rung);
  }
  if (names == "list") std::exit(0);
  for (const std::string& name : study::parts_of(names)) {
    const size_t before = chosen.size();
    for (const Rung* rung : interval_move::rungs) {
      if (name == rung->name) chosen.push_back(rung);
    }
    if (chosen.size() == before) options.reject("there is no rung '" + name + "'");
  }
  return chosen;
}

std::vector<NamedKind> chosen_kinds(study::Options& options) {
  std::vector<NamedKind> chosen;
  for (const std::string& name : study::parts_of(options.text("--kind", "move"))) {
    const size_t before = chosen.size();
    for (const NamedKind& kind : kinds) {
      if (name == kind.name) chosen.push_back(kind);
    }
    if (chosen.size() == before) options.reject("there is no kind '" + name + "'");
  }
  if (chosen.empty()) options.reject("--kind needs a kind");
  return chosen;
}

// 20000, or 2^24.
int number(study::Options& options, const std::string& option, const std::string& word, int most) {
  const bool power = word.compare(0, 2, "2^") == 0;
  const char* digits = word.c_str() + (power ? 2 : 0);
  char* rest = nullptr;
  const long value = std::strtol(digits, &rest, 10);
  if (rest == digits || *rest || value < 0 || value > (power ? 29 : most)) {
    options.reject(option + " must be numbers up to " + std::to_string(most) + ", not '" + word +
                   "'");
  }
  return power ? 1 << value : int(value);
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const int elements = number(options, "--size", options.text("--size", "20000"), 1 << 29);
  std::vector<int> averages;
  for (const std::string& word : study::parts_of(options.text("--average", "16"))) {
    averages.push_back(number(options, "--average", word, 1 << 24));
    if (averages.back() == 0) options.reject("--average must be 1 at least");
  }
  if (averages.empty()) options.reject("--average needs numbers");
  const std::vector<NamedKind> of_kinds = chosen_kinds(options);
  const std::vector<const Rung*> rungs = chosen_rungs(options);
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
  for (const NamedKind& kind : of_kinds) {
    for (const int average : averages) {
      interval_move::Problem problem(kind.kind, elements, average, seed);
      for (const Rung* rung : rungs) {
        const study::Attempt attempt = measure(
            std::string(rung->name) + " of " + std::to_string(average),
            [&] { rung->launch(problem.request()); }, [&] { problem.poison(); });
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
