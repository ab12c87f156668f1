// Loads of lanes that lie anywhere: every width and vector length, in every space, with lanes close together, far
// apart, at one place or in a row, all of them or some. Each lane's address comes from a table; the same instruction
// runs twice with other addresses, so that what was learnt of the first is tried on the second.
#include <numeric>
#include <random>
#include <set>

#include "sim_bench.h"

namespace headroom::sim {
namespace {

constexpr uint32_t buffer_bytes = 32768;

struct Load {
  const char* type;  // "u32"
  int bytes, vector;
  bool to_word = false;  // a register of 4 bytes, where it would not have to be
};
constexpr Load loads[] = {
    {"u32", 4, 1},      {"f32", 4, 2},       {"u32", 4, 4},      {"u64", 8, 1}, {"f64", 8, 2},
    {"u8", 1, 1},       {"s16", 2, 1},       {"u8", 1, 4},       {"u16", 2, 4}, {"u8", 1, 1, true},
    {"s8", 1, 4, true}, {"s16", 2, 2, true}, {"u16", 2, 1, true}};

// Where lanes read from: `spread` places of `step` bytes each, from `base` on.
struct Lie {
  const char* name;
  uint32_t places, step;  // step 0: as wide as the load
  bool in_a_row;
  bool by_eights = false;  // each eight lanes of their own row, or at its beginning
};
constexpr Lie lies[] = {{"in a row", 32, 0, true},
                        {"at one place", 1, 0, false},
                        {"among eight", 8, 0, false},
                        {"among thirty-two", 32, 0, false},
                        {"strided", 32, 512, true},
                        {"anywhere", 1000, 0, false},
                        {"eights in rows", 8, 0, true, true},
                        {"eights at one place", 1, 0, true, true}};

std::string kernel_of(const Load& load, const std::string& space) {
  std::string list, stores;
  const bool half = load.bytes < 4 && !load.to_word;
  const std::string reg = load.bytes == 8 ? "d" : half ? "h" : "r";
  for (int n = 0; n < load.vector; ++n) {
    list += (n ? ", %" : "%") + reg + std::to_string(n);
    const std::string value =
        half              ? "mov.b32 %r0, {%h" + std::to_string(n) + ", %zero}; st.global.u32"
        : load.bytes <= 4 ? "st.global.u32"
                          : "st.global.u64";
    stores += value + " [%to+" + std::to_string(8 * n) + "], %" +
              (half ? "r0" : reg + std::to_string(n)) + ";\n";
  }
  if (load.vector > 1) list = "{" + list + "}";
  const std::string vector = load.vector == 1 ? "" : ".v" + std::to_string(load.vector);
  const std::string dot = space.empty() ? "" : "." + space;
  const bool shared = space == "shared" || space == "generic shared";
  return std::string(
             ".reg .b32 %r<4>, %i, %n, %off, %s, %t; .reg .b64 %d<2>, %from, %where, %to, %a, %x, "
             "%g; .reg .b16 %h<4>, %zero; .reg .pred %p, %q; .shared .align 16 .b8 tile[32768];\n" +
             std::string(space == "local" ? ".local .align 16 .b8 mine[32768];\n" : "") +
             "ld.param.u64 %from, [data]; ld.param.u64 %where, [offsets]; ld.param.u64 %to, [out]; "
             "ld.param.u32 %n, [running]; mov.u32 %i, %tid.x; mov.u16 %zero, 0;\n"
             "mul.wide.u32 %x, %i, 4; add.u64 %where, %where, %x; mul.wide.u32 %x, %i, 32; add.u64 "
             "%to, %to, %x;\n") +
         (shared ? "mul.lo.u32 %s, %i, 4; mov.u32 %t, tile; add.u32 %t, %t, %s; mul.wide.u32 %x, "
                   "%i, 4; add.u64 %a, %from, %x; mov.u32 %s, 0;\n"
                   "FILL: ld.global.u32 %off, [%a]; st.shared.u32 [%t], %off; add.u64 %a, %a, 128; "
                   "add.u32 %t, %t, 128; add.u32 %s, %s, 128; setp.lt.u32 %p, %s, 32768; @%p bra "
                   "FILL;\n"
          : space == "local"
              ? "mov.u64 %a, %from; mov.u64 %g, mine; mov.u32 %s, 0;\n"
                "FILL: ld.global.u32 %off, [%a]; st.local.u32 [%g], %off; add.u64 %a, %a, 4; "
                "add.u64 %g, %g, 4; add.u32 %s, %s, 4; setp.lt.u32 %p, %s, 32768; @%p bra FILL;\n"
              : "") +
         "mov.u32 %s, 0;\nLOOP: setp.ge.u32 %q, %i, %n; @%q bra NEXT;\n  ld.global.u32 %off, "
         "[%where];\n" +
         (space == "shared" ? "mov.u32 %t, tile; add.u32 %t, %t, %off; ld.shared" + vector + "." +
                                  load.type + " " + list + ", [%t];\n"
          : shared ? "cvt.u64.u32 %x, %off; mov.u64 %a, tile; cvta.shared.u64 %a, %a; add.u64 %a, "
                     "%a, %x; ld" +
                         vector + "." + load.type + " " + list + ", [%a];\n"
                   : "cvt.u64.u32 %x, %off; " +
                         std::string(space == "local" ? "mov.u64 %a, mine; add.u64 %a, %a, %x;"
                                                      : "add.u64 %a, %from, %x;") +
                         " ld" + dot + vector + "." + load.type + " " + list + ", [%a];\n") +
         stores +
         "NEXT: add.u64 %where, %where, 128; add.u64 %to, %to, 1024; add.u32 %s, %s, 1; "
         "setp.lt.u32 %p, %s, 2; @%p bra LOOP;\nret;\n";
}

class Gather : public testing::TestWithParam<const char*> {};

TEST_P(Gather, every_lane_gets_its_own_bytes) {
  std::mt19937 random(20261121);
  for (const Load& load : loads) {
    const uint32_t wide = uint32_t(load.bytes * load.vector);
    Bench bench(kernel_of(load, GetParam()),
                ".param .u64 data, .param .u64 offsets, .param .u64 out, .param .u32 running");
    auto* data = bench.allocate<uint8_t>(buffer_bytes);
    for (uint32_t i = 0; i < buffer_bytes; ++i) data[i] = uint8_t(random());
    auto* offsets = bench.allocate<uint32_t>(64);
    auto* out = bench.allocate<uint64_t>(2 * 32 * 4);
    bench.pass(data), bench.pass(offsets), bench.pass(out), bench.pass(uint32_t(32));
    for (const Lie& lie : lies) {
      for (uint32_t running : {32u, 31u, 7u}) {
        std::memcpy(bench.arguments.data() + 24, &running, 4);
        const uint32_t step = lie.step ? lie.step : wide;
        for (uint32_t round = 0; round < 2; ++round) {
          const uint32_t base = uint32_t(random() % 64) * wide;
          for (uint32_t i = 0; i < 32; ++i)
            offsets[32 * round + i] = base + (lie.by_eights  ? i / 8 * 160 + i % lie.places
                                              : lie.in_a_row ? i
                                                             : uint32_t(random()) % lie.places) *
                                                 step;
        }
        std::memset(out, 0xee, 2 * 32 * 32);
        const Outcome outcome = bench.run();
        ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
        for (uint32_t round = 0; round < 2; ++round) {
          for (uint32_t i = 0; i < 32; ++i) {
            for (int n = 0; n < load.vector; ++n) {
              uint64_t expected = 0, got = out[(round * 32 + i) * 4 + uint32_t(n)];
              std::memcpy(&expected, data + offsets[32 * round + i] + n * load.bytes,
                          size_t(load.bytes));
              if (load.bytes < 4) {
                if (load.type[0] == 's')
                  expected = uint32_t(load.bytes == 1 ? int8_t(expected) : int16_t(expected));
                if (!load.to_word) expected = uint16_t(expected);
              }
              if (load.bytes < 8) got &= 0xffffffff;
              if (i >= running) expected = load.bytes < 8 ? 0xeeeeeeeeu : 0xeeeeeeeeeeeeeeeeull;
              ASSERT_EQ(got, expected)
                  << load.type << " x " << load.vector << ", lanes " << lie.name << ", " << running
                  << " of them; round " << round << ", lane " << i << ", element " << n;
            }
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces, Gather,
                         testing::Values("global", "shared", "", "generic shared", "local"));

// The lanes lie as before, and begin elsewhere in a sector: what was learnt of them holds but for the sectors.
TEST(GatherAgain, counts_the_sectors_of_every_step) {
  Bench bench(
      ".reg .b32 %i, %k, %v; .reg .b64 %a, %x; .reg .pred %p;\n"
      "ld.param.u64 %a, [data]; mov.u32 %i, %tid.x; mul.wide.u32 %x, %i, 28; add.u64 %a, %a, %x; "
      "mov.u32 %k, 0;\n"
      "LOOP: ld.global.u32 %v, [%a]; add.u32 %v, %v, 1; st.global.u32 [%a], %v; add.u64 %a, %a, 4; "
      "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 20; @%p bra LOOP;\nret;\n",
      ".param .u64 data");
  auto* data = bench.allocate<uint32_t>(32 * 7 + 20);
  bench.pass(data);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  uint64_t expected = 0;
  for (uint32_t step = 0; step < 20; ++step) {
    std::set<uint32_t> sectors;
    for (uint32_t lane = 0; lane < 32; ++lane) sectors.insert((28 * lane + 4 * step) / 32);
    expected += sectors.size();
  }
  EXPECT_EQ(outcome.counters.global_load_sectors, expected);
  EXPECT_EQ(outcome.counters.global_store_sectors, expected);
}

}  // namespace
}  // namespace headroom::sim
