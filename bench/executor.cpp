// Warp instructions per second of the executor, counting and silent, beside the bare loop in the
// same run.
//
//   fma/counting      items_per_second=…        scripts/bench turns the output into ratios
//   fma/silent
//   fma/bare
#include <benchmark/benchmark.h>

#include "bench/bare.h"
#include "bench/prepared.h"
#include "bench/product.h"
#include "sim/engine.h"

namespace headroom::bench {
namespace {

void executor(benchmark::State& state, const std::string& name, const std::string& text,
              bool count) {
  Prepared prepared(name, text);
  const uint64_t instructions = prepared.run(true).counters.warp_instructions;
  for (auto _ : state) {
    const sim::Outcome outcome = prepared.run(count);
    if (!outcome.completed) state.SkipWithError(outcome.findings.at(0).what.c_str());
  }
  state.SetItemsProcessed(int64_t(state.iterations() * instructions));
}

const Bare& bare() {
  const std::string_view isa = sim::engine().name;
  return isa == "avx512" ? avx512::bare : isa == "avx2" ? avx2::bare : portable::bare;
}

void bare_loop(benchmark::State& state, const std::string& name, const std::string& text) {
  Prepared prepared(name, text);
  const uint64_t instructions = prepared.run(true).counters.warp_instructions;
  for (auto _ : state) {
    if (name == "fma")
      bare().fma(iterations);
    else if (name == "tile")
      bare().tile(iterations);
    else
      bare().stream(reinterpret_cast<float*>(prepared.data), iterations);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(int64_t(state.iterations() * instructions));
}

}  // namespace
}  // namespace headroom::bench

int main(int argc, char** argv) {
  using namespace headroom::bench;
  for (const auto& [name, text] : kernels()) {
    benchmark::RegisterBenchmark((name + "/counting").c_str(), executor, name, text, true);
    benchmark::RegisterBenchmark((name + "/silent").c_str(), executor, name, text, false);
    benchmark::RegisterBenchmark((name + "/bare").c_str(), bare_loop, name, text);
  }
  register_product();
  benchmark::AddCustomContext("isa", std::string(headroom::sim::engine().name));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
