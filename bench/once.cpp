// Runs one kernel of kernels.h once, counting: what scripts/bench counts the processor's
// instructions of.
//
//   bench_once fma        fma 151234 warp instructions
#include <fmt/format.h>

#include "bench/prepared.h"

int main(int argc, char** argv) {
  using namespace headroom;
  for (const auto& [name, text] : bench::kernels()) {
    if (argc != 2 || name != argv[1]) continue;
    const sim::Outcome outcome = bench::Prepared(name, text).run(true);
    fmt::print("{} {} warp instructions\n", name, outcome.counters.warp_instructions);
    return outcome.completed ? 0 : 1;
  }
  fmt::print(stderr, "bench_once: name one kernel: fma, tile, integer or stream\n");
  return 125;
}
