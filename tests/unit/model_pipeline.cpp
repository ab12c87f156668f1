// The pipeline, on traces made by hand: what each of its parts costs.
#include <gtest/gtest.h>

#include <map>

#include "machine/machine.h"
#include "model/pipeline/atomics.h"
#include "model/pipeline/evidence.h"
#include "model/pipeline/matrix_product.h"
#include "model/pipeline/sm.h"
#include "record/pipe.h"

using namespace headroom;

namespace {

sass::Operand reg(uint16_t index, bool written = false, bool reuse = false) {
  sass::Operand operand;
  operand.index = index;
  operand.written = written;
  operand.reuse = reuse;
  return operand;
}

sass::Instruction instruction(std::string_view opcode, std::vector<sass::Operand> operands,
                              sass::Control control) {
  sass::Instruction made;
  made.opcode = opcode;
  made.operands = std::move(operands);
  for (uint8_t slot = 0; sass::Operand & operand : made.operands)
    if (!operand.written && slot < sass::no_slot) operand.slot = slot++;
  made.control = control;
  return made;
}

// A kernel of straight line code, which every warp executes `times`.
class Played {
 public:
  explicit Played(const std::string& machine = "h200") : machine_(load_machine(machine)) {}
  void add(sass::Instruction instruction, std::optional<Pipe> pipe = {}) {
    function_->instructions.push_back(std::move(instruction));
    pipes_.push_back(pipe ? uint16_t(1u << int(*pipe)) : uint16_t(0));
  }
  void fma(uint16_t a, uint16_t b, uint16_t c, uint8_t stall) {
    add(instruction("FFMA", {reg(20, true), reg(a), reg(b), reg(c)}, {.stall = stall}), Pipe::fma);
  }
  void rename(uint16_t to, uint16_t from) {  // an instruction that stands for none
    add(instruction("MOV", {reg(to, true), reg(from)}, {}), Pipe::alu);
    times_[pipes_.size() - 1] = 0;
  }
  void access(uint32_t instruction, TracedAccess access, std::vector<uint64_t> sectors = {}) {
    access.instruction = instruction;
    access.sectors = uint32_t(sectors.size());
    accesses_.push_back({access, sectors});
  }

  SmRun run(int blocks, int warps, int times, Relief relief = {}, int resident = 0) {
    Trace trace;
    trace.sections = {function_};
    trace.likely = likely_;
    trace.meets_grid = meets_grid_;
    for (size_t i = 0; i < pipes_.size(); ++i)
      trace.code.push_back(
          {&function_->instructions[i], pipes_[i], times_.contains(i) ? times_.at(i) : uint8_t(1)});
    trace.basic_blocks = {{0, uint32_t(pipes_.size() - 1)}};
    for (int b = 0; b < blocks; ++b) {
      TracedBlock& block = trace.blocks.emplace_back();
      for (int w = 0; w < warps; ++w) add_warp(block, times);
    }
    const std::vector<InstructionTiming> code = timings(trace, machine_);
    SmTask task{trace, code, machine_, supply_, resident ? resident : blocks};
    task.relief = relief;
    return play(task);
  }
  Supply supply_;
  bool likely_ = false;  // without control words
  bool meets_grid_ = false;
  bool only_first_ = false;  // accesses: what is executed later does none

 private:
  void add_warp(TracedBlock& block, int times) {
    TracedWarp& warp = block.warps.emplace_back();
    for (int t = 0; t < times; ++t) {
      warp.entered.push_back({0, 32});
      for (const auto& [access, sectors] : accesses_) {
        if (t > 0 && only_first_) break;
        TracedAccess& made = warp.accesses.emplace_back(access);
        made.entry = uint32_t(t);
        made.first_sector = uint32_t(block.sectors.size());
        if (access.kind == AccessKind::arrival || access.kind == AccessKind::phase) {
          made.first_sector = 0;  // the block's only mbarrier, a phase a time
          made.sectors = uint32_t(t);
          if (block.arrivals.empty()) block.arrivals.emplace_back(size_t(times));
          block.arrivals[0][size_t(t)] += access.kind == AccessKind::arrival;
        }
        for (const uint64_t sector : sectors) block.sectors.push_back(sector + next_);
      }
      next_ += 1000;
    }
    warp.traced = warp.executed = uint64_t(times) * pipes_.size();
  }

  const Machine machine_;
  std::shared_ptr<sass::Function> function_ = std::make_shared<sass::Function>();
  std::vector<uint16_t> pipes_;
  std::map<size_t, uint8_t> times_;  // where they are not 1
  std::vector<std::pair<TracedAccess, std::vector<uint64_t>>> accesses_;
  uint64_t next_ = 0;
};

double cycles_of(const SmRun& run) { return run.cycles; }

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

TEST(Pipeline, a_dependent_chain_takes_its_latency) {
  Played kernel;
  for (int i = 0; i < 100; ++i) kernel.fma(1, 2, 255, 4);
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 10)), 4000, 40);
  // Four warps of four sub-partitions take no longer; eight of one sub-partition fill its cycles.
  EXPECT_NEAR(cycles_of(kernel.run(1, 4, 10)), 4000, 40);
  EXPECT_NEAR(cycles_of(kernel.run(1, 16, 10)), 4000, 80);
  EXPECT_NEAR(cycles_of(kernel.run(1, 32, 10)), 8000, 80);
  const SmRun run = kernel.run(1, 1, 10);
  EXPECT_NEAR(run.stalls[size_t(Stall::wait)] / double(run.issued), 3, 0.1);
}

// Measured on an H200: half of the peak where two of three operands lie in one bank (sources: results/h200/latency.json).
TEST(Pipeline, two_operands_of_one_bank_take_two_cycles) {
  Played apart, together, same;
  apart.fma(1, 2, 255, 4);
  together.fma(2, 4, 1, 4);
  same.fma(2, 2, 2, 4);
  EXPECT_NEAR(cycles_of(apart.run(1, 32, 1000)), 8000, 60);
  EXPECT_NEAR(cycles_of(together.run(1, 32, 1000)), 16000, 60);
  EXPECT_NEAR(cycles_of(same.run(1, 32, 1000)), 8000, 60);
  EXPECT_NEAR(cycles_of(together.run(1, 32, 1000, {.register_banks = true})), 8000, 60);
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

TEST(Pipeline, who_waits_for_a_load_waits_for_its_place) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {0, 1, 2, 3});
  const double from_l2 = cycles_of(kernel.run(1, 1, 100)) / 100;
  EXPECT_NEAR(from_l2, 280, 20);
  kernel.supply_.in_l2 = 0;
  const SmRun cold = kernel.run(1, 1, 100);
  EXPECT_GT(cold.cycles / 100, 690);
  EXPECT_GT(cold.stalls[size_t(Stall::long_scoreboard)], 0.9 * cold.cycles);
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

// Two results that come together: who has waited for one of them has waited for both.
TEST(Pipeline, a_latency_halved_is_halved_for_all_who_wait) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.add(instruction("LDG", {reg(4, true)}, {.stall = 1, .write_barrier = 1}), Pipe::lsu);
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  kernel.add(instruction("FADD", {reg(3, true), reg(4), reg(3)}, {.stall = 4, .wait_mask = 2}),
             Pipe::fma);
  for (const uint32_t load : {0u, 1u})
    kernel.access(load, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {4 * load});
  const double all = cycles_of(kernel.run(1, 1, 100));
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 100, {.latency = 2})), all / 2, 0.05 * all);
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 100, {.latency = 8})), all / 8, 0.05 * all);
}

TEST(Pipeline, the_first_atomic_is_noted) {
  Played kernel;
  for (int i = 0; i < 100; ++i) kernel.fma(1, 2, 255, 4);
  kernel.add(instruction("RED", {}, {.stall = 1}), Pipe::lsu);
  kernel.access(
      100, {.kind = AccessKind::global_atomic, .bytes = 4, .lanes = 32, .same_address = 1}, {0});
  EXPECT_NEAR(kernel.run(1, 1, 1).first_atomic, 400, 20);
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

TEST(Pipeline, bank_conflicts_take_a_pass_each) {
  Played kernel;
  kernel.add(instruction("LDS", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.access(0, {.kind = AccessKind::shared_load,
                    .bytes = 4,
                    .lanes = 32,
                    .wavefronts = 32,
                    .conflicts = 31});
  EXPECT_NEAR(cycles_of(kernel.run(1, 8, 100)), 8 * 100 * 32, 100);
  EXPECT_LT(cycles_of(kernel.run(1, 8, 100, {.bank_conflicts = true})), 8 * 100 * 2.5);
}

// Measured on an H200: 13.4 + 2 W cycles for W warps.
TEST(Pipeline, a_barrier_waits_for_the_last_warp) {
  Played kernel;
  kernel.add(instruction("BAR", {}, {.stall = 1}), Pipe::adu);
  const double not_reached = cycles_of(kernel.run(1, 32, 100)) / 100;  // its guard is false
  kernel.access(0, {.kind = AccessKind::barrier});
  EXPECT_LT(not_reached, 20);
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 100)) / 100, 15, 3);
  EXPECT_NEAR(cycles_of(kernel.run(1, 32, 100)) / 100, 77, 6);
  EXPECT_LT(cycles_of(kernel.run(1, 32, 100, {.barriers = true})) / 100, 20);
}

// Two warps wait at barriers of two that others, whose trace has ended, do not reach any more.
TEST(Pipeline, a_barrier_that_nobody_opens_opens) {
  Played kernel;
  sass::Operand one, of_64;
  one.kind = of_64.kind = sass::OperandKind::immediate;
  one.value = 1;
  of_64.value = 64;
  kernel.add(instruction("BAR", {one, of_64}, {.stall = 1}), Pipe::adu);
  kernel.access(0, {.kind = AccessKind::barrier, .wavefronts = 1});
  kernel.add(instruction("BAR", {one, of_64}, {.stall = 1}), Pipe::adu);
  kernel.access(1, {.kind = AccessKind::barrier, .wavefronts = 2});
  EXPECT_LT(cycles_of(kernel.run(1, 3, 101)), 101 * 100);
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

TEST(Pipeline, blocks_follow_one_another) {
  Played kernel;
  kernel.fma(1, 2, 4, 4);
  const double one = cycles_of(kernel.run(1, 4, 1000));
  EXPECT_GT(cycles_of(kernel.run(4, 4, 1000, {}, 1)), 4 * one);
  EXPECT_LT(cycles_of(kernel.run(4, 4, 1000, {}, 4)), 1.5 * one);
}

// Measured on an H200: chains of additions of 768 threads in one block take as long as six warps that share a
// sub-partition's slots evenly (results/h200/latency.json).
TEST(Pipeline, warps_of_a_block_share_the_slots_evenly) {
  Played kernel;
  for (int i = 0; i < 100; ++i) kernel.fma(1, 2, 255, 4);
  EXPECT_NEAR(cycles_of(kernel.run(1, 24, 10)), 6000, 150);
}

// Three warps of a sub-partition that may issue every second cycle want three slots of two.
TEST(Pipeline, the_block_that_began_first_goes_first) {
  Played kernel;
  for (int i = 0; i < 100; ++i) kernel.fma(1, 2, 255, 2);
  const SmRun run = kernel.run(3, 4, 100);
  EXPECT_NEAR(run.ends[0], 20000, 500);
  EXPECT_NEAR(run.ends[1], 20000, 1000);
  EXPECT_NEAR(run.ends[2], 40000, 1000);
  EXPECT_NEAR(cycles_of(kernel.run(1, 12, 100)), 30000, 300);
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

TEST(Pipeline, another_name_of_a_value_takes_no_time) {
  const auto chain = [](bool renames) {
    Played kernel;
    kernel.likely_ = true;
    for (int i = 0; i < 100; ++i) {
      kernel.add(instruction("FFMA", {reg(1, true), reg(renames ? 2 : 1), reg(90), reg(91)}, {}),
                 Pipe::fma);
      if (renames) kernel.rename(2, 1);
    }
    return kernel.run(1, 1, 10);
  };
  EXPECT_NEAR(chain(true).cycles, chain(false).cycles, 1);
  EXPECT_EQ(chain(true).issued, chain(false).issued);
}

// What a copy brings is there when it and its copy's way have been gone; the copies of a round wait for one another.
TEST(Pipeline, who_waits_for_a_phase_waits_for_its_copies) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("UBLKCP", {}, {.stall = 2}));
  kernel.add(instruction("SYNCS", {}, {.stall = 2}), Pipe::lsu);
  std::vector<uint64_t> sectors(128);  // 4 KiB
  for (size_t i = 0; i < sectors.size(); ++i) sectors[i] = i;
  kernel.access(0, {.kind = AccessKind::bulk}, sectors);
  kernel.access(0, {.kind = AccessKind::arrival});
  kernel.access(1, {.kind = AccessKind::phase});
  const SmRun run = kernel.run(1, 1, 10);
  const double bytes = 4096 / kernel.supply_.l2_bytes;
  EXPECT_GT(cycles_of(run), 10 * (kernel.supply_.l2_latency + bytes));
  EXPECT_LT(cycles_of(run), 10 * (kernel.supply_.l2_latency + bytes + 250));
  EXPECT_GT(run.stalls[size_t(Stall::long_scoreboard)], 0.9 * cycles_of(run));
}

TEST(Pipeline, the_last_arrival_ends_a_phase) {
  Played kernel;
  kernel.add(instruction("SYNCS", {}, {.stall = 2}), Pipe::lsu);  // arrives
  kernel.add(instruction("SYNCS", {}, {.stall = 2}), Pipe::lsu);  // waits
  kernel.access(0, {.kind = AccessKind::arrival});
  kernel.access(1, {.kind = AccessKind::phase});
  const double one = cycles_of(kernel.run(1, 1, 100)), many = cycles_of(kernel.run(1, 16, 100));
  EXPECT_NEAR(one, 100 * 24, 50);
  EXPECT_GT(many, one);  // 16 warps take turns at arriving
  EXPECT_LT(many, 3 * one);
}

TEST(Pipeline, a_phase_that_nobody_ends_ends) {
  Played kernel;
  kernel.add(instruction("SYNCS", {}, {.stall = 2}), Pipe::lsu);
  kernel.access(0, {.kind = AccessKind::phase});
  EXPECT_LT(cycles_of(kernel.run(1, 4, 10)), 2000);
}

// Products of a warpgroup are under way while its warps go on; m64n256k16 takes 128 cycles of four tensor cores.
TEST(Pipeline, products_of_a_warpgroup_are_waited_for_by_groups) {
  const auto products = [](bool waits) {
    Played kernel;
    sass::Instruction multiply = instruction("HGMMA", {}, {.stall = 1});
    multiply.modifiers = {".64x256x16", ".F32"};
    sass::Operand commits;
    commits.kind = sass::OperandKind::word;
    commits.text = "gsb";
    multiply.operands = {commits};
    kernel.add(multiply, Pipe::tensor);
    sass::Instruction wait = instruction("WARPGROUP", {}, {.stall = 1});
    wait.modifiers = {".DEPBAR", ".LE"};
    if (waits) kernel.add(wait);
    return kernel.run(1, 4, 20);
  };
  EXPECT_NEAR(cycles_of(products(true)), 20 * (128 + 7), 20);  // and the loop's branch
  EXPECT_GT(products(true).stalls[size_t(Stall::gmma)], 4 * 20 * 100);
  EXPECT_EQ(products(false).stalls[size_t(Stall::gmma)], 0);
}

// The blocks of an SM come to the barrier of a cooperative grid together.
TEST(Pipeline, a_grid_waits_for_the_last_block) {
  Played kernel;
  kernel.meets_grid_ = true;
  for (int i = 0; i < 10; ++i) kernel.fma(1, 2, 255, 4);
  kernel.add(instruction("BRA", {}, {.stall = 5}));
  kernel.access(10, {.kind = AccessKind::grid});
  const SmRun run = kernel.run(4, 1, 10);
  EXPECT_GT(cycles_of(run), 10 * kernel.supply_.l2_latency);
  EXPECT_GT(run.stalls[size_t(Stall::long_scoreboard)], 4 * 9 * kernel.supply_.l2_latency);
}

// A warp that waits for memory to begin with, and no more when its trace has ended.
TEST(Pipeline, the_rest_of_a_warp_goes_on_as_the_later_part_of_its_trace) {
  Played kernel;
  kernel.only_first_ = true;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  for (int i = 0; i < 98; ++i) kernel.fma(3, 4, 255, 1);
  kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {0, 1, 2, 3});
  const SmRun traced = kernel.run(1, 8, 10);
  const double all = cycles_of(kernel.run(1, 8, 100)), part = cycles_of(traced);
  EXPECT_NEAR(part * (1 + 9 * pace_of_rest(traced, 1)) / all, 1, 0.03);
  EXPECT_GT(10 * part / all, 1.2);
}

// Two warps; the first lane of the first one works for the block, half of the second one's lanes go apart.
TEST(Evidence, what_a_thread_does_for_its_block_is_no_divergence) {
  Trace trace;
  trace.code.resize(3);
  trace.basic_blocks = {{0, 0}, {1, 1}, {2, 2}};
  TracedWarp first, second;
  first.entered = {{0, 32}, {1, 1}, {0, 32}};
  second.entered = {{0, 32}, {2, 16}, {0, 32}};
  trace.blocks.push_back({0, {first, second}, {}, {}});
  const Evidence evidence(trace);
  EXPECT_EQ(evidence.of_one_thread, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(evidence.lost_lanes.total, 0.5);
  EXPECT_EQ(evidence.diverging.total, 1);
  trace.blocks[0].warps[1].entered[1] = {1, 1};  // a lane of each warp
  EXPECT_FALSE(Evidence(trace).of_one_thread[1]);
}

TEST(Pipeline, the_use_of_a_value_that_is_left_out_still_waits_for_it) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  for (int i = 0; i < 200; ++i) kernel.fma(3, 4, 255, 4);
  kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {0, 1, 2, 3});
  const double all = cycles_of(kernel.run(1, 1, 10)),
               memory = cycles_of(kernel.run(1, 1, 10, {.arithmetic = true})),
               arithmetic = cycles_of(kernel.run(1, 1, 10, {.memory = true}));
  EXPECT_NEAR(memory, 9 * 285, 9 * 15);  // the last one is used by nobody
  EXPECT_NEAR(arithmetic, 10 * 804, 100);
  EXPECT_NEAR(all, memory + arithmetic, 300);
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

// for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
TEST(Evidence, loops_that_go_by_the_size_of_the_grid) {
  sass::Operand grid;
  grid.kind = sass::OperandKind::constant;
  grid.index = 0;
  grid.value = 0xc;
  const sass::Instruction reads = instruction("LDC", {reg(1, true), grid}, {});
  grid.value = 0x10;
  const sass::Instruction other = instruction("LDC", {reg(1, true), grid}, {});
  const auto strides = [](const sass::Instruction& first, std::vector<Entry> entered) {
    Trace trace;
    trace.code = {{&first}, {&first}};
    trace.basic_blocks = {{0, 0}, {1, 1}};
    TracedWarp warp;
    warp.entered = std::move(entered);
    trace.blocks.push_back({0, {warp}, {}, {}});
    return Evidence(trace).strides_over_grid;
  };
  EXPECT_TRUE(strides(reads, {{0, 32}, {1, 32}, {1, 32}}));
  EXPECT_FALSE(strides(reads, {{0, 32}, {1, 32}}));  // goes round nothing
  EXPECT_FALSE(strides(other, {{0, 32}, {1, 32}, {1, 32}}));
}
