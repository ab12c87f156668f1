// The barnes_hut study: n bodies by a tree, from the six kernels that the source published to the
// tree that one would write for today's GPUs, beside all pairs and the host's cores.
//
//   barnes_hut --bodies 50000,500000          on a GPU; the default size suits an executor
//
//   method        precision  bodies  step, ms  force, ms  median error  99 %  …  verified
//   six_kernels   single       1024      …
//
// Errors are relative to accelerations by all pairs in double precision, see accuracy.h. Times are
// by events, the quickest of some steps; those of the host's processor by its clock.
//
// Source: M. Burtscher, "CUDA Optimization Tutorial", slides, part II.
#include <headroom/timing/executor.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "studies/barnes_hut/interruption.h"
#include "studies/barnes_hut/settings.h"
#include "studies/common/check.h"
#include "studies/common/results.h"
#include "studies/common/table.h"

using namespace barnes_hut;

static Bodies bodies_of(const Settings& chosen, int n) {
  if (chosen.evolution.in) return pulling(*chosen.evolution.in);
  return start_of(chosen.start, n, chosen.masses, chosen.seed);
}

static int add_rows(const Settings& chosen, study::Table& table) {
  int failures = 0;
  for (const int n : chosen.sizes) {
    const Bodies bodies = bodies_of(chosen, n);
    if (chosen.single_precision) {
      require_finite<float>(bodies);
      failures += chosen.table->single_precision(chosen, bodies, table);
    }
    if (chosen.double_precision) {
      require_finite<double>(bodies);
      failures += chosen.table->double_precision(chosen, bodies, table);
    }
  }
  return failures;
}

static void print_caveat(const std::vector<std::string>& columns) {
  const auto is_time = [](const std::string& column) { return column.ends_with(", ms"); };
  if (!headroom::timing::on_executor()) return;
  if (std::none_of(columns.begin(), columns.end(), is_time)) return;
  std::puts(
      "\ncaveat: the times of what works on the device are floors, no measurements; headroom's "
      "emulator ran it, and none is compared with the host's; run it on a GPU");
}

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, evolution_usage);
  const Settings chosen = settings_of(options);
  options.finish();
  options.require_writable(chosen.json);
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("seed %llu\n", static_cast<unsigned long long>(chosen.seed));
  if (const auto& in = chosen.evolution.in) {
    std::puts(description_of(chosen.evolution.in_name, *in).c_str());
  }
  study::Table table(chosen.table->columns);
  study::Results results(
      std::string("barnes_hut, ") + device.name, chosen.json, [&] { return table; },
      [&] { print_caveat(chosen.table->columns); });
  int failures = 0;
  try {
    failures = add_rows(chosen, table);
  } catch (const Failure& failure) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", failure.what());
    std::exit(1);
  } catch (const Refused& refused) {
    options.reject(refused.what());
  }
  return Interruption::wished() ? results.interrupted() : results.finish(!failures);
}
