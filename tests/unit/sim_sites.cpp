// What each machine instruction executed, on a kernel of which a person can count it
// (tests/golden/sim/sites.cu), and that the instructions add up to the launch's counters.
#include <fstream>
#include <span>

#include "kernel/machine_code.h"
#include "sim/decode_sass/pipes.h"
#include "sim/machine_code.h"
#include "sim_bench.h"

namespace headroom {

void PrintTo(const InstructionCounts& counts, std::ostream* out) {
  for (const InstructionCountField& field : instruction_count_fields())
    if (counts.*field.value) *out << field.name << " " << counts.*field.value << " ";
}

namespace sim {
namespace {

constexpr int some = 10;  // lanes that write twice

std::shared_ptr<const sass::Module> code() {
  std::ifstream file(SITES, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return std::make_shared<sass::Module>(
      read_machine_code({std::as_bytes(std::span(bytes)), "sites.cubin"}));
}

struct Counted {
  MachineListing listing;
  Outcome outcome;

  explicit Counted(unsigned blocks, unsigned threads = 1) {
    Bench bench("ret;", ".param .u64 in, .param .u64 out, .param .u32 some");
    bench.grid.x = blocks;
    bench.pass(bench.allocate<int>(256));
    bench.pass(bench.allocate<int>(64));
    bench.pass(some);
    const auto program =
        decode(bench.module, code(), "sites", MachineOptions{.static_shared = 32 * 32 * 4});
    Options options;
    options.sites = true;
    options.threads = threads;
    outcome = simulate(*program, bench.launch(), bench.memory, bench.limits, options);
    EXPECT_TRUE(outcome.completed);
    listing = listing_of(*program);
    EXPECT_EQ(listing.instructions.size(), outcome.sites.size());
  }

  // The instructions of a line in whose text it is found: of most there is one.
  std::vector<InstructionCounts> at(uint32_t line, const std::string& text) const {
    std::vector<InstructionCounts> found;
    for (size_t i = 0; i < listing.instructions.size(); ++i) {
      const MachineInstruction& each = listing.instructions[i];
      if (each.line == line && each.text.find(text) != each.text.npos)
        found.push_back(outcome.sites[i]);
    }
    return found;
  }
  AccessExample example(uint32_t line, const std::string& text) const {
    for (const AccessExample& each : outcome.examples) {
      const MachineInstruction& of = listing.instructions[each.instruction];
      if (of.line == line && of.text.find(text) != of.text.npos) return each;
    }
    ADD_FAILURE() << text << " has none";
    return {};
  }
  InstructionCounts only(uint32_t line, const std::string& text) const {
    const auto found = at(line, text);
    EXPECT_EQ(found.size(), 1u) << text;
    return found.empty() ? InstructionCounts{} : found[0];
  }
};

constexpr uint64_t warps = 3;
constexpr uint64_t rounds = 32;                  // of the loop: its last lane's
constexpr uint64_t lanes_in_loop = 32 * 33 / 2;  // lane k goes round it k + 1 times

TEST(Sites, know_the_source_lines) {
  const Counted counted(1);
  ASSERT_EQ(counted.listing.files.size(), 1u);
  EXPECT_TRUE(counted.listing.files[0].ends_with("tests/golden/sim/sites.cu"));
  EXPECT_EQ(counted.listing.instructions[0].address, 0u);
  EXPECT_EQ(counted.listing.instructions[3].address, 48u);
  EXPECT_EQ(counted.listing.instructions[0].line, 4u);
}

TEST(Sites, count_sectors_of_one_load) {
  const InstructionCounts load = Counted(warps).only(7, "LDG");
  EXPECT_EQ(load, (InstructionCounts{.executed = warps,
                                     .threads = 32 * warps,
                                     .threads_on = 32 * warps,
                                     .requests = warps,
                                     .sectors = 32 * warps}));
}

TEST(Sites, count_wavefronts_of_one_store) {
  const InstructionCounts store = Counted(warps).only(7, "STS");
  EXPECT_EQ(store, (InstructionCounts{.executed = warps,
                                      .threads = 32 * warps,
                                      .threads_on = 32 * warps,
                                      .shared_requests = warps,
                                      .wavefronts = 32 * warps,
                                      .conflicts = 31 * warps}));
}

TEST(Sites, count_lanes_of_a_loop_that_they_leave_one_by_one) {
  const Counted counted(warps);
  EXPECT_EQ(counted.only(10, "LDS"), (InstructionCounts{.executed = rounds * warps,
                                                        .threads = lanes_in_loop * warps,
                                                        .threads_on = lanes_in_loop * warps,
                                                        .shared_requests = rounds * warps,
                                                        .wavefronts = rounds * warps}));
  const auto branches = counted.at(10, "BRA");
  ASSERT_EQ(branches.size(), 2u);  // round it, where no lane goes round, and back
  EXPECT_EQ(branches[0],
            (InstructionCounts{.executed = warps, .threads = 32 * warps, .threads_on = 0}));
  EXPECT_EQ(branches[1], (InstructionCounts{.executed = rounds * warps,
                                            .threads = lanes_in_loop * warps,
                                            .threads_on = (lanes_in_loop - 32) * warps,
                                            .divergent = 31 * warps}));
  // Once for every lane that comes, as hardware counts it.
  EXPECT_EQ(counted.only(10, "BSYNC"),
            (InstructionCounts{
                .executed = rounds * warps, .threads = 32 * warps, .threads_on = 32 * warps}));
}

TEST(Sites, keep_the_access_that_cost_most) {
  const Counted counted(warps);
  const AccessExample load = counted.example(7, "LDG"), store = counted.example(7, "STS");
  EXPECT_FALSE(load.shared);
  EXPECT_EQ(load.use, "load");
  EXPECT_EQ(load.bytes, 4);
  EXPECT_EQ(load.mask, ~0u);
  EXPECT_EQ(load.sectors, 32u);
  EXPECT_TRUE(store.shared);
  EXPECT_EQ(store.use, "store");
  EXPECT_EQ(store.wavefronts, 32u);
  EXPECT_EQ(store.conflicts, 31u);
  EXPECT_EQ(store.first, 0u);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(load.offset[size_t(lane)], 32 * lane);
    EXPECT_EQ(store.offset[size_t(lane)], 128 * lane);
  }
  EXPECT_EQ(counted.example(10, "LDS").mask, ~0u) << "of equal ones the first: all lanes";
  EXPECT_EQ(counted.example(11, "STG").mask, (1u << some) - 1);
}

TEST(Sites, tell_lanes_whose_guard_holds) {
  const Counted counted(warps);
  const InstructionCounts guarded = counted.only(11, "STG");
  EXPECT_EQ(guarded, (InstructionCounts{.executed = warps,
                                        .threads = 32 * warps,
                                        .threads_on = some * warps,
                                        .requests = warps,
                                        .sectors = 2 * warps}));
  EXPECT_EQ(counted.only(12, "STG").sectors, 4 * warps);
}

TEST(Sites, add_up_to_the_counters_on_any_number_of_host_threads) {
  const Counted alone(200), together(200, 4);
  EXPECT_EQ(alone.outcome.sites, together.outcome.sites);
  EXPECT_EQ(alone.outcome.examples, together.outcome.examples);
  InstructionCounts sum{};
  for (const InstructionCounts& each : together.outcome.sites) add(sum, each);
  const Counters& c = together.outcome.counters;
  EXPECT_EQ(sum.executed, c.warp_instructions);
  EXPECT_EQ(sum.threads, c.thread_instructions);
  EXPECT_EQ(sum.divergent, c.divergent_branches);
  EXPECT_EQ(sum.requests, c.global_load_requests + c.global_store_requests);
  EXPECT_EQ(sum.sectors, c.global_load_sectors + c.global_store_sectors);
  EXPECT_EQ(sum.shared_requests, c.shared_load_instructions + c.shared_store_instructions);
  EXPECT_EQ(sum.wavefronts, c.shared_load_wavefronts + c.shared_store_wavefronts);
  EXPECT_EQ(sum.conflicts, c.shared_load_conflicts + c.shared_store_conflicts);
}

TEST(Pipes, have_the_instructions_that_run_on_them) {
  const Counted counted(warps);
  const auto code_of_kernel = code();
  const auto& instructions = code_of_kernel->functions[0].instructions;
  ASSERT_GE(instructions.size(), counted.outcome.sites.size());
  for (const PipeRow& row : pipes) {
    uint64_t sum = 0;
    for (size_t i = 0; i < counted.outcome.sites.size(); ++i)
      for (const Pipe pipe : pipes_of(instructions[i], 90))
        sum += pipe == row.pipe ? counted.outcome.sites[i].executed : 0;
    EXPECT_EQ(counted.outcome.counters.*row.counter.value, sum) << row.title;
  }
  const Counters& c = counted.outcome.counters;
  // EXIT once a warp, BSSY and BSYNC of the loop: BSYNC once for every lane that comes.
  EXPECT_EQ(c.pipe_cbu, warps * (1 + 1 + rounds));
  EXPECT_GE(c.pipe_lsu, c.global_load_requests + c.global_store_requests +
                            c.shared_load_instructions + c.shared_store_instructions);
}

std::vector<Pipe> of(sass::Instruction instruction, int architecture = 90) {
  const auto found = pipes_of(instruction, architecture);
  return {found.begin(), found.end()};
}

TEST(Pipes, depend_on_modifiers_operands_and_architecture) {
  sass::Operand reg{.kind = sass::OperandKind::reg}, label{.kind = sass::OperandKind::label};
  sass::Operand thread{.kind = sass::OperandKind::special, .text = "SR_TID.X"};
  sass::Operand block{.kind = sass::OperandKind::special, .text = "SR_CTAID.X"};
  using P = std::vector<Pipe>;
  EXPECT_EQ(of({.opcode = "S2R", .operands = {reg, thread}}), P{Pipe::lsu});
  EXPECT_EQ(of({.opcode = "S2R", .operands = {reg, block}}), P{Pipe::adu});
  EXPECT_EQ(of({.opcode = "CALL", .operands = {label}}), P{Pipe::cbu});
  EXPECT_EQ(of({.opcode = "CALL", .operands = {reg}}), (P{Pipe::adu, Pipe::cbu}));
  EXPECT_EQ(of({.opcode = "BRA", .operands = {label}}), P{});
  EXPECT_EQ(of({}), P{}) << "an encoding that is not known";
  EXPECT_EQ(of({.opcode = "HFMA2", .operands = {reg}}), P{Pipe::fma});
  EXPECT_EQ(of({.opcode = "HFMA2", .operands = {reg}}, 80), P{Pipe::fp16});
  EXPECT_EQ(of({.opcode = "HFMA2", .modifiers = {".MMA"}, .operands = {reg}}, 80), P{Pipe::tensor});
}

TEST(Sites, are_not_counted_of_ptx) {
  Bench bench("ret;");
  Options options;
  options.sites = true;
  bench.pass(uint64_t(0));
  const Outcome outcome =
      simulate(*decode(bench.module, "k"), bench.launch(), bench.memory, bench.limits, options);
  EXPECT_TRUE(outcome.sites.empty());
}

}  // namespace
}  // namespace sim
}  // namespace headroom
