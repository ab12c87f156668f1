// Stores of lanes that lie anywhere: every width and vector length, lanes in a row, apart, or several at one place,
// all of them or some. Where lanes write to one place, the highest that runs wins, and wins all of its vector.
#include <random>

#include "sim_bench.h"

namespace headroom::sim {
namespace {

constexpr uint32_t places = 64, buffer_bytes = places * 32;

struct Store {
  const char* type;
  int bytes, vector;
};
constexpr Store stores[] = {{"u32", 4, 1}, {"u32", 4, 2}, {"u32", 4, 4},
                            {"u64", 8, 1}, {"u64", 8, 2}, {"u8", 1, 1},
                            {"u16", 2, 1}, {"u8", 1, 4},  {"u16", 2, 2}};

// Reads a place for each lane, and writes what it read beside it.
std::string kernel_of(const Store& store, bool shared) {
  const std::string reg = store.bytes == 8   ? "d"
                          : store.bytes == 4 ? "r"
                                             : "h",
                    load = store.bytes == 8   ? "u64"
                           : store.bytes == 4 ? "u32"
                                              : "u16";
  std::string list, loads;
  for (int n = 0; n < store.vector; ++n) {
    const std::string name = "%" + reg + std::to_string(n);
    list += (n ? ", " : "") + name;
    loads += "ld.global." + load + " " + name + ", [%from+" + std::to_string(8 * n) + "];\n";
  }
  if (store.vector > 1) list = "{" + list + "}";
  const std::string vector = store.vector == 1 ? "" : ".v" + std::to_string(store.vector),
                    to = vector + "." + store.type;
  return std::string(
             ".reg .b32 %r<4>, %i, %n, %off, %t, %s; .reg .b64 %d<2>, %from, %where, %to, %x, %a; "
             ".reg .b16 %h<4>; .reg .pred %p, %q; .shared .align 16 .b8 tile[2048];\n"
             "ld.param.u64 %from, [data]; ld.param.u64 %where, [offsets]; ld.param.u64 %to, [out]; "
             "ld.param.u32 %n, [running]; mov.u32 %i, %tid.x; setp.ge.u32 %q, %i, %n;\n"
             "mul.wide.u32 %x, %i, 4; add.u64 %where, %where, %x; mul.wide.u32 %x, %i, 32; "
             "add.u64 %from, %from, %x; ld.global.u32 %off, [%where];\n") +
         loads +
         (shared
              ? "mov.u32 %t, tile; add.u32 %t, %t, %off; @%q bra NEXT; st.shared" + to + " [%t], " +
                    list +
                    ";\nNEXT: mul.lo.u32 %s, %i, 4; mov.u32 %t, tile; add.u32 %t, %t, %s; "
                    "mul.wide.u32 %x, %i, 4; add.u64 %to, %to, %x; mov.u32 %s, 0;\n"
                    "COPY: ld.shared.u32 %off, [%t]; st.global.u32 [%to], %off; add.u32 %t, %t, "
                    "128; "
                    "add.u64 %to, %to, 128; add.u32 %s, %s, 128; setp.lt.u32 %p, %s, 2048; @%p bra "
                    "COPY;\nret;\n"
              : "@%q bra END; cvt.u64.u32 %x, %off; add.u64 %a, %to, %x; st.global" + to +
                    " [%a], " + list + ";\nEND: ret;\n");
}

class Scatter : public testing::TestWithParam<bool> {};

TEST_P(Scatter, every_place_has_what_the_highest_lane_wrote) {
  std::mt19937 random(20261126);
  for (const Store& store : stores) {
    const uint32_t wide = uint32_t(store.bytes * store.vector);
    Bench bench(kernel_of(store, GetParam()),
                ".param .u64 data, .param .u64 offsets, .param .u64 out, .param .u32 running");
    auto* data = bench.allocate<uint64_t>(32 * 4);
    for (int i = 0; i < 32 * 4; ++i) data[i] = random() | uint64_t(random()) << 32;
    auto* offsets = bench.allocate<uint32_t>(32);
    auto* out = bench.allocate<uint8_t>(buffer_bytes);
    bench.pass(data), bench.pass(offsets), bench.pass(out), bench.pass(uint32_t(32));
    for (uint32_t kind = 0; kind < 6; ++kind) {
      for (uint32_t running : {32u, 31u, 7u}) {
        std::memcpy(bench.arguments.data() + 24, &running, 4);
        const uint32_t base = uint32_t(random() % 16) * wide;
        for (uint32_t i = 0; i < 32;
             ++i)  // in a row, backwards, at one place, at eight, eights in rows, anywhere
          offsets[i] = base + wide * (kind == 0   ? i
                                      : kind == 1 ? 31 - i
                                      : kind == 2 ? 0
                                      : kind == 3 ? uint32_t(random() % 8)
                                      : kind == 4 ? i / 8 * 12 + i % 8
                                                  : uint32_t(random() % (places - 16)));
        std::vector<uint8_t> expected(buffer_bytes);
        for (uint32_t i = 0; i < running; ++i)
          for (uint32_t n = 0; n < uint32_t(store.vector); ++n)
            std::memcpy(expected.data() + offsets[i] + n * uint32_t(store.bytes), data + 4 * i + n,
                        size_t(store.bytes));
        std::memset(out, 0, buffer_bytes);
        const Outcome outcome = bench.run();
        ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
        ASSERT_EQ(std::memcmp(out, expected.data(), buffer_bytes), 0)
            << store.type << " x " << store.vector << ", kind " << kind << ", " << running
            << " lanes";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, Scatter, testing::Bool());

}  // namespace
}  // namespace headroom::sim
