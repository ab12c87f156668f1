// The spills study: what more resident blocks cost where registers do not suffice.
//
//   spills --size 33554432 --rounds 256       on a GPU; the default suits an executor
//
//   rung          values  registers  local, B  blocks/SM  occupancy, %  time, us  Gsteps/s  spread, %  verified
//   eight_blocks      64         32       176          8           100         …         …          …      PASS
//
// Local memory is what a thread has of it: spills, or an array that no registers can hold. A step moves one
// value by one subtraction and one multiply-add.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/random.h"
#include "studies/common/results.h"
#include "studies/spills/spills.h"

namespace {

constexpr const char* usage =
    "spills: what more resident blocks cost where registers do not suffice\n\n"
    "  --size N          values, a multiple of 16384 (default 65536)\n"
    "  --rounds N        rounds over a thread's values (default 16)\n"
    "  --rung NAME       only this one: unbounded, two_blocks, four_blocks, six_blocks,\n"
    "                    eight_blocks, sixteen_values, dynamic_index\n"
    "  --seed N          the input (default: a fresh one)\n"
    "  --json FILE       write the table there too\n\n"
    "exit code: 0 every value is right, 1 one is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

constexpr int size_divides = 64 * spills::threads;

struct Named {
  const char* option;
  const spills::Rung* rung;
};
constexpr Named rungs[] = {
    {"unbounded", &spills::unbounded},         {"two_blocks", &spills::two_blocks},
    {"four_blocks", &spills::four_blocks},     {"six_blocks", &spills::six_blocks},
    {"eight_blocks", &spills::eight_blocks},   {"sixteen_values", &spills::sixteen_values},
    {"dynamic_index", &spills::dynamic_index},
};

struct Settings {
  int size, rounds;
  std::string rung, json;
  uint64_t seed;
};

Settings settings(study::Options& options) {
  Settings chosen;
  chosen.size = int(options.integer("--size", 65536, 1, 1 << 30));
  chosen.rounds = int(options.integer("--rounds", 16, 1, 1 << 20));
  chosen.rung = options.text("--rung", "");
  chosen.seed = options.seed(study::fresh_seed());
  chosen.json = options.text("--json", "");
  if (chosen.size % size_divides) options.reject("--size must be a multiple of 16384");
  bool known = chosen.rung.empty();
  for (const Named& named : rungs) known = known || chosen.rung == named.option;
  if (!known) options.reject("there is no rung '" + chosen.rung + "'");
  return chosen;
}

size_t place(int thread, int value, int values) {
  return (size_t(thread / spills::threads) * values + value) * spills::threads +
         thread % spills::threads;
}

// Some threads' values are computed again: all of a few thousand, or those of blocks spread over the grid.
bool verify(const spills::Work& work, int values, const std::vector<float>& before,
            const std::vector<float>& after) {
  const int step = std::max(1, work.threads / 4096) | 1;
  for (int i = 0; i < work.threads; i += step) {
    std::vector<float> a(size_t(values), 0);
    for (int v = 0; v < values; ++v) a[size_t(v)] = before[place(i, v, values)];
    spills::rounds_on_host(a, work.b, work.rounds);
    for (int v = 0; v < values; ++v)
      if (a[size_t(v)] != after[place(i, v, values)]) return false;
  }
  return true;
}

struct Outcome {
  study::Table table{{"rung", "values", "registers", "local, B", "blocks/SM", "occupancy, %",
                      "time, us", "Gsteps/s", "spread, %", "verified"}};
  int failures = 0;
};

void measure_row(const Named& named, const Settings& chosen, int most_threads,
                 study::Measure& measure, Outcome& outcome) {
  const spills::Rung& rung = *named.rung;
  const std::vector<float> input = study::random_floats(chosen.size, chosen.seed);
  study::DeviceBuffer<float> before(input), values(input);
  const float b = 0.25f + study::random_float(chosen.seed + 1, 0) / 8;
  const spills::Work work{values.data(), b, chosen.size / rung.values, chosen.rounds};

  const study::Attempt attempt = measure(
      named.option, [&] { rung.launch(work); }, [&] { values.copy_from(before); });
  if (!attempt.refused.empty()) return outcome.table.note(named.option, attempt.refused);
  std::vector<float> after;
  values.read(after);
  const bool right = verify(work, rung.values, input, after);
  outcome.failures += !right;

  cudaFuncAttributes attributes;
  int blocks = 0;
  CHECK(cudaFuncGetAttributes(&attributes, rung.kernel));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rung.kernel, spills::threads, 0));
  const double seconds = attempt.timing.median(), steps = double(chosen.size) * chosen.rounds;
  outcome.table.row({named.option, study::number(rung.values, 0),
                     study::number(attributes.numRegs, 0),
                     study::number(double(attributes.localSizeBytes), 0), study::number(blocks, 0),
                     study::number(100.0 * blocks * spills::threads / most_threads, 1),
                     study::number(seconds * 1e6, 2), study::number(steps / seconds * 1e-9, 1),
                     study::number(attempt.timing.spread() * 100, 1), right ? "PASS" : "FAIL"});
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const Settings chosen = settings(options);
  study::Measure measure(options);
  options.finish();
  options.require_writable(chosen.json);
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("seed %llu\n", static_cast<unsigned long long>(chosen.seed));
  Outcome outcome;
  study::Results results(
      std::to_string(chosen.rounds) + " rounds over " + std::to_string(chosen.size) +
          " values, blocks of " + std::to_string(spills::threads) + ", " + device.name,
      chosen.json, [&] { return outcome.table; }, [&] { measure.print_caveats(); });
  for (const Named& named : rungs) {
    if (!chosen.rung.empty() && chosen.rung != named.option) continue;
    measure_row(named, chosen, device.maxThreadsPerMultiProcessor, measure, outcome);
  }
  return results.finish(!outcome.failures);
}
