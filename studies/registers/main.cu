// The registers study: what registers, shared memory and L1 give the lanes, in bytes a clock and SM
// and on the whole chip, by warps on an SM and by independent chains a thread.
//
//   registers --steps 4096 --on both       on a GPU; the default suits an executor
//
//   rung               place      on    chains  warps  cycles/step  B/clk/SM  FMA/clk/SM  …  verified
//   register_operands  registers  one SM     4     32            …         …           …  …      PASS
//
// One SM is measured by its own clock; the whole chip by that clock, of the SM that took longest,
// and by events. GB/s are 10^9 bytes a second by events. 64 warps on an SM are two blocks.
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, part III, known by its title.
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
#include "studies/registers/registers.h"

namespace {

constexpr const char* usage =
    "registers: bytes a clock from registers, shared memory and L1\n\n"
    "  --steps N         dependent steps of a chain, a multiple of 256 (default 256)\n"
    "  --on WHAT         sm: one SM (default), chip: all of them, both\n"
    "  --warps N         only so many warps on an SM (default 1, 2, 4 … 64)\n"
    "  --chains N        only so many chains a thread (default 1, 2, 4, 8)\n"
    "  --variant NAME    only this one: register_operands, shared_operand, shared_reused,\n"
    "                    l1_operand, shared_4, shared_8, shared_16, l1_4, l1_16\n"
    "  --seed N          the input (default: a fresh one)\n"
    "  --json FILE       write the table there too\n\n"
    "exit code: 0 every chain is right, 1 one is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

struct Named {
  const char* option;
  const registers::Rung* rung;
};
constexpr Named rungs[] = {
    {"register_operands", &registers::register_operands},
    {"shared_operand", &registers::shared_operand},
    {"shared_reused", &registers::shared_reused},
    {"l1_operand", &registers::l1_operand},
    {"shared_4", &registers::shared_4},
    {"shared_8", &registers::shared_8},
    {"shared_16", &registers::shared_16},
    {"l1_4", &registers::l1_4},
    {"l1_16", &registers::l1_16},
};
constexpr int warp_counts[] = {1, 2, 4, 8, 16, 32, 64};

struct Settings {
  int steps, warps, chains;  // 0: all
  std::string on, variant, json;
  uint64_t seed;
};

Settings settings(study::Options& options) {
  Settings chosen;
  chosen.steps = int(options.integer("--steps", 256, registers::steps_divide, 1 << 24));
  chosen.warps = int(options.integer("--warps", 0, 1, 64));
  chosen.chains = int(options.integer("--chains", 0, 1, 8));
  chosen.on = options.text("--on", "sm");
  chosen.variant = options.text("--variant", "");
  chosen.seed = options.seed(study::fresh_seed());
  chosen.json = options.text("--json", "");

  if (chosen.steps % registers::steps_divide) options.reject("--steps must be a multiple of 256");
  if (chosen.warps > 32 && chosen.warps % 2)
    options.reject("more than 32 warps are two equal blocks");
  if (chosen.on != "sm" && chosen.on != "chip" && chosen.on != "both")
    options.reject("--on must be sm, chip or both");
  const auto has = [&](const auto& list, const auto& is_it) {
    return std::any_of(std::begin(list), std::end(list), is_it);
  };
  if (chosen.chains && !has(registers::chain_counts, [&](int n) { return n == chosen.chains; }))
    options.reject("--chains must be 1, 2, 4 or 8");
  if (!chosen.variant.empty() &&
      !has(rungs, [&](const Named& named) { return chosen.variant == named.option; }))
    options.reject("there is no variant '" + chosen.variant + "'");
  return chosen;
}

// Where warps lie: so many blocks on each SM, of so many threads.
struct Place {
  int sms, warps;
  int blocks_per_sm() const { return warps > 32 ? 2 : 1; }
  int blocks() const { return sms * blocks_per_sm(); }
  int threads() const { return warps / blocks_per_sm() * registers::lanes; }
};

// Whether all of its blocks run at once.
bool fits(const registers::Variant& variant, const Place& place) {
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, variant.kernel, place.threads(), 0));
  return blocks >= place.blocks_per_sm();
}

// Chains start at random values; those of a walk at a random row of their lane, a warp together.
std::vector<registers::Chain> random_chains(const registers::Variant& variant, const Place& place,
                                            const registers::Table& table, uint64_t seed) {
  const int threads = place.blocks() * place.threads();
  const int node = int(table.size()) / registers::lanes / registers::walk_rows;  // words
  std::vector<registers::Chain> chains(size_t(variant.chains) * threads);
  for (size_t i = 0; i < chains.size(); ++i) {
    const int row = int(study::random_bits(seed, i / registers::lanes) % registers::walk_rows);
    const int at = row * registers::lanes + int(i % registers::lanes);
    chains[i] = {at * node * 4, study::random_float(seed + 1, i)};
  }
  return chains;
}

// Host steps a row may cost: with fewer chains than that all are recomputed, else a random sample.
constexpr int64_t host_steps = 500'000;

bool verify(const registers::Variant& variant, const Place& place, int steps,
            const registers::Table& table, const std::vector<float>& operands,
            const std::vector<registers::Chain>& before, const std::vector<registers::Chain>& after,
            uint64_t seed) {
  const int64_t count = int64_t(before.size()), threads = place.blocks() * place.threads();
  for (const registers::Chain& chain : after) {
    if (std::isnan(chain.value)) return false;
  }
  const int64_t checked = std::min(count, std::max<int64_t>(32, host_steps / steps));
  for (int64_t i = 0; i < checked; ++i) {
    const size_t at = checked == count ? i : study::random_bits(seed, i) % count;
    const registers::Chain right = variant.on_host(
        table,
        {int(at / threads), int(at % registers::lanes), before[at], operands[0], operands[1]},
        steps);
    if (right.place != after[at].place || right.value != after[at].value) return false;
  }
  return true;
}

// Of the block that took longest: from its first warp's start to its last warp's end.
double cycles_of(const std::vector<registers::Span>& spans, int warps_per_block) {
  long long most = 0;
  for (size_t block = 0; block < spans.size(); block += warps_per_block) {
    long long first = spans[block].start, last = spans[block].stop;
    for (int w = 0; w < warps_per_block; ++w) {
      first = std::min(first, spans[block + w].start);
      last = std::max(last, spans[block + w].stop);
    }
    most = std::max(most, last - first);
  }
  return double(most);
}

struct Outcome {
  study::Table table{{"rung", "step", "place", "on", "chains", "warps", "cycles/step", "B/clk/SM",
                      "FMA/clk/SM", "time by events, us", "GB/s", "spread, %", "verified"}};
  int failures = 0, left_out = 0;
  bool executor = false;
};

void measure_row(const char* rung, const registers::Variant& variant, const Place& place,
                 const Settings& chosen, study::Measure& measure, Outcome& outcome) {
  using namespace registers;
  const Table words = variant.table(chosen.seed);
  const std::vector<Chain> before = random_chains(variant, place, words, chosen.seed + 2);
  // Of magnitude below 1, so that nothing overflows or settles.
  const std::vector<float> values{
      -1 + std::fabs(study::random_float(chosen.seed + 4, 0)) * 0x1p-12f,
      study::random_float(chosen.seed + 4, 1) * 0x1p-6f};
  const int warps = place.blocks() * place.threads() / lanes;
  study::DeviceBuffer<Chain> start(before), chains(std::vector<Chain>(before.size(), {0, NAN}));
  study::DeviceBuffer<uint32_t> table(words);
  study::DeviceBuffer<float> operands(values);
  study::DeviceBuffer<Span> spans(warps);
  const Work work{chains.data(),  table.data(),    operands.data(), spans.data(),
                  place.blocks(), place.threads(), chosen.steps};
  const std::string on = place.sms == 1 ? "one SM" : "chip";
  const std::string name = std::string(rung) + " on " + on + ", " + std::to_string(variant.chains) +
                           " chains, " + std::to_string(place.warps) + " warps";
  const study::Attempt attempt = measure(
      name, [&] { variant.launch(work); }, [&] { chains.copy_from(start); });
  if (!attempt.refused.empty()) return outcome.table.note(name, attempt.refused);
  const study::Timing& timing = attempt.timing;
  CHECK(cudaGetLastError());
  std::vector<Chain> after;
  std::vector<Span> seen;
  chains.read(after);
  spans.read(seen);
  const bool right =
      verify(variant, place, chosen.steps, words, values, before, after, chosen.seed + 6);
  outcome.failures += !right;
  outcome.executor |= timing.executor;

  const double threads = double(place.warps) * lanes, seconds = timing.median();
  const double cycles = cycles_of(seen, place.threads() / lanes) / chosen.steps;  // of a step
  const double bytes = threads * variant.bytes, multiplies = threads * variant.multiplies;
  outcome.table.row({rung, variant.step, variant.place, on, study::number(variant.chains, 0),
                     study::number(place.warps, 0), study::number(cycles, 2),
                     study::number(bytes / cycles, 1), study::number(multiplies / cycles, 1),
                     study::number(seconds * 1e6, 2),
                     study::number(bytes * chosen.steps * place.sms / seconds * 1e-9, 1),
                     study::number(timing.spread() * 100, 1), right ? "PASS" : "FAIL"});
}

std::vector<int> wanted_sms(const Settings& chosen, int all) {
  if (chosen.on == "sm") return {1};
  if (chosen.on == "chip") return {all};
  return {1, all};
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
  const std::string title = "bytes a clock from registers, shared memory and L1, " +
                            std::to_string(chosen.steps) + " steps, " + device.name + " of " +
                            std::to_string(device.multiProcessorCount) + " SMs";
  Outcome outcome;
  study::Results results(
      title, chosen.json, [&] { return outcome.table; },
      [&] {
        if (outcome.left_out) {
          std::printf(
              "\n%d rows are left out: so many warps do not fit on an SM at once, or two blocks "
              "would not share one\n",
              outcome.left_out);
        }
        if (outcome.executor) {
          std::printf(
              "\ncaveat: cycles and what is divided by them mean nothing here: an emulator's clock "
              "only counts on\n");
        }
        measure.print_caveats();
      });
  for (const Named& named : rungs) {
    if (!chosen.variant.empty() && chosen.variant != named.option) continue;
    for (const int sms : wanted_sms(chosen, device.multiProcessorCount)) {
      for (const registers::Variant& variant : named.rung->variants) {
        if (chosen.chains && chosen.chains != variant.chains) continue;
        for (const int warps : warp_counts) {
          if (chosen.warps && chosen.warps != warps) continue;
          const Place place{sms, warps};
          // Two blocks may go to two SMs: on one SM a block is all.
          if ((sms == 1 && warps > 32) || !fits(variant, place)) {
            ++outcome.left_out;
            continue;
          }
          measure_row(named.option, variant, place, chosen, measure, outcome);
        }
      }
    }
  }
  if (!outcome.table.rows()) options.reject("no such numbers of warps and chains fit this machine");
  return results.finish(!outcome.failures);
}
