// The copy study: how many bytes must be in flight to fill the memory, and that threads are not the
// only way to get them there. Six variants of one copy, each at six occupancies set by unused
// dynamic shared memory.
//
//   copy --bytes 1G     on a GPU; the default size suits an executor
//
//   variant   occupancy, %  blocks/SM  dynamic shared  time by events, us  GB/s  spread, % verified
//   1 float            3.1          1          232448                   …     …          … PASS
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, p30-38 (experiment B).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/random.h"
#include "studies/common/table.h"
#include "studies/copy/copy.h"

namespace {

constexpr const char* usage =
    "copy: bandwidth against occupancy and bytes in flight per thread\n\n"
    "  --bytes N         bytes to copy (default 1M); 64K, 4M, 1G are understood\n"
    "  --block N         threads per block, 64 or 256 (default 64)\n"
    "  --variant NAME    only this one: one_float, two_floats, four_floats, eight_floats,\n"
    "                    eight_float2, eight_float4\n"
    "  --occupancy P     only this percentage of the threads that an SM can hold\n"
    "                    (default: 3.125, 6.25, 12.5, 25, 50 and 100)\n"
    "  --seed N          the input (default: a fresh one)\n"
    "  --json FILE       write the table there too\n\n"
    "exit code: 0 every copy is right, 1 a copy is wrong or a CUDA call failed, 2 bad options\n";

struct Named {
  const char* option;
  const copy::Variant* variant;
};
constexpr Named variants[] = {
    {"one_float", &copy::one_float},       {"two_floats", &copy::two_floats},
    {"four_floats", &copy::four_floats},   {"eight_floats", &copy::eight_floats},
    {"eight_float2", &copy::eight_float2}, {"eight_float4", &copy::eight_float4},
};

// The most dynamic shared memory with which `blocks` blocks fit on an SM, so that one more does not.
int shared_for(int blocks, const cudaDeviceProp& device) {
  const size_t share = device.sharedMemPerMultiprocessor / blocks / 1024 * 1024;
  const size_t usable =
      share > device.reservedSharedMemPerBlock ? share - device.reservedSharedMemPerBlock : 0;
  return int(std::min(usable, std::max(device.sharedMemPerBlockOptin, device.sharedMemPerBlock)));
}

// Blocks per SM that `occupancy` asks for, and the shared memory that gives exactly these; 0 blocks
// if that is out of reach.
struct Residency {
  int blocks = 0, dynamic_shared = 0;
};
Residency residency(const copy::Variant& variant, int block, double occupancy,
                    const cudaDeviceProp& device) {
  const double wanted = occupancy / 100 * device.maxThreadsPerMultiProcessor / block;
  const int blocks = int(wanted);
  if (blocks < 1 || blocks != wanted) return {};
  const int dynamic_shared = shared_for(blocks, device);
  CHECK(cudaFuncSetAttribute(variant.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             dynamic_shared));
  int resident = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, variant.kernel, block,
                                                      dynamic_shared));
  return resident == blocks ? Residency{blocks, dynamic_shared} : Residency{};
}

struct Settings {
  size_t bytes;
  int block;
  std::string variant;
  std::vector<double> occupancies;  // percent
  uint64_t seed;
  std::string json;
};

Settings settings(study::Options& options) {
  Settings chosen;
  chosen.bytes = options.bytes("--bytes", 1 << 20);
  chosen.block = int(options.integer("--block", 64, 64, 256));
  chosen.variant = options.text("--variant", "");
  const double percent = options.real("--occupancy", 0);
  chosen.seed = options.seed(study::fresh_seed());
  chosen.json = options.text("--json", "");
  const bool one = percent != 0;
  chosen.occupancies =
      one ? std::vector<double>{percent} : std::vector<double>{3.125, 6.25, 12.5, 25, 50, 100};

  if (chosen.block != 64 && chosen.block != 256) options.reject("--block must be 64 or 256");
  if (percent < 0 || percent > 100) options.reject("--occupancy must lie between 0 and 100");
  const size_t tile = chosen.block * copy::eight_float4.bytes_per_thread;
  if (chosen.bytes % tile) {
    options.reject("--bytes must be a multiple of " + std::to_string(tile) +
                   " (one block of 8 float4), such as " +
                   std::to_string((chosen.bytes / tile + 1) * tile));
  }
  bool known = chosen.variant.empty();
  for (const Named& named : variants) known = known || chosen.variant == named.option;
  if (!known) options.reject("there is no variant '" + chosen.variant + "'");
  return chosen;
}

// One row per variant and occupancy within reach; says whether every copy was right, and how many
// were out of reach.
struct Outcome {
  study::Table table{{"variant", "occupancy, %", "blocks/SM", "dynamic shared",
                      "time by events, us", "GB/s", "spread, %", "verified"}};
  int rows = 0, failures = 0, out_of_reach = 0;
};

Outcome sweep(const Settings& chosen, const cudaDeviceProp& device, study::Measure& measure) {
  std::vector<uint64_t> input(chosen.bytes / sizeof(uint64_t)), output;
  for (size_t i = 0; i < input.size(); ++i) input[i] = study::random_bits(chosen.seed, i);
  study::DeviceBuffer<uint64_t> from(input), to(input.size());
  Outcome outcome;
  for (const Named& named : variants) {
    if (!chosen.variant.empty() && chosen.variant != named.option) continue;
    const copy::Variant& variant = *named.variant;
    for (const double occupancy : chosen.occupancies) {
      const Residency resident = residency(variant, chosen.block, occupancy, device);
      if (!resident.blocks) {
        ++outcome.out_of_reach;
        continue;
      }
      to.clear();
      const std::string row =
          std::string(variant.name) + " at " + study::number(occupancy, 1).text + " %";
      const study::Timing timing = measure(row, [&] {
        variant.launch(to.data(), from.data(), chosen.bytes, chosen.block, resident.dynamic_shared);
      });
      to.read(output);
      const bool right = std::memcmp(input.data(), output.data(), chosen.bytes) == 0;
      const double seconds = timing.median();
      outcome.table.row({variant.name, study::number(occupancy, 1),
                         study::number(resident.blocks, 0),
                         study::number(resident.dynamic_shared, 0), study::number(seconds * 1e6, 2),
                         study::number(2.0 * chosen.bytes / seconds * 1e-9, 1),
                         study::number(timing.spread() * 100, 1), right ? "PASS" : "FAIL"});
      ++outcome.rows;
      outcome.failures += !right;
    }
  }
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const Settings chosen = settings(options);
  study::Measure measure(options);
  options.finish();
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const Outcome outcome = sweep(chosen, device, measure);
  if (!outcome.rows) options.reject("no number of blocks of this size makes this occupancy");

  const std::string title = "copy of " + std::to_string(chosen.bytes) + " bytes, " +
                            std::to_string(chosen.block) + " threads per block, " + device.name;
  std::printf("seed %llu\n%s\n\n", static_cast<unsigned long long>(chosen.seed), title.c_str());
  outcome.table.print();
  if (outcome.out_of_reach) {
    std::printf("\nleft out: %d rows, whose occupancy no number of blocks of this size makes\n",
                outcome.out_of_reach);
  }
  measure.print_caveats();
  std::printf("\n%s\n", outcome.failures ? "FAIL" : "PASS");
  if (!chosen.json.empty() && !outcome.table.write_json(chosen.json, title)) {
    options.reject("cannot write " + chosen.json);
  }
  return outcome.failures ? 1 : 0;
}
