// The pipeline, on traces made by hand: its units, ports and memory are as fast as was measured.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "model/pipeline/atomics.h"
#include "model/pipeline/matrix_product.h"
#include "model/pipeline/memory_path.h"
#include "model/pipeline/sm_cycles.h"
#include "played_kernel.h"

using namespace headroom;

namespace {

// The share of the lanes of `machine` that so many warps of independent chains keep busy, 0 … 1.
double busy(const std::string& machine, int chains, int warps) {
  Played kernel(machine);
  kernel.likely_ = true;
  for (int i = 0; i < 240; ++i) {
    const auto chain = uint16_t(1 + i % chains);
    kernel.add(instruction("FFMA", {reg(chain, true), reg(chain), reg(90), reg(91)}, {}),
               Pipe::fma);
  }
  const SmRun run = kernel.run(1, warps, 20);
  return double(run.issued) * 32 / *load_machine(machine).fp32_per_clock / run.cycles;
}

// Warps from which more bring nothing.
int saturation(const std::string& machine, int chains) {
  int warps = 1;
  while (warps < 32 && busy(machine, chains, warps) < 0.95 * busy(machine, chains, 32)) ++warps;
  return warps;
}

}  // namespace

// Measured on an H200: half of the peak where two of three operands lie in one bank (sources: results/h200/latency.json).
TEST(Pipeline, two_operands_of_one_bank_take_two_cycles) {
  Played apart, together, same;
  for (int i = 0; i < 10; ++i) {
    apart.fma(1, 2, 255, 4);
    together.fma(2, 4, 1, 4);
    same.fma(2, 2, 2, 4);
  }
  EXPECT_NEAR(cycles_of(apart.run(1, 32, 100)), 8000, 60);
  EXPECT_NEAR(cycles_of(together.run(1, 32, 100)), 16000, 60);
  EXPECT_NEAR(cycles_of(same.run(1, 32, 100)), 8000, 60);
  EXPECT_NEAR(cycles_of(together.run(1, 32, 100, {.register_banks = true})), 8000, 60);
}

// Units that an SM has once: cycles of a warp as they were measured on an H200 (results/h200/sm_units.json: SHFL.BFLY 1.019, REDUX.SUM
// 2.005, MATCH.ANY of one value 2.035). Textures: an SM has four units that filter (CUDA C++ Programming Guide).
TEST(Pipeline, what_an_sm_has_once_takes_turns) {
  const struct {
    std::string_view opcode;
    Pipe pipe;
    double cycles;
  } rows[] = {{"SHFL", Pipe::lsu, 1.019},
              {"REDUX", Pipe::adu, 2.005},
              {"MATCH", Pipe::adu, 2.035},
              {"TEX", Pipe::tex, 32.0 / 4}};
  for (const auto& row : rows) {
    Played kernel;
    for (uint16_t i = 0; i < 64; ++i)
      kernel.add(instruction(row.opcode, {reg(uint16_t(10 + i), true), reg(1)}, {.stall = 1}),
                 row.pipe);
    EXPECT_NEAR(cycles_of(kernel.run(1, 32, 5)) / (32 * 5 * 64) / row.cycles, 1, 0.04)
        << row.opcode;
    // One warp has one sub-partition, which gets every fourth turn.
    EXPECT_NEAR(cycles_of(kernel.run(1, 1, 5)) / (5 * 64) / (4 * row.cycles), 1, 0.04)
        << row.opcode;
  }
}

// Of independent ones, in 32 warps: lanes a clock of an SM, as the probe measured them on an H200 (machines/measured/h200.json,
// arithmetic; where a result took two of an instruction, twice its results).
TEST(Pipeline, instructions_have_the_rates_that_were_measured) {
  const struct {
    std::string_view opcode;
    std::vector<std::string_view> modifiers;
    Pipe pipe;
    double lanes;
  } rows[] = {{"FFMA", {}, Pipe::fma, 126.5},
              {"FADD", {}, Pipe::fma, 126.5},
              {"FMUL", {}, Pipe::fma, 126.5},
              {"FMNMX", {}, Pipe::alu, 63.9},
              {"FSETP", {}, Pipe::alu, 63.9},
              {"FSEL", {}, Pipe::alu, 63.9},
              {"IADD3", {}, Pipe::alu, 63.8},
              {"IMAD", {}, Pipe::fma, 64},
              {"IMAD", {".HI", ".U32"}, Pipe::fma, 31.7},
              {"IMAD", {".WIDE", ".U32"}, Pipe::fma, 32},
              {"LOP3", {}, Pipe::alu, 63.8},
              {"SHF", {}, Pipe::alu, 63.8},
              {"ISETP", {}, Pipe::alu, 63.9},
              {"SEL", {}, Pipe::alu, 63.9},
              {"VIMNMX", {}, Pipe::alu, 63.9},
              {"POPC", {}, Pipe::xu, 16},
              {"DFMA", {}, Pipe::fp64, 63.9},
              {"DADD", {}, Pipe::fp64, 64},
              {"DMUL", {}, Pipe::fp64, 64},
              {"MUFU", {".RSQ"}, Pipe::xu, 16},
              {"F2I", {}, Pipe::xu, 16},
              {"F2FP", {}, Pipe::alu, 63.8},
              {"HADD2", {".F32"}, Pipe::fma, 63.8},
              {"F2F", {".F64", ".F32"}, Pipe::xu, 15.1}};
  for (const auto& row : rows) {
    Played kernel;
    for (uint16_t i = 0; i < 64; ++i) {
      sass::Instruction one = instruction(
          row.opcode, {reg(uint16_t(10 + 2 * i), true), reg(1), reg(2), reg(255)}, {.stall = 1});
      one.modifiers = row.modifiers;
      kernel.add(one, row.pipe);
    }
    const SmRun run = kernel.run(1, 32, 20);
    EXPECT_NEAR(double(run.issued) * 32 / run.cycles / row.lanes, 1, 0.06) << row.opcode;
  }
}

// DP4A reads its registers where FFMA does: two of a bank are a cycle more. Found by a kernel that took 1.4 times as long as without
// (results/h200/usual_kernels.json: m01_dp4a).
TEST(Pipeline, dot_products_wait_for_the_bank_of_their_operands) {
  for (const uint16_t x : {uint16_t(5), uint16_t(6)}) {  // together with R9, and apart
    Played kernel;
    for (int i = 0; i < 64; ++i) {
      kernel.add(instruction("IDP", {reg(9, true), reg(x), reg(2), reg(9)}, {.stall = 5}),
                 Pipe::fma);
      kernel.add(instruction("IADD3", {reg(x, true), reg(x), reg(9)}, {.stall = 5}), Pipe::alu);
    }
    EXPECT_NEAR(cycles_of(kernel.run(1, 32, 10)), 640 * 8 * (x == 5 ? 4 : 3), 60) << x;
  }
}

// Measured on an H200: a chain of HFMA2 in every warp takes two cycles an instruction of a sub-partition (results/h200/unequal.json:
// 96 of 135 168 warps in 29 us), as many with HFMA2.MMA between them take one (machines/measured/h200.json: 124 of 128 lanes).
TEST(Pipeline, halves_share_the_lanes_of_integer_products) {
  Played half, mixed;
  for (int i = 0; i < 100; ++i) {
    sass::Instruction one =
        instruction("HFMA2", {reg(20, true), reg(1), reg(2), reg(255)}, {.stall = 1});
    half.add(one, Pipe::fma);
    if (i % 2) one.modifiers = {".MMA"};
    mixed.add(one, i % 2 ? Pipe::tensor : Pipe::fma);
  }
  EXPECT_NEAR(cycles_of(half.run(1, 32, 10)), 16000, 160);
  EXPECT_NEAR(cycles_of(mixed.run(1, 32, 10)), 8000, 400);
}

// Measured on an H200 (results/h200/l2_distance.json): 288 cycles of one lane, 370 of 32 at lines of their own; and 172 more
// where only the other half of L2 has the data.
TEST(Pipeline, who_waits_for_many_slices_of_l2_waits_for_the_furthest) {
  const auto latency = [](uint64_t lines, double far) {
    Played kernel;
    kernel.supply_.in_l2 = 1;
    kernel.supply_.l2_far = 172;
    kernel.supply_.far = far;
    kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
    kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
               Pipe::fma);
    std::vector<uint64_t> sectors;
    for (uint64_t i = 0; i < lines; ++i) sectors.push_back(i * 4096);
    kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, sectors);
    return cycles_of(kernel.run(1, 1, 100)) / 100;
  };
  EXPECT_NEAR(latency(1, 0), 288, 10);
  EXPECT_NEAR(latency(32, 0), 370, 15);
  EXPECT_NEAR(latency(1, 1) - latency(1, 0), 172, 5);
  EXPECT_NEAR(latency(1, 0.5) - latency(1, 0), 86, 25);
}

// A line of 128 bytes of a machine whose L1 gives 127 a cycle takes one cycle, not two.
TEST(Pipeline, a_line_of_l1_takes_a_cycle) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.supply_.l1_bytes = 127;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  for (int i = 0; i < 64; ++i)
    kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {0, 1, 2, 3});
  EXPECT_LT(cycles_of(kernel.run(1, 1, 10)), 640 * 1.6);  // and the latency of the last one
}

// Measured on an H200: random words of 4 MiB take an SM 1.59 cycles each, of 1 GiB 6.5 (results/h200/sm_units.json).
TEST(Pipeline, a_lone_sector_takes_longer_than_its_bytes) {
  const auto cycles = [](bool in_l2) {
    Played kernel;
    kernel.supply_.in_l2 = in_l2;
    kernel.supply_.l2_bytes = 31.8;
    kernel.supply_.dram_bytes = 17.6;
    kernel.add(instruction("LDG", {reg(20, true), reg(1)}, {.stall = 1, .write_barrier = 0}),
               Pipe::lsu);
    kernel.add(instruction("IADD3", {reg(21, true), reg(20)}, {.stall = 1, .wait_mask = 1}),
               Pipe::alu);
    std::vector<uint64_t> sectors;
    for (uint64_t i = 0; i < 32; ++i) sectors.push_back(4 * (i * 1001));
    kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, sectors);
    return cycles_of(kernel.run(8, 8, 4)) / (8 * 8 * 4 * 32);
  };
  EXPECT_NEAR(cycles(true), 1.59, 0.2);
  EXPECT_NEAR(cycles(false), 6.6, 0.5);
}

// Without L1 every load waits for L2, 280 cycles; from a tile what was loaded once comes from shared memory: 23 cycles, a line a cycle,
// of words that are the same for all lanes four a cycle.
TEST(Pipeline, a_tile_has_what_the_sm_has_loaded) {
  const auto cycles = [](const std::vector<uint64_t>& sectors, int more, Relief relief) {
    Played kernel;
    kernel.supply_.in_l2 = 1;
    kernel.supply_.l1_loads = false;
    for (int i = 0; i <= more; ++i) {  // each waits for the one before
      kernel.add(instruction("LDG", {reg(2, true), reg(2)},
                             {.stall = 1, .write_barrier = 0, .wait_mask = 1}),
                 Pipe::lsu);
      kernel.access(uint32_t(i), {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32},
                    sectors);
    }
    kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
               Pipe::fma);
    return cycles_of(kernel.run(1, 1, 10, relief)) / 10;
  };
  const std::vector<uint64_t> line{0, 1, 2, 3};
  const double once = cycles(line, 0, {});
  EXPECT_NEAR(once, 280, 20);
  EXPECT_NEAR(cycles(line, 8, {}), 9 * once - 8 * (branch_latency - 1), 20);
  EXPECT_NEAR(cycles(line, 8, {.shared_tiles = true}), once + 8 * 23, 20);
}

// Measured on an H200 (results/h200/sm_units.json: LDC of so many words, random): cycles of a load whose lanes ask for words of their own.
TEST(Pipeline, constants_come_an_address_at_a_time) {
  const struct {
    uint32_t words;
    double cycles;
  } rows[] = {{1, 2.067},    {4, 7.832},      {16, 28.457},    {256, 61.557},
              {512, 62.665}, {1024, 288.066}, {4096, 801.786}, {16384, 967.604}};
  for (const auto& row : rows) {
    MemoryPath path({}, {});
    std::mt19937 random(1);
    double end = 0;
    const auto load = [&] {
      std::set<uint32_t> words;
      for (int lane = 0; lane < 32; ++lane) words.insert(random() % row.words);
      std::vector<uint64_t> sectors;
      for (const uint32_t word : words)
        if (sectors.empty() || sectors.back() != word / 8) sectors.push_back(word / 8);
      const TracedAccess access{.kind = AccessKind::constant_load,
                                .wavefronts = uint16_t(words.size()),
                                .sectors = uint32_t(sectors.size())};
      end = path.access(access, sectors.data(), {}, 0).data;
    };
    for (int i = 0; i < 100; ++i) load();  // the cache is full
    const double begin = end;
    for (int i = 0; i < 1000; ++i) load();
    EXPECT_NEAR((end - begin) / 1000 / row.cycles, 1, 0.15) << row.words;
  }
}

// Measured on an H200 (results/h200/l1_gathers.json): cycles of a load of 32 lanes so many bytes apart that L1 has, and of the loads of
// shared memory that follow it.
TEST(Pipeline, l1_is_read_by_banks_and_looked_up_four_lines_at_a_time) {
  const struct {
    uint32_t bytes, apart, shared;
    double cycles;
  } rows[] = {{4, 0, 0, 1.02},   {4, 4, 0, 1.02},   {4, 16, 0, 4.01},  {4, 128, 0, 32.03},
              {4, 132, 0, 8.5},  {4, 144, 0, 9.01}, {4, 4, 1, 2.15},   {4, 32, 1, 9.07},
              {4, 132, 3, 8.56}, {8, 8, 0, 2.01},   {8, 0, 0, 2.01},   {8, 64, 0, 16.02},
              {8, 144, 0, 9.01}, {8, 64, 3, 19.14}, {16, 16, 0, 4.02}, {16, 0, 0, 4.03},
              {16, 32, 0, 8.01}, {16, 32, 3, 11.19}};
  for (const auto& row : rows) {
    std::vector<uint64_t> sectors;
    uint16_t wavefronts = 0;
    const uint32_t lanes = 128 / row.bytes;  // of a pass
    for (uint32_t pass = 0; pass < 32; pass += lanes) {
      std::map<uint32_t, std::set<uint32_t>> words;  // by bank
      for (uint32_t lane = pass; lane < pass + lanes; ++lane)
        for (uint32_t at = lane * row.apart; at < lane * row.apart + row.bytes; at += 4) {
          words[at / 4 % 32].insert(at / 4);
          if (sectors.empty() || sectors.back() != at / 32) sectors.push_back(at / 32);
        }
      size_t most = 0;
      for (const auto& [bank, its] : words) most = std::max(most, its.size());
      wavefronts = uint16_t(wavefronts + most);
    }
    const TracedAccess gather{.kind = AccessKind::global_load,
                              .bytes = uint8_t(row.bytes),
                              .lanes = 32,
                              .wavefronts = wavefronts,
                              .sectors = uint32_t(sectors.size())},
        shared{.kind = AccessKind::shared_load, .bytes = 4, .lanes = 32, .wavefronts = 1};
    MemoryPath path({.l1_latency = 0}, {});
    const auto load = [&](int times) {
      for (int i = 0; i < times; ++i) {
        path.access(gather, sectors.data(), {}, 1e4);  // all of it is in L1 by then
        for (uint32_t k = 0; k < row.shared; ++k) path.access(shared, nullptr, {}, 1e4);
      }
      return path.queue();
    };
    path.access(gather, sectors.data(), {}, 0);
    const double begin = load(1);
    EXPECT_NEAR((load(100) - begin) / 100 / row.cycles, 1, 0.12) << row.bytes << " " << row.apart;
  }
}

// Measured on an H200: 28.7 cycles of a chain of them (machines/measured/h200.json, latencies).
TEST(Pipeline, a_constant_has_a_latency) {
  MemoryPath path({}, {});
  const uint64_t sector = 0;
  const TracedAccess access{.kind = AccessKind::constant_load, .wavefronts = 1, .sectors = 1};
  path.access(access, &sector, {}, 0);
  EXPECT_NEAR(path.access(access, &sector, {}, 1000).data - 1000, 28.7, 1);
}

TEST(Pipeline, scattered_atomics_overlap) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("RED", {}, {.stall = 1}), Pipe::lsu);
  std::vector<uint64_t> scattered;
  for (uint64_t i = 0; i < 32; ++i) scattered.push_back(i * 1000);
  kernel.access(0, {.kind = AccessKind::global_atomic, .bytes = 4, .lanes = 32, .same_address = 1},
                scattered);
  // 32 sectors of 2.8 cycles each, and not 32 latencies.
  EXPECT_NEAR(cycles_of(kernel.run(1, 8, 100)), 8 * 100 * 32 * 2.8, 8 * 100 * 10);
}

// Measured on an H200: chains of additions of 768 threads in one block take as long as six warps that share a
// sub-partition's slots evenly (results/h200/latency.json).
TEST(Pipeline, warps_of_a_block_share_the_slots_evenly) {
  Played kernel;
  for (int i = 0; i < 100; ++i) kernel.fma(1, 2, 255, 4);
  EXPECT_NEAR(cycles_of(kernel.run(1, 24, 10)), 6000, 150);
}

// Little's law with whole warps and whole schedulers: [volkov] p15-23 prints 576, 320 and 192 threads for 1, 2
// and 4 independent chains on a GTX 480 (its 18 cycles are of p11), 192 and 64 for 1 and 3 on a G80.
TEST(Pipeline, warps_that_fill_the_lanes_are_those_that_were_published) {
  EXPECT_NEAR(saturation("gtx480", 1) * 32, 576, 64);  // a warp for each of two schedulers
  EXPECT_NEAR(saturation("gtx480", 2) * 32, 320, 64);
  EXPECT_NEAR(saturation("gtx480", 3) * 32, 256, 64);
  EXPECT_NEAR(saturation("gtx480", 4) * 32, 192, 64);
  EXPECT_NEAR(saturation("g80", 1) * 32, 192, 32);  // one scheduler
  EXPECT_NEAR(saturation("g80", 3) * 32, 64, 32);
}

// [volkov] p14: three groups of lanes, and two schedulers that must issue two instructions of a warp at once.
TEST(Pipeline, a_gf104_needs_two_instructions_of_a_warp_at_once) {
  EXPECT_NEAR(busy("gtx460", 1, 32), 0.66, 0.01);
  EXPECT_GT(busy("gtx460", 2, 32), 0.85);
  EXPECT_NEAR(busy("gtx680", 1, 64), 0.66, 0.01);  // six groups, four schedulers
  EXPECT_GT(busy("gtx680", 2, 64), 0.95);
  EXPECT_GT(busy("titanx", 1, 32), 0.95);  // each scheduler has its own lanes
}

sass::Instruction product(std::string_view opcode, std::vector<std::string_view> modifiers) {
  sass::Instruction made;
  made.opcode = opcode;
  made.modifiers = std::move(modifiers);
  return made;
}

// Shape, bits of an element, and zeros that a sparse product leaves out.
TEST(MatrixProduct, is_as_many_multiply_adds_of_fp16_as_take_as_long) {
  EXPECT_EQ(f16_multiply_adds(product("HMMA", {".16816", ".F32"})), 2048);
  EXPECT_EQ(f16_multiply_adds(product("HMMA", {".1688", ".F32", ".TF32"})), 2048);
  EXPECT_EQ(f16_multiply_adds(product("HMMA", {".1684", ".F32", ".TF32"})), 1024);
  EXPECT_EQ(f16_multiply_adds(product("HMMA", {".SP", ".16832", ".F32"})), 2048);
  EXPECT_EQ(f16_multiply_adds(product("IMMA", {".16832", ".S8", ".S8"})), 2048);
  EXPECT_EQ(f16_multiply_adds(product("IMMA", {".8816", ".S8", ".S8"})), 512);
  EXPECT_EQ(f16_multiply_adds(product("IMMA", {".16864", ".S4", ".S4"})), 2048);
  EXPECT_EQ(f16_multiply_adds(product("BMMA", {".168256", ".XOR", ".POPC"})), 2048);
  EXPECT_EQ(f16_multiply_adds(product("DMMA", {".884"})), 4096);
  EXPECT_EQ(f16_multiply_adds(product("DMMA", {".16x8x16"})), 32768);
  EXPECT_EQ(f16_multiply_adds(product("HFMA2", {".MMA"})), 0);
}

TEST(MatrixProduct, takes_a_tensor_core_as_long_as_the_machine_says) {
  const sass::Instruction each = product("HMMA", {".16816", ".F32"});
  EXPECT_EQ(cycles_of_product(each, load_machine("a100")), 8);
  EXPECT_EQ(cycles_of_product(each, load_machine("v100")), 16);
  EXPECT_EQ(cycles_of_product(each, load_machine("rtx4090")), 32);
  EXPECT_NEAR(cycles_of_product(each, load_machine("h200")), 6.2, 0.1);
  EXPECT_EQ(cycles_of_product(product("DMMA", {".8x8x4"}), load_machine("a100")), 16);
  EXPECT_EQ(cycles_of_product(product("DMMA", {".884"}), load_machine("a6000")),
            512);  // by 2 lanes
}

// Four tensor cores of 512; B is read by all of them, and A where it is not in registers. The small ones take
// as long as shared memory needs for A and B.
TEST(MatrixProduct, of_a_warpgroup_takes_its_tensor_cores_or_shared_memory) {
  const Machine h200 = load_machine("h200");
  EXPECT_EQ(cycles_of_product(product("HGMMA", {".64x256x16", ".F32"}), h200), 128);
  EXPECT_EQ(cycles_of_product(product("HGMMA", {".64x64x16", ".F32"}), h200), 32);
  EXPECT_EQ(cycles_of_product(product("HGMMA", {".64x8x16", ".F32"}), h200), 18);
  EXPECT_EQ(cycles_of_product(product("HGMMA", {".64x256x8", ".F32", ".TF32"}), h200), 128);
  EXPECT_EQ(cycles_of_product(product("QGMMA", {".64x256x32", ".F32", ".E4M3", ".E4M3"}), h200),
            128);
}

// The patterns of scripts/measure/model_probe.cu, beside what they took on an H200 (results/h200/model_probe.json).
TEST(Atomics, take_as_long_as_was_measured) {
  constexpr double ghz = 1.98;
  struct Pattern {
    bool integer;
    uint64_t (*line)(uint64_t warp);
    uint32_t sectors;    // of a request
    uint8_t at_address;  // lanes
    double lanes_a_ns;
  };
  const auto one = [](uint64_t) { return uint64_t(0); };
  const auto of_warp = [](uint64_t warp) { return warp % 32; };
  for (const Pattern& pattern :
       {Pattern{true, one, 1, 32, 1.3557}, Pattern{true, one, 4, 1, 12.706},
        Pattern{true, of_warp, 1, 32, 10.211}, Pattern{false, one, 1, 32, 0.56791},
        Pattern{false, one, 4, 1, 12.647}, Pattern{false, of_warp, 1, 32, 7.9896}}) {
    sass::Instruction add = instruction("RED", {}, {});
    add.modifiers = {".E.ADD", pattern.integer ? ".STRONG.GPU" : ".F32.FTZ.RN.STRONG.GPU"};
    Trace trace;
    trace.code.push_back({&add});
    for (int b = 0; b < 8; ++b) {
      TracedBlock& block = trace.blocks.emplace_back();
      for (uint64_t w = 0; w < 64; ++w) {
        TracedAccess& made = block.warps.emplace_back().accesses.emplace_back();
        made.kind = AccessKind::global_atomic;
        made.same_address = pattern.at_address;
        made.passes = uint16_t(pattern.sectors * pattern.at_address);
        made.first_sector = uint32_t(block.sectors.size());
        made.sectors = pattern.sectors;
        for (uint64_t i = 0; i < pattern.sectors; ++i)
          block.sectors.push_back(4 * pattern.line(w) + i);
      }
    }
    const double requests = 1e6, cycles = cycles_of_atomics(trace, requests);
    EXPECT_NEAR(32 * requests / (cycles / ghz) / pattern.lanes_a_ns, 1, 0.15) << pattern.lanes_a_ns;
  }
}
