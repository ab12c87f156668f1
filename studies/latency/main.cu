// The latency study: how much work must be in flight to fill the lanes of one SM, and that a thread
// with several independent chains stands for several threads.
//
//   latency --steps 65536 --every 64       on a GPU; the default suits an executor
//
//   variant    step         chains  threads  cycles  steps/clk  of peak, %  time by events, us  …
//   one_chain  a = a*b + c       1       32       …          …           …                   …
//
// One SM is alone, so its own clock is the honest unit: `cycles` is from the first warp's start to
// the last warp's end of the last launch. The peak is a step a lane and clock, with the lanes that
// an SM of this compute capability has.
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, p15-23 (experiment A).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/random.h"
#include "studies/common/results.h"
#include "studies/latency/lanes.h"
#include "studies/latency/latency.h"
#include "studies/latency/reference.h"

namespace {

constexpr const char* usage =
    "latency: how many threads, or chains a thread, fill the lanes of one SM\n\n"
    "  --steps N         dependent steps of a chain, a multiple of 256 (default 256)\n"
    "  --threads N       only this block size (default: nine from 32 to 1024)\n"
    "  --every N         all block sizes that are multiples of N, and 32\n"
    "  --variant NAME    only this one: one_chain, two_chains, three_chains, four_chains,\n"
    "                    six_chains, eight_chains, one_register, no_product\n"
    "  --seed N          the input (default: a fresh one)\n"
    "  --json FILE       write the table there too\n\n"
    "exit code: 0 every chain is right, 1 one is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

struct Named {
  const char* option;
  const latency::Variant* variant;
};
constexpr Named variants[] = {
    {"one_chain", &latency::one_chain},       {"two_chains", &latency::two_chains},
    {"three_chains", &latency::three_chains}, {"four_chains", &latency::four_chains},
    {"six_chains", &latency::six_chains},     {"eight_chains", &latency::eight_chains},
    {"one_register", &latency::one_register}, {"no_product", &latency::no_product},
};

struct Settings {
  int steps;
  std::vector<int> blocks;
  std::string variant, json;
  uint64_t seed;
};

Settings settings(study::Options& options) {
  Settings chosen;
  chosen.steps = int(options.integer("--steps", 256, latency::unrolled, 1 << 24));
  const int threads = int(options.integer("--threads", 0, 1, 1024));
  const int every = int(options.integer("--every", 0, 1, 1024));
  chosen.variant = options.text("--variant", "");
  chosen.seed = options.seed(study::fresh_seed());
  chosen.json = options.text("--json", "");

  if (chosen.steps % latency::unrolled) options.reject("--steps must be a multiple of 256");
  if (threads && every) options.reject("--threads and --every exclude each other");
  chosen.blocks = {32, 64, 128, 192, 256, 384, 512, 768, 1024};
  if (threads) chosen.blocks = {threads};
  if (every) {
    chosen.blocks.clear();
    if (every > 32) chosen.blocks.push_back(32);
    for (int block = every; block <= 1024; block += every) chosen.blocks.push_back(block);
  }
  bool known = chosen.variant.empty();
  for (const Named& named : variants) known = known || chosen.variant == named.option;
  if (!known) options.reject("there is no variant '" + chosen.variant + "'");
  return chosen;
}

// The device, and what its peak is made of.
struct Device {
  cudaDeviceProp properties;
  int lanes;         // 0: unknown
  double megahertz;  // the most the SMs' clock reaches
};

Device look_at_device() {
  Device device;
  CHECK(cudaGetDeviceProperties(&device.properties, 0));
  int kilohertz = 0;
  CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  device.lanes = latency::lanes_per_sm(device.properties.major, device.properties.minor);
  device.megahertz = kilohertz * 1e-3;
  return device;
}

// Values of which no step overflows or settles: 65536 steps of a*b + c with |b| < 1 stay bounded.
struct Input {
  std::vector<float> values, operands;
};
Input random_input(int count, uint64_t seed) {
  Input input{study::random_floats(count, seed), {}};
  // a*a + a stays in (-1, 0) for a there, and never settles.
  for (float& value : input.values) value = -0.25f - std::fabs(value) / 2;
  const float near_one = 1 - std::fabs(study::random_float(seed + 1, 0)) * 0x1p-12f;
  input.operands = {-near_one, study::random_float(seed + 1, 1) * 0x1p-6f};
  return input;
}

struct Outcome {
  study::Table table{{"variant", "step", "chains", "threads", "cycles", "cycles/step", "steps/clk",
                      "of peak, %", "time by events, us", "of peak by events, %", "spread, %",
                      "verified"}};
  int failures = 0;
  double max_of_peak = 0;  // by the SM's clock
};

void measure_row(const Named& named, int threads, const Settings& chosen, const Device& device,
                 study::Measure& measure, Outcome& outcome) {
  const latency::Variant& variant = *named.variant;
  const Input input = random_input(variant.chains * threads, chosen.seed);
  const int warps = (threads + 31) / 32;
  const std::vector<float> unwritten(input.values.size(), NAN);
  study::DeviceBuffer<float> before(input.values), values(unwritten), operands(input.operands);
  study::DeviceBuffer<latency::Span> spans(warps);
  const latency::Work work{values.data(), operands.data(), spans.data(), threads, chosen.steps};
  const auto prepare = [&] { values.copy_from(before); };
  const auto launch = [&] { variant.launch(work); };

  const std::string row = named.option + (" with " + std::to_string(threads)) + " threads";
  const study::Attempt attempt = measure(row, launch, prepare);
  if (!attempt.refused.empty()) return outcome.table.note(row, attempt.refused);
  const study::Timing& timing = attempt.timing;
  std::vector<latency::Span> seen;
  spans.read(seen);  // of the last launch
  std::vector<float> after;
  values.read(after);
  const bool right =
      latency::verify(variant, chosen.steps, input.values, after, input.operands, chosen.seed + 2);
  outcome.failures += !right;

  const double cycles = latency::cycles_of(seen), seconds = timing.median();
  const double operations = double(chosen.steps) * variant.chains * threads;
  const double by_clock = operations / cycles / device.lanes;
  const double by_events = operations / (seconds * device.megahertz * 1e6) / device.lanes;
  {
    std::lock_guard adding(study::rows_lock);
    outcome.max_of_peak = std::max(outcome.max_of_peak, by_clock);
  }
  outcome.table.row({named.option, variant.step, study::number(variant.chains, 0),
                     study::number(threads, 0), study::number(cycles, 0),
                     study::number(cycles / chosen.steps, 2), study::number(operations / cycles, 2),
                     study::number(by_clock * 100, 1), study::number(seconds * 1e6, 2),
                     study::number(by_events * 100, 1), study::number(timing.spread() * 100, 1),
                     right ? "PASS" : "FAIL"});
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const Settings chosen = settings(options);
  study::Measure measure(options);
  options.finish();
  options.require_writable(chosen.json);
  const Device device = look_at_device();
  if (!device.lanes)
    options.reject("the lanes of this device's SMs are unknown: add them to lanes.h");
  std::printf("seed %llu\n", static_cast<unsigned long long>(chosen.seed));
  const std::string title = "latency of " + std::to_string(chosen.steps) +
                            " dependent steps, one block on one SM of " +
                            std::to_string(device.lanes) + " lanes, " + device.properties.name;
  Outcome outcome;
  study::Results results(
      title, chosen.json, [&] { return outcome.table; },
      [&] {
        if (outcome.max_of_peak > 1.02) {
          std::printf(
              "\ncaveat: by cycles up to %.0f %% of the peak were reached: clock64 does not count "
              "cycles here; an emulator's clock only counts on\n",
              outcome.max_of_peak * 100);
        }
        measure.print_caveats();
      });
  for (const Named& named : variants) {
    if (!chosen.variant.empty() && chosen.variant != named.option) continue;
    for (const int threads : chosen.blocks)
      measure_row(named, threads, chosen, device, measure, outcome);
  }
  return results.finish(!outcome.failures);
}
