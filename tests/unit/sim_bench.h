// A small PTX kernel on a bench: its memory, its arguments, one launch of it.
//
//   Bench bench(std::string(thread_index) + "st.global.u32 [%p], %i; ret;");
//   auto* out = bench.allocate<uint32_t>(32);
//   bench.pass(out);
//   bench.run().completed
#pragma once
#include <gtest/gtest.h>

#include <cstring>

#include "sim/simulate.h"

namespace headroom::sim {

// A kernel, its memory, and one launch of it.
struct Bench {
  Memory memory{1ull << 32};
  LoadedModule module;
  Limits limits{4, 2, 1'000'000'000, 90};
  Dim3 grid{1, 1, 1}, block{32, 1, 1}, cluster{1, 1, 1};
  bool cooperative = false, in_clusters = false;  // clusters of one block
  uint64_t dynamic_shared = 0;
  unsigned threads = 0;  // of the host
  std::vector<std::byte> arguments;

  explicit Bench(const std::string& body, const std::string& parameters = ".param .u64 out",
                 const std::string& before = "") {
    const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n" + before +
                             "\n.visible .entry k(" + parameters + ")\n{\n" + body + "\n}\n";
    module = load_module(std::make_shared<ptx::Module>(ptx::parse(text, "test.ptx")), memory);
  }
  template <class T>
  T* allocate(size_t n) {
    T* p = reinterpret_cast<T*>(*memory.allocate(n * sizeof(T)));
    std::memset(static_cast<void*>(p), 0, n * sizeof(T));
    return p;
  }
  template <class T>
  void pass(T value) {
    arguments.resize((arguments.size() + sizeof value - 1) / sizeof value * sizeof value);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    arguments.insert(arguments.end(), bytes, bytes + sizeof value);
  }
  Launch launch() const {
    Launch launch;
    launch.shape = {.kernel = "k", .grid = grid, .block = block};
    if (in_clusters || cluster.count() > 1) launch.shape.cluster = cluster;
    launch.shape.cooperative = cooperative;
    launch.shape.dynamic_shared = dynamic_shared;
    launch.arguments = arguments;
    return launch;
  }
  Outcome run(bool count = true) {
    Options options;
    options.count = count;
    options.threads = threads;
    return run(options);
  }
  Outcome run(const Options& options) {
    return simulate(*decode(module, "k", axes_between_warps(block)), launch(), memory, limits,
                    options);
  }
};

// %i: the thread in the grid; %p: where its word of `out` is; %o is free.
inline constexpr const char* thread_index = R"(
  .reg .b32 %i; .reg .b64 %p, %o;
  { .reg .b32 %a, %b, %c; mov.u32 %a, %ctaid.x; mov.u32 %b, %ntid.x; mov.u32 %c, %tid.x; mad.lo.s32 %i, %a, %b, %c; }
  ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p; mul.wide.u32 %o, %i, 4; add.s64 %p, %p, %o;
)";

}  // namespace headroom::sim
