// One of the kernels of kernels.h, ready to be launched: a warp, a buffer of 4 MiB, `iterations`
// rounds.
#pragma once
#include <cstring>
#include <memory>
#include <string>

#include "bench/kernels.h"
#include "sim/simulate.h"

namespace headroom::bench {

inline constexpr uint32_t iterations = 8000;

struct Prepared {
  sim::Memory memory{1ull << 30};
  sim::LoadedModule module;
  std::shared_ptr<const sim::Program> program;
  Launch launch;
  uint64_t data;

  Prepared(const std::string& name, const std::string& text) {
    module = sim::load_module(std::make_shared<ptx::Module>(ptx::parse(text, name)), memory);
    data = *memory.allocate(4 << 20);
    std::memset(reinterpret_cast<void*>(data), 0, 4 << 20);
    launch.shape.kernel = name;
    launch.shape.block = {32, 1, 1};
    program = sim::decode(module, name, sim::axes_between_warps(launch.shape.block));
    launch.arguments.resize(12);
    std::memcpy(launch.arguments.data(), &data, 8);
    std::memcpy(launch.arguments.data() + 8, &iterations, 4);
  }
  sim::Outcome run(bool count, unsigned threads = 1) {
    sim::Options options;
    options.count = count;
    options.threads = threads;
    return sim::simulate(*program, launch, memory, {1, 1, 1'000'000'000, 80}, options);
  }
};

}  // namespace headroom::bench
