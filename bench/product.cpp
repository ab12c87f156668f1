#include "bench/product.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <random>

#include "base/read_file.h"
#include "sim/simulate.h"

namespace headroom::bench {
namespace {

constexpr int n = 1024;

struct Product {
  sim::Memory memory{1ull << 30};
  sim::LoadedModule module;
  std::shared_ptr<const sim::Program> program;
  Launch launch;
  float *a, *b, *c;

  Product() {
    module = sim::load_module(
        std::make_shared<ptx::Module>(ptx::parse(load_file(HEADROOM_TILE_2D), "tile_2d.ptx")),
        memory);
    std::mt19937 random(1);
    for (float** matrix : {&a, &b, &c}) {
      *matrix = reinterpret_cast<float*>(*memory.allocate(n * n * sizeof(float)));
      for (int i = 0; i < n * n; ++i)
        (*matrix)[i] = std::uniform_real_distribution<float>(-1, 1)(random);
    }
    launch.shape.kernel = "tile_2d";
    launch.shape.grid = {n / 128, n / 128, 1};
    launch.shape.block = {256, 1, 1};
    program = sim::decode(module, "tile_2d", sim::axes_between_warps(launch.shape.block));
    launch.arguments.resize(32);
    std::memcpy(launch.arguments.data(), &n, 4);
    std::memcpy(launch.arguments.data() + 8, &a, 8);
    std::memcpy(launch.arguments.data() + 16, &b, 8);
    std::memcpy(launch.arguments.data() + 24, &c, 8);
  }
  sim::Outcome run(unsigned threads) {
    sim::Options options;
    options.threads = threads;
    return sim::simulate(*program, launch, memory, {132, 2, 1'980'000'000, 90}, options);
  }
  bool right() const {  // a sample of rows
    for (int i = 0; i < n; i += 97) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += double(a[i * n + k]) * b[k * n + j];
        if (std::abs(sum - c[i * n + j]) > 1e-3) return false;
      }
    }
    return true;
  }
};

void product(benchmark::State& state, unsigned threads) {
  Product product;
  sim::Outcome outcome;
  for (auto _ : state) outcome = product.run(threads);
  if (!outcome.completed || !product.right()) state.SkipWithError("the product is wrong");
  state.SetItemsProcessed(int64_t(state.iterations() * outcome.counters.warp_instructions));
}

}  // namespace

void register_product() {
  for (unsigned threads : {1u, 2u}) {
    benchmark::RegisterBenchmark(("product/threads_" + std::to_string(threads)).c_str(), product,
                                 threads)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace headroom::bench
