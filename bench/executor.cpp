// Warp instructions per second of the executor, counting and silent, beside the bare loop in the
// same run; of a grid on one host thread and on two; and launches per second where one does next to
// nothing.
//
//   fma/counting      items_per_second=…        scripts/bench turns the output into ratios
//   fma/silent
//   fma/bare
//   grid/one_thread, grid/two_threads
//   small/counting, small/silent
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

// Many blocks that compute: what host threads share.
void grid(benchmark::State& state, unsigned threads) {
  Prepared prepared("fma", fma_kernel());
  prepared.launch.shape.grid = {64, 1, 1};
  prepared.launch.shape.block = {128, 1, 1};
  const uint64_t instructions = prepared.run(true, threads).counters.warp_instructions;
  for (auto _ : state) prepared.run(true, threads);
  state.SetItemsProcessed(int64_t(state.iterations() * instructions));
}

// One block of one warp that goes round once: what a launch costs by itself.
void small_launch(benchmark::State& state, bool count) {
  Prepared prepared("stream", stream_kernel());
  const uint32_t once = 1;
  std::memcpy(prepared.launch.arguments.data() + 8, &once, 4);
  for (auto _ : state) prepared.run(count, 0);
  state.SetItemsProcessed(int64_t(state.iterations()));
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
    else if (name == "integer")
      bare().integer(iterations);
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
  benchmark::RegisterBenchmark("grid/one_thread", grid, 1u)->UseRealTime();
  benchmark::RegisterBenchmark("grid/two_threads", grid, 2u)->UseRealTime();
  benchmark::RegisterBenchmark("small/counting", small_launch, true);
  benchmark::RegisterBenchmark("small/silent", small_launch, false);
  benchmark::AddCustomContext("isa", std::string(headroom::sim::engine().name));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
