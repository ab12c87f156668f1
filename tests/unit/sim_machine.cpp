// Kernels by the machine code that ptxas makes of their PTX: who waits for whom, where lanes come
// together, and what findings say.
#include <algorithm>
#include <bit>

#include "kernel/kernel.h"
#include "kernel/machine_code.h"
#include "sass/decode.h"
#include "sim/machine_code.h"
#include "sim/program.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// A kernel k(.param .u64 out) of PTX, assembled for sm_90a; `instead` stands in place of what ptxas makes.
class Machine {
 public:
  explicit Machine(const std::string& body, const std::string& before = "",
                   const std::string& options = "",
                   const std::vector<sass::Encoding>& instead = {}) {
    const std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n" + before +
                             "\n.visible .entry k(.param .u64 out)\n{\n" + body + "\n}\n";
    module = load_module(std::make_shared<ptx::Module>(ptx::parse(text, "test.ptx")), memory);
    std::vector<Caveat> caveats;
    const std::vector<std::byte> cubin = ptxas_code(text, 90, caveats, options);
    EXPECT_FALSE(cubin.empty()) << (caveats.empty() ? "" : caveats[0].cause);
    if (cubin.empty()) return;
    auto code = std::make_shared<sass::Module>(read_machine_code({cubin, "test.ptx"}));
    if (!instead.empty()) replace(code->functions.at(0), instead);
    const Resources needs = cubin_resources(cubin, "test.ptx").at("k");
    MachineOptions wishes;
    wishes.local_bytes = uint64_t(needs.stack.value_or(0));
    wishes.static_shared = uint64_t(needs.static_shared.value_or(0));
    program = decode(module, std::move(code), "k", wishes);
  }

  Outcome run(uint64_t hang_after = 0) {
    Launch launch;
    launch.shape = {.kernel = "k", .grid = grid, .block = block};
    launch.arguments.resize(8);
    std::memcpy(launch.arguments.data(), &out, 8);
    Options options;
    if (hang_after) options.hang_after = hang_after;
    return simulate(*program, launch, memory, limits, options);
  }

  size_t waiting_loops() const {
    return size_t(std::ranges::count(program->basic_blocks, true, &BasicBlock::spins));
  }

  Memory memory{1ull << 32};
  LoadedModule module;
  std::shared_ptr<const Program> program;
  Limits limits{4, 2, 1'000'000'000, 90};
  Dim3 grid{1, 1, 1}, block{32, 1, 1};
  uint32_t* out = words(1024);

 private:
  static void replace(sass::Function& function, const std::vector<sass::Encoding>& instead) {
    function.instructions.clear();
    function.blocks.clear();
    for (const sass::Encoding& each : instead)
      function.instructions.push_back(
          *sass::decode(each, function.instructions.size() * sass::instruction_bytes, 90));
  }

  uint32_t* words(size_t count) {
    auto* at = reinterpret_cast<uint32_t*>(*memory.allocate(count * 4));
    std::fill_n(at, count, 0);
    return at;
  }
};

const std::string start = std::string(thread_index) +
                          ".reg .b32 %t, %v, %n, %m; .reg .b64 %q; .reg .pred %r, %s, %u;"
                          "ld.param.u64 %q, [out]; cvta.to.global.u64 %q, %q;";

std::string said(const Outcome& outcome) {
  return outcome.findings.empty() ? "" : outcome.findings[0].what;
}

// ptxas makes VIMNMX3 of two in a row.
TEST(MachineCode, the_least_and_the_greatest_of_three) {
  const struct {
    const char* operation;
    uint32_t (*of)(int32_t, int32_t, int32_t);
  } all[] = {
      {"max.s32",
       [](auto a, auto b, auto c) {
         return uint32_t(std::max({a, b, c}));
       }},
      {"min.s32",
       [](auto a, auto b, auto c) {
         return uint32_t(std::min({a, b, c}));
       }},
      {"max.u32",
       [](auto a, auto b, auto c) {
         return std::max({uint32_t(a), uint32_t(b), uint32_t(c)});
       }},
      {"min.s32.relu",
       [](auto a, auto b, auto c) {
         return uint32_t(std::max(0, std::min({a, b, c})));
       }},
      {"max.s16x2",
       [](auto a, auto b, auto c) {
         const auto part = [&](int n) {
           return uint32_t(uint16_t(std::max({int16_t(a >> n), int16_t(b >> n), int16_t(c >> n)})));
         };
         return part(0) | part(16) << 16;
       }},
  };
  for (const auto& [operation, of] : all) {
    const std::string name = operation;
    Machine machine(start +
                    "ld.global.u32 %v, [%p]; ld.global.u32 %n, [%p+128];"
                    "ld.global.u32 %m, [%p+256];" +
                    name + " %t, %v, %n; " + name +
                    " %t, %t, %m; st.global.u32 [%p+384], %t; ret;");
    ASSERT_TRUE(
        std::ranges::any_of(machine.program->code->functions[0].instructions,
                            [](const sass::Instruction& each) { return each.opcode == "VIMNMX3"; }))
        << name;
    for (uint32_t i = 0; i < 96; ++i) machine.out[i] = i * 0x9e3779b9u;
    ASSERT_TRUE(machine.run().completed) << name;
    for (uint32_t i = 0; i < 32; ++i)
      EXPECT_EQ(machine.out[96 + i], of(int32_t(machine.out[i]), int32_t(machine.out[32 + i]),
                                        int32_t(machine.out[64 + i])))
          << name << " " << i;
  }
}

// And VHMNMX of halves. Those that are positive lie in the order of their bits; 0x7fff, which is no number, is left out or,
// by .NaN, is the result.
TEST(MachineCode, the_least_and_the_greatest_of_three_halves) {
  const auto of = [](bool least, bool keeps, std::array<uint32_t, 3> values) {
    uint32_t result = 0x7fff;
    for (const uint32_t value : values) {
      if (value == 0x7fff && keeps) return value;
      if (value == 0x7fff) continue;
      if (result == 0x7fff)
        result = value;
      else
        result = least ? std::min(result, value) : std::max(result, value);
    }
    return result;
  };
  for (const std::string name :
       {"min.f16x2", "max.f16x2", "min.NaN.f16x2", "max.bf16x2", "max.NaN.bf16x2"}) {
    Machine machine(start +
                    "ld.global.u32 %v, [%p]; ld.global.u32 %n, [%p+128];"
                    "ld.global.u32 %m, [%p+256];" +
                    name + " %t, %v, %n; " + name +
                    " %t, %t, %m; st.global.u32 [%p+384], %t; ret;");
    ASSERT_TRUE(
        std::ranges::any_of(machine.program->code->functions[0].instructions,
                            [](const sass::Instruction& each) { return each.opcode == "VHMNMX"; }))
        << name;
    for (uint32_t i = 0; i < 96; ++i) {
      const uint32_t random = i * 0x9e3779b9u;
      machine.out[i] = random & 0x3fff3fff;
      if (i % 7 == 0) machine.out[i] |= 0x7fff;
    }
    const std::vector<uint32_t> in(machine.out, machine.out + 96);
    ASSERT_TRUE(machine.run().completed) << name;
    for (uint32_t i = 0; i < 32; ++i)
      for (const int half : {0, 16}) {
        const auto at = [&](uint32_t word) { return in[word] >> half & 0xffff; };
        EXPECT_EQ(machine.out[96 + i] >> half & 0xffff,
                  of(name.starts_with("min"), name.find("NaN") != std::string::npos,
                     {at(i), at(32 + i), at(64 + i)}))
            << name << " " << i;
      }
  }
}

TEST(MachineCode, a_loop_waits_if_what_others_write_decides_when_it_is_left) {
  const std::string loop = start + "mov.u32 %n, 0; mov.u32 %v, 0; LOOP: add.u32 %n, %n, 1;";
  const std::string end = "@%r bra LOOP; st.global.u32 [%p+128], %v; ret;";
  const std::string counted = "setp.lt.u32 %r, %n, %i;" + end;
  const auto waiting = [](const std::string& body) { return Machine(body).waiting_loops(); };
  EXPECT_EQ(waiting(loop + "ld.volatile.global.u32 %t, [%q]; setp.eq.u32 %r, %t, 0;" + end), 1u);
  EXPECT_EQ(waiting(loop + "ld.acquire.gpu.u32 %t, [%q]; setp.eq.u32 %r, %t, 0;" + end), 1u);
  EXPECT_EQ(waiting(loop + "atom.global.add.u32 %t, [%q], 1; add.u32 %v, %v, %t;" + counted), 0u);
  EXPECT_EQ(waiting(loop + "atom.global.or.b32 %t, [%q], 1; setp.ne.u32 %r, %t, 7;" + end), 1u);
  // … for all threads of the block alike
  EXPECT_EQ(waiting(loop +
                    "ld.relaxed.gpu.global.u32 %t, [%q]; setp.eq.u32 %s, %t, 0;"
                    "barrier.cta.red.or.pred %r, 0, %s;" +
                    end),
            1u);
  EXPECT_EQ(waiting(loop +
                    "ld.relaxed.gpu.global.u32 %t, [%q]; add.u32 %v, %v, %t;"
                    "setp.lt.u32 %s, %n, 7; barrier.cta.red.or.pred %r, 0, %s;" +
                    end),
            0u);
}

TEST(MachineCode, a_flag_set_behind_the_loop_ends_it) {
  Machine machine(start + R"(
    setp.eq.u32 %r, %i, 0; @%r bra SET;
  SPIN: ld.volatile.global.u32 %t, [%q]; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
  SET: @%r st.volatile.global.u32 [%q], 1; ret;)");
  const Outcome outcome = machine.run();
  EXPECT_TRUE(outcome.completed) << said(outcome);
  EXPECT_EQ(machine.out[0], 1u);
}

TEST(MachineCode, lanes_of_a_warp_take_a_lock_by_turns) {
  for (const std::string space : {"global", "shared"}) {
    const std::string lock = space == "global" ? "%q" : "lock", sum = lock + "+4";
    Machine machine(start + R"(.shared .align 8 .b32 lock[2];)" + R"(
    setp.eq.u32 %r, %i, 0; @%r st.)" +
                    space + ".b32 [" + lock + "], 0; @%r st." + space + ".b32 [" + sum +
                    "], 0; bar.sync 0;" + R"(
  AGAIN: atom.)" + space +
                    ".cas.b32 %t, [" + lock + R"(], 0, 1; setp.ne.u32 %s, %t, 0; @%s bra AGAIN;
    ld.volatile.)" + space +
                    ".u32 %v, [" + sum + "]; add.u32 %v, %v, 1; st.volatile." + space + ".u32 [" +
                    sum + "], %v; fence.acq_rel.gpu; atom." + space + ".exch.b32 %t, [" + lock +
                    "], 0; bar.sync 0; ld.volatile." + space + ".u32 %v, [" + sum +
                    "]; st.global.u32 [%p+128], %v; ret;");
    machine.block = {64, 1, 1};
    const Outcome outcome = machine.run();
    EXPECT_TRUE(outcome.completed) << said(outcome);
    EXPECT_EQ(machine.out[40], 64u) << space;
  }
}

TEST(MachineCode, a_volatile_flag_in_shared_memory_is_waited_for) {
  Machine machine(start + R"(
    .shared .align 4 .u32 flag; setp.eq.u32 %r, %i, 0; @%r st.volatile.shared.u32 [flag], 0; bar.sync 0;
    setp.eq.u32 %r, %i, 63; @%r bra SET;
  SPIN: ld.volatile.shared.u32 %t, [flag]; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
  SET: @%r st.volatile.shared.u32 [flag], 5; st.global.u32 [%p], 9; ret;)");
  machine.block = {64, 1, 1};
  EXPECT_EQ(machine.waiting_loops(), 1u);
  const Outcome outcome = machine.run();
  EXPECT_TRUE(outcome.completed) << said(outcome);
  EXPECT_EQ(machine.out[12], 9u);
}

TEST(MachineCode, producers_and_consumers_hand_over_without_long_turns) {
  Machine machine(start + R"(
    .reg .b32 %b; mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x; setp.ne.u32 %r, %t, 0; @%r ret; mov.u32 %n, 0;
  ROUND: ld.acquire.gpu.global.u32 %t, [%q]; and.b32 %v, %t, 1; setp.ne.u32 %s, %v, %b; @%s bra ROUND;
    add.u32 %t, %t, 1; st.release.gpu.global.u32 [%q], %t; add.u32 %n, %n, 1; setp.lt.u32 %s, %n, 500; @%s bra ROUND; ret;)");
  machine.grid = {2, 1, 1};
  const Outcome outcome = machine.run();
  ASSERT_TRUE(outcome.completed) << said(outcome);
  EXPECT_EQ(machine.out[0], 1000u);
  EXPECT_LT(outcome.counters.warp_instructions, 1000u * 16 * 200);
}

TEST(MachineCode, a_lock_that_nobody_gives_back_is_a_hang_at_its_loop) {
  Machine machine(start + R"(
  SPIN: atom.global.cas.b32 %t, [%q], 0, 1; setp.ne.u32 %s, %t, 0; @%s bra SPIN; ret;)");
  const Outcome outcome = machine.run();
  ASSERT_FALSE(outcome.completed);
  const Finding& finding = outcome.findings.at(0);
  EXPECT_EQ(finding.kind, "hang");
  EXPECT_EQ(finding.cuda_error, 702);
  EXPECT_EQ(finding.address, reinterpret_cast<uint64_t>(machine.out));
  EXPECT_NE(finding.what.find("31 threads of 1 block loop forever"), std::string::npos)
      << finding.what;
  EXPECT_NE(finding.what.find("which hold 1"), std::string::npos) << finding.what;
  EXPECT_NE(finding.instruction.find("ATOMG"), std::string::npos) << finding.instruction;
}

TEST(MachineCode, a_flag_that_nobody_sets_is_a_hang_that_names_it) {
  Machine machine(start + R"(
  SPIN: ld.volatile.global.u32 %t, [%q+8]; setp.eq.u32 %s, %t, 0; @%s bra SPIN; ret;)");
  machine.out[2] = 0;
  const Outcome outcome = machine.run();
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings[0].address, reinterpret_cast<uint64_t>(machine.out + 2));
  EXPECT_NE(said(outcome).find("4 bytes at"), std::string::npos) << said(outcome);
}

TEST(MachineCode, a_loop_that_looks_at_the_clock_ends_when_its_time_is_up) {
  Machine machine(start + R"(
    .reg .b64 %a, %b; mov.u64 %a, %clock64; add.u64 %a, %a, 1000000000;
  SPIN: ld.volatile.global.u32 %t, [%q]; mov.u64 %b, %clock64; setp.gt.u64 %r, %b, %a; @%r bra END; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
  END: st.global.u32 [%p+4], 9; ret;)");
  const Outcome outcome = machine.run();
  ASSERT_TRUE(outcome.completed) << said(outcome);
  EXPECT_EQ(machine.out[1], 9u);
}

// As cuda::barrier's waits do: the longer it has waited, the longer it sleeps.
TEST(MachineCode, a_loop_that_sleeps_by_the_clock_is_a_hang_if_nobody_ends_it) {
  Machine machine(start + R"(
    .reg .b64 %a, %b; mov.u64 %a, %globaltimer;
  SPIN: ld.volatile.global.u32 %t, [%q+8]; setp.ne.u32 %s, %t, 0; @%s bra END;
    mov.u64 %b, %globaltimer; sub.u64 %b, %b, %a; shr.u64 %b, %b, 2; cvt.u32.u64 %t, %b;
    nanosleep.u32 %t; bra SPIN;
  END: ret;)");
  machine.out[2] = 0;
  const Outcome outcome = machine.run(10'000'000);
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(said(outcome).find("as far as can be seen"), std::string::npos) << said(outcome);
}

// A mask of the lanes that run, at the end of each of nested branches and of a loop.
TEST(MachineCode, lanes_that_parted_come_together_behind_each_branch) {
  Machine machine(start + R"(
    .reg .b32 %a, %b, %c, %d; mov.u32 %a, 0; mov.u32 %b, 0; mov.u32 %c, 0; mov.u32 %n, 0; mov.u32 %v, 0; mov.u32 %t, 0;
    and.b32 %m, %i, 1; setp.eq.u32 %r, %m, 0; @%r bra OUTER;
    and.b32 %m, %i, 2; setp.eq.u32 %s, %m, 0; @%s bra INNER;
    atom.global.add.u32 %v, [%q+2048], 1; bra MET;
  INNER: atom.global.add.u32 %v, [%q+2052], 2;
  MET: activemask.b32 %a;
  OUTER: activemask.b32 %b;
  LOOP: add.u32 %n, %n, 1; and.b32 %m, %n, 3; setp.eq.u32 %s, %m, %i; @%s atom.global.add.u32 %v, [%q+2056], %n;
    setp.lt.u32 %u, %n, %i; @%u bra LOOP;
    activemask.b32 %c;
    mul.wide.u32 %o, %i, 12; add.u64 %p, %p, %o; st.global.v4.u32 [%p], {%a, %b, %c, %n}; st.global.u32 [%q+3072], %v; ret;)");
  const Outcome outcome = machine.run();
  ASSERT_TRUE(outcome.completed) << said(outcome);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(machine.out[4 * i], i & 1 ? 0xaaaa'aaaau : 0u) << i;
    EXPECT_EQ(machine.out[4 * i + 1], 0xffff'ffffu) << i;
    EXPECT_EQ(machine.out[4 * i + 2], 0xffff'ffffu) << i;
    EXPECT_EQ(machine.out[4 * i + 3], std::max(i, 1u)) << i;
  }
}

// Lanes leave the loop from its middle (BREAK), and some the kernel.
TEST(MachineCode, lanes_that_leave_a_loop_in_the_middle_wait_behind_it) {
  Machine machine(start + R"(
    .reg .b32 %a; mov.u32 %n, 0; mov.u32 %v, 0;
  LOOP: add.u32 %n, %n, 1; setp.ge.u32 %r, %n, %i; @%r bra OUT;
    atom.global.add.u32 %t, [%q+2048], 1; setp.eq.u32 %s, %i, 30; @%s ret; and.b32 %m, %t, 1024; setp.ne.u32 %s, %m, 0; @%s bra OUT;
    atom.global.add.u32 %t, [%q+2052], 1; setp.lt.u32 %u, %n, 40; @%u bra LOOP;
  OUT: activemask.b32 %a; st.global.u32 [%p], %a; ret;)");
  const Outcome outcome = machine.run();
  ASSERT_TRUE(outcome.completed) << said(outcome);
  EXPECT_EQ(machine.out[0], 0xbfff'ffffu);
  EXPECT_EQ(machine.out[31], 0xbfff'ffffu);
  EXPECT_EQ(machine.out[30], 0u);
}

// Each lane names its own tile in a register: WARPSYNC.EXCLUSIVE, and BRA.DIV with .COLLECTIVE.
TEST(MachineCode, tiles_of_a_warp_vote_each_by_itself) {
  const std::string tile = start + R"(
    .reg .b32 %a, %b, %c; and.b32 %m, %i, 24; mov.u32 %t, 0xff; shl.b32 %m, %t, %m;
    and.b32 %t, %i, 5; setp.eq.u32 %r, %t, 1; shr.u32 %n, %i, 1;)";
  const std::string end = R"(
    mul.wide.u32 %o, %i, 12; add.u64 %p, %p, %o; st.global.v4.u32 [%p], {%a, %b, %c, %v}; ret;)";
  Machine each(tile + R"(
    vote.sync.ballot.b32 %a, %r, %m; match.any.sync.b32 %b, %n, %m; redux.sync.add.u32 %c, %i, %m;
    mov.u32 %v, 0;)" +
               end);
  Machine both(tile + R"(
    vote.sync.ballot.b32 %a, %r, %m; mov.u32 %v, 0; and.b32 %t, %a, 2; setp.eq.u32 %s, %t, 0; @%s bra LATER;
    vote.sync.ballot.b32 %v, !%r, %m;
  LATER: match.any.sync.b32 %b, %n, %m; redux.sync.add.u32 %c, %i, %m;)" +
               end);
  for (Machine* machine : {&each, &both}) {
    const Outcome outcome = machine->run();
    ASSERT_TRUE(outcome.completed) << said(outcome);
    for (uint32_t i = 0; i < 32; ++i) {
      const uint32_t first = i & 24;
      EXPECT_EQ(machine->out[4 * i], 0xau << first) << i;
      EXPECT_EQ(machine->out[4 * i + 1], 3u << (i & 30)) << i;
      EXPECT_EQ(machine->out[4 * i + 2], first * 8 + 28) << i;
      EXPECT_EQ(machine->out[4 * i + 3], machine == &both && first == 0 ? 0xf5u : 0u) << i;
    }
  }
}

// As an H200 does (CUDA 13.0): error 715 where a lane's mask lacks the lane itself; lanes of other
// masks vote one after the other.
TEST(MachineCode, a_mask_names_the_lane_that_gives_it) {
  const std::string lower = start + "mov.u32 %n, 1; shl.b32 %n, %n, %i; sub.u32 %n, %n, 1;",
                    whole = "mov.u32 %n, 2; shl.b32 %n, %n, %i; sub.u32 %n, %n, 1;";
  for (const std::string use : {"vote.sync.ballot.b32 %t, %r, %n;", "bar.warp.sync %n;",
                                "shfl.sync.idx.b32 %t, %i, 0, 31, %n;"}) {
    Machine machine(lower + "setp.eq.u32 %r, %i, 3; mov.u32 %t, 0;" + use +
                    "st.global.u32 [%p], %t; ret;");
    const Outcome outcome = machine.run();
    ASSERT_EQ(outcome.findings.size(), 1u) << use;
    EXPECT_EQ(outcome.findings[0].kind, "illegal_mask");
    EXPECT_EQ(outcome.findings[0].cuda_error, 715);
    EXPECT_EQ(outcome.findings[0].thread[0], 0u);
  }
  Machine machine(start + whole +
                  "and.b32 %t, %i, 1; setp.eq.u32 %r, %t, 1; vote.sync.ballot.b32 %t, %r, %n;"
                  "st.global.u32 [%p], %t; ret;");
  const Outcome outcome = machine.run();
  EXPECT_TRUE(outcome.completed) << said(outcome);
  EXPECT_EQ(machine.out[5], 1u << 5);
  EXPECT_EQ(machine.out[6], 0u);
}

TEST(MachineCode, the_side_of_a_branch_with_fewer_lanes_goes_first) {
  for (const uint32_t lanes_that_exchange : {3u, 20u}) {
    Machine machine(start + "setp.lt.u32 %r, %i, " + std::to_string(lanes_that_exchange) +
                    R"(; @%r bra A;
      atom.global.add.u32 %v, [%q+2048], 100; bra END;
    A: atom.global.max.u32 %v, [%q+2048], 50;
    END: st.global.u32 [%p], %v; ret;)");
    ASSERT_TRUE(machine.run().completed);
    EXPECT_EQ(machine.out[512], lanes_that_exchange < 16 ? 50 + 2900u : 1200u);
  }
}

// FMUL.D2 and .M4, of multiplications that do not say .rn.
TEST(MachineCode, a_product_times_a_power_of_two_is_one_instruction) {
  Machine machine(start + R"(
    .reg .f32 %x, %y; ld.global.f32 %x, [%p]; mul.f32 %x, %x, %x; mul.f32 %y, %x, 0f3F000000; mul.ftz.f32 %x, %y, %y;
    mul.sat.ftz.f32 %x, %x, 0f40800000; st.global.f32 [%p+128], %y; st.global.f32 [%p+256], %x; ret;)");
  const auto* numbers = reinterpret_cast<float*>(machine.out);
  for (uint32_t i = 0; i < 32; ++i) machine.out[i] = std::bit_cast<uint32_t>(float(i) * 0.1f);
  ASSERT_TRUE(machine.run().completed);
  EXPECT_FLOAT_EQ(numbers[32 + 30], 4.5f);
  EXPECT_FLOAT_EQ(numbers[64 + 8], 0.4096f);
  EXPECT_FLOAT_EQ(numbers[64 + 30], 1.0f);
}

// As an H100 has it: F2F.F64.F32 R2, -R4 and |R4|.
TEST(MachineCode, a_nan_keeps_its_sign_on_the_way_to_64_bits) {
  for (const uint32_t nan : {0x7fc12345u, 0xffc12345u}) {
    Machine machine(
        start +
        ".reg .f32 %f, %g, %h; .reg .f64 %d, %e; ld.global.f32 %f, [%q]; neg.f32 %g, %f;"
        "abs.f32 %h, %f; cvt.f64.f32 %d, %g; cvt.f64.f32 %e, %h; st.global.f64 [%q+8], %d;"
        "st.global.f64 [%q+16], %e;");
    machine.out[0] = nan;
    ASSERT_TRUE(machine.run().completed);
    EXPECT_EQ(machine.out[3] >> 31, nan >> 31);
    EXPECT_EQ(machine.out[5] >> 31, nan >> 31);
    machine.out[0] = 0x3f800000;  // 1
    ASSERT_TRUE(machine.run().completed);
    EXPECT_EQ(machine.out[3], 0xbff00000u);
    EXPECT_EQ(machine.out[5], 0x3ff00000u);
  }
}

TEST(MachineCode, a_finding_names_the_instruction_and_its_line) {
  const std::string far = start + "mul.wide.u32 %o, %i, 0x20000000; add.u64 %p, %p, %o;",
                    store = "st.global.u32 [%p], %i; ret;",
                    file = ".file 1 \"/somewhere/scale.cu\"\n";
  const Outcome without = Machine(far + store).run();
  ASSERT_FALSE(without.completed);
  const Finding& plain = without.findings[0];
  EXPECT_NE(plain.instruction.find("STG.E"), std::string::npos) << plain.instruction;
  EXPECT_NE(plain.source.find("machine code at 0x"), std::string::npos) << plain.source;
  EXPECT_NE(plain.source.find("-lineinfo"), std::string::npos) << plain.source;
  EXPECT_EQ(plain.thread[0], 1u);
  const Outcome with =
      Machine(".loc 1 7 3\n" + far + "\n.loc 1 8 3\n" + store, file, "-lineinfo").run();
  ASSERT_FALSE(with.completed);
  EXPECT_EQ(with.findings[0].source, "/somewhere/scale.cu:8");
}

//                                     even  odd  kept  cycles
//   FFMA R10, R4, R10, R6                3    0     0       3
//   FFMA R10, R4.reuse, R11, R6          2    1     0       2
//   MUFU.RCP R8, R5                      counts on another pipe
//   FFMA R12, R4, R13, R6                1    1     1       1
//   FFMA R12, R4, R4, RZ                 1    0     0       1
TEST(MachineCode, register_reads_are_counted_by_bank) {
  const auto ffma = [](uint64_t to, uint64_t a, uint64_t b, uint64_t c, uint64_t reuse) {
    return sass::Encoding{0x7223 | to << 16 | a << 24 | b << 32, c | 1ull << 41 | reuse << 58};
  };
  Machine machine("ret;", "", "",
                  {ffma(10, 4, 10, 6, 0),
                   ffma(10, 4, 11, 6, 1),
                   {0x0000000500087308, 0x000fe20000001000},
                   ffma(12, 4, 13, 6, 0),
                   ffma(12, 4, 4, 255, 0),
                   {0x000000000000794d, 0x000fea0003800000}});
  machine.block = {96, 1, 1};  // three warps
  const Outcome outcome = machine.run();
  ASSERT_TRUE(outcome.completed) << said(outcome);
  EXPECT_EQ(outcome.counters.warp_instructions, 3 * 6u);
  EXPECT_EQ(outcome.counters.register_reads_even, 3 * 7u);
  EXPECT_EQ(outcome.counters.register_reads_odd, 3 * 2u);
  EXPECT_EQ(outcome.counters.register_reads_reused, 3 * 1u);
  EXPECT_EQ(outcome.counters.register_bank_conflicts, 3 * 3u);
}

//        FFMA R10, R4, R11, RZ     R4 and R11 are read first, R10 is not
//   @P0  FFMA R12, R10, R4, RZ     R12 may be what it was
//        FFMA R13, R12, R10, RZ
TEST(MachineCode, registers_that_may_be_read_before_they_are_written_begin_with_zeros) {
  const auto ffma = [](uint64_t to, uint64_t a, uint64_t b, bool guarded) {
    return sass::Encoding{(guarded ? 0x0223 : 0x7223) | to << 16 | a << 24 | b << 32,
                          255 | 1ull << 41};
  };
  const sass::Encoding exit{0x000000000000794d, 0x000fea0003800000};
  const auto cleared = [](const Machine& machine) {
    std::vector<uint32_t> numbers;
    for (const Columns& each : machine.program->unset)
      for (uint32_t n = 0; each.bytes == 4 && n < each.count; ++n)
        numbers.push_back(each.at / 128 + n);
    return numbers;
  };
  const Machine guarded(
      "ret;", "", "",
      {ffma(10, 4, 11, false), ffma(12, 10, 4, true), ffma(13, 12, 10, false), exit});
  EXPECT_EQ(cleared(guarded), (std::vector<uint32_t>{4, 11, 12}));
  const Machine always(
      "ret;", "", "",
      {ffma(10, 4, 11, false), ffma(12, 10, 4, false), ffma(13, 12, 10, false), exit});
  EXPECT_EQ(cleared(always), (std::vector<uint32_t>{4, 11}));
  // More registers are read than are named: the pair R8, R9 and the vector R20 … R23.
  //   IMAD.HI.U32 R8, R13, R6, R8
  //   ATOMG.E.ADD.F32x4.FTZ.RN.STRONG.GPU PT, R8, desc[UR4][R2.64], R20
  const Machine pair("ret;", "", "", {{0x0000'0006'0d08'7227, 0x004fca000f8e0008}, exit});
  const Machine vector("ret;", "", "", {{0x0000'0014'0208'79a3, 0x002ea200081ef7c4}, exit});
  const auto clears = [&](const Machine& machine, uint32_t number) {
    return std::ranges::count(cleared(machine), number) == 1;
  };
  EXPECT_TRUE(clears(pair, 8) && clears(pair, 9));
  for (const uint32_t number : {2, 3, 20, 21, 22, 23})
    EXPECT_TRUE(clears(vector, number)) << "R" << number;
  EXPECT_EQ(guarded.program->unset.size(), 3u);  // predicates, R4, R11 and R12
}

//   BSSY B2, 0x10     BSYNC B2     what lies behind the predicates is cleared up to B2
TEST(MachineCode, barriers_that_are_named_begin_with_zeros) {
  const sass::Encoding exit{0x000000000000794d, 0x000fea0003800000};
  const Machine none("ret;", "", "", {exit});
  const Machine some(
      "ret;", "", "",
      {{0x0000000000027945, 0x000fe20003800000}, {0x0000000000027941, 0x000fea0003800000}, exit});
  const auto cleared = [](const Machine& machine) {
    return bytes_of(machine.program->unset.front());
  };
  EXPECT_EQ(cleared(some), cleared(none) + 3 * 128);
}

// A warp writes what the next one reads: on a GPU, where they run abreast, that comes after.
TEST(MachineCode, warps_that_run_abreast_read_before_others_write) {
  Machine machine(start + R"(
    ld.global.u32 %v, [%p+128]; add.u32 %v, %v, 1; st.global.u32 [%p+256], %v; ret;)");
  machine.block = {128, 1, 1};
  const Outcome outcome = machine.run();
  ASSERT_TRUE(outcome.completed) << said(outcome);
  for (uint32_t i = 64; i < 192; ++i) EXPECT_EQ(machine.out[i], 1u) << i;
}

TEST(MachineCode, a_function_that_calls_itself_has_a_stack) {
  Machine machine(start + R"(
    { .param .b32 given; .param .b32 got; st.param.b32 [given], %i; call (got), sum, (given); ld.param.b32 %v, [got]; }
    st.global.u32 [%p], %v; ret;)",
                  R"(
  .func (.param .b32 result) sum(.param .b32 count)
  {
    .reg .b32 %n, %s; .reg .pred %p; ld.param.b32 %n, [count]; mov.u32 %s, 0; setp.eq.u32 %p, %n, 0; @%p bra END;
    { .param .b32 given; .param .b32 got; sub.u32 %s, %n, 1; st.param.b32 [given], %s; call (got), sum, (given); ld.param.b32 %s, [got]; }
    add.u32 %s, %s, %n;
  END: st.param.b32 [result], %s; ret;
  })");
  const Outcome outcome = machine.run();
  ASSERT_TRUE(outcome.completed) << said(outcome);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(machine.out[i], i * (i + 1) / 2) << i;
}

}  // namespace
}  // namespace headroom::sim
