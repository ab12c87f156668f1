// Operations compiled to the host's vectors do what their handlers do, bit by bit: each alone, and in long
// lines in which registers stay in vectors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "sim/access_sums.h"
#include "sim/compiled/compile.h"
#include "sim/compiled/meanings.h"
#include "sim/engine.h"
#include "sim/machinery.h"
#include "sim/observers/count.h"

namespace headroom::sim {
namespace {

// A warp's memory: registers of 4 bytes a lane, of 8, and predicates.
constexpr uint32_t registers = 24, wides = 6, predicates = 12;
constexpr uint32_t wides_at = registers * 128, predicates_at = wides_at + wides * 256,
                   shift_at = (predicates_at + predicates * 4 + 63) / 64 * 64,
                   uniform_at =
                       shift_at + 128,  // an amount below 32 a lane; predicates of no lane, of all
    rounds_at = uniform_at + 64,  // round, 1 and how many, a lane each; whether there are more
    warp_bytes = rounds_at + 4 * 128;

struct alignas(64) Memory {
  std::byte bytes[warp_bytes];
};

// Numbers that arithmetic is wrong at, if at all: few and close together too, so that they are equal.
uint32_t word(std::mt19937& random) {
  static constexpr uint32_t special[] = {
      0,          1,          2,          31,         32,         33,         63,
      64,         0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x00800000,
      0x007fffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
      0x7f800001, 0x7f7fffff, 0x80800000, 0x33800000, 0x0000ffff, 0x00010000, 0x4f000000,
      0x7ff00000, 0xfff80000, 0x3ff00000, 0x7ff00001, 0x3c003c00, 0x7c00fc01, 0x4b000000};
  switch (random() % 4) {
    case 0: return special[random() % std::size(special)];
    case 1: return random() % 70;
    case 2: return 0x3f000000 + random() % 0x01000000;
    default: return uint32_t(random());
  }
}

Memory fresh(std::mt19937& random) {
  Memory memory;
  for (size_t at = 0; at < sizeof memory.bytes; at += 4) {
    const uint32_t value = word(random);
    std::memcpy(memory.bytes + at, &value, 4);
  }
  for (uint32_t at = shift_at; at < uniform_at; ++at)
    memory.bytes[at] &= std::byte(at % 4 ? 0 : 31);
  std::memset(memory.bytes + uniform_at, 0, 4);
  std::memset(memory.bytes + uniform_at + 4, 0xff, 4);
  return memory;
}

struct Rows : testing::Test {
  RowTable table;
  const char* const given = std::getenv("HEADROOM_SEED");
  const uint32_t seed = given ? uint32_t(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  std::mt19937 random{seed};

  void TearDown() override {
    if (HasFailure()) std::printf("HEADROOM_SEED=%u repeats it\n", seed);
  }
  void SetUp() override {
    if (engine().name != "avx512") GTEST_SKIP() << "compiled for AVX-512 alone";
    engine().add_rows(table);
  }

  uint32_t some_lanes() {
    const uint32_t any = uint32_t(random());
    return random() % 2 ? all_lanes : any ? any : 1u << 7;
  }

  uint32_t place(uint8_t sort, bool pairs, uint32_t first) {
    if (sort == predicate_sort) return predicates_at + 4 * uint32_t(random() % predicates);
    if (sort == 8 && !pairs) return wides_at + 256 * uint32_t(random() % wides);
    return 128 * (first + uint32_t(random() % (registers - 1 - first)));
  }

  // Outputs of one operation differ, as decode sees to it; an output may be an input.
  Operation operation(const compiled::Meaning& meaning, const Row& row) {
    Operation made{};
    const bool pairs = meaning.spelling.starts_with("!pairs");
    for (bool again = true; again;) {
      for (int i = 0; i < row.count; ++i) made.operand[i] = place(row.sort[size_t(i)], pairs, 0);
      again = row.outs > 1 && made.operand[0] == made.operand[1];
      for (int i = 1; i < row.outs; ++i)
        for (int j = 0; j < i; ++j) again |= made.operand[i] == made.operand[j];
    }
    if (pairs)  // two rows, of which one may be an input's
      for (int i = 0; i < row.count; ++i)
        if (row.sort[size_t(i)] == 8) made.operand[i] = made.operand[i] / 256 * 256;
    if (random() % 3 == 0 && row.count > 2 && row.outs == 1)  // in place
      for (int i = 1; i < row.count; ++i)
        if (row.sort[size_t(i)] == row.sort[0] && random() % 2) made.operand[i] = made.operand[0];
    made.guard = no_operand;
    made.full = row.full;
    made.part = row.part;
    made.chains = row.chains;
    if (meaning.spelling == "!iadd3" || meaning.spelling == "!iadd3.co") {
      made.extra = random() % 8;
      made.offset = int64_t(random() % 4);
    } else if (meaning.spelling == "!lop3" || meaning.spelling == "!plop3") {
      made.offset = int64_t(random() % 256);
    }
    if (meaning.spelling == "!shifted_high") made.operand[3] = shift_at;
    return made;
  }

  // As a guard, or the uniform datapath, has it of operations (BoundOperations::to, MachineDecoder::add).
  void make_uniform(Operation& each) {
    each.move = each.part;
    each.part = table.find("!every", 0)->part;
    if (!each.chains) each.full = each.part;
  }
  void make_guarded(Operation& each) {
    const bool uniform = each.part == table.find("!every", 0)->part;
    each.guard = uniform ? uniform_at + 4 * uint32_t(random() % 2)
                         : predicates_at + 4 * uint32_t(random() % predicates);
    for (int i = 0; i < max_operands; ++i)  // one that writes its own guard has a copy of it
      if (each.operand[i] == each.guard) each.guard = shift_at;
    each.guard_negated = random() % 2;
    each.kind = InstructionClass(random() % 8);
    each.float_operations = uint8_t(random() % 3);
    each.chains = false;
    each.inner = each.part;
    each.full = each.part = engine().count->guarded;
  }

  // Any of all; some uniform, some guarded, where they may be.
  Operation any_operation(bool may_be_guarded) {
    const auto& all = compiled::meanings();
    const compiled::Meaning* meaning = nullptr;
    const Row* row = nullptr;
    while (!row) {
      meaning = &all[random() % all.size()];
      row = table.find(meaning->spelling, meaning->operands);
    }
    Operation made = operation(*meaning, *row);
    if (may_be_guarded && random() % 8 == 0) make_uniform(made);
    if (may_be_guarded && random() % 4 == 0) make_guarded(made);
    return made;
  }

  std::string run_both(std::vector<Operation> operations, const Memory& before, uint32_t mask) {
    Memory memory = before, compiled_memory = before;
    Warp warp, other;
    for (Warp* each : {&warp, &other}) {
      each->mask = mask;
      for (int i = 0; i < lanes; ++i) each->lane_mask[i] = -(mask >> i & 1);
    }
    warp.base = memory.bytes;
    other.base = compiled_memory.bytes;
    const BorrowedCount count = borrow_count(Program{}, 0, 1 << 20);
    warp.observer = count.get();
    std::vector<uint64_t> by_operation(operations.size());
    std::array<uint64_t, 3> sums{};
    other.guarded = {by_operation.data(), sums.data()};
    std::vector<uint64_t> expected;
    for (const Operation& each : operations) {
      uint32_t bits = 0;
      if (each.guard != no_operand) std::memcpy(&bits, memory.bytes + each.guard, 4);
      expected.push_back(uint64_t(std::popcount(mask & (each.guard_negated ? ~bits : bits))));
      each.part(warp, each);
    }

    BasicBlock block;
    block.last = uint32_t(operations.size());
    Operation stop{};
    stop.full = stop.part = engine().stop;
    operations.push_back(stop);
    for (Operation& each : operations) {
      each.masked = each.part;
      each.masked_together = 1;
    }
    const std::vector<Operation> handlers = operations;
    const auto code = compiled::compile(operations, {block}, {0}, true, {});
    if (!code) return "nothing was compiled";
    other.observer = count.get();
    const std::array<uint64_t, 3> counted = std::to_array(count->guarded_float_operations);
    for (uint32_t at = 0; at < block.last;) {
      const Operation& each = operations[at];
      mask == all_lanes ? each.full(other, each) : each.masked(other, each);
      at += mask == all_lanes ? each.together : each.masked_together;
    }
    for (size_t k = 0; k < sums.size(); ++k)  // those left to handlers are counted by them
      if (sums[k] + count->guarded_float_operations[k] - counted[k] != counted[k])
        return fmt::format("{} float operations of kind {}, not {}", sums[k], k, counted[k]);
    for (uint32_t at = 0; at < block.last; ++at) {
      const Operation& each = handlers[at];
      const auto known = [&](uint32_t other) {
        return compiled::emitter_of(handlers[other]) != nullptr;
      };
      const bool compiled =
          known(at) && ((at && known(at - 1)) || (at + 1 < block.last && known(at + 1)));
      if (each.guard != no_operand && compiled && by_operation[at] != expected[at])
        return fmt::format("{} lanes of operation {}, not {}", by_operation[at], at, expected[at]);
    }
    return difference(memory, compiled_memory);
  }

  static std::string difference(const Memory& expected, const Memory& got) {
    for (uint32_t at = 0; at < warp_bytes; at += 4) {
      uint32_t word, other;
      std::memcpy(&word, expected.bytes + at, 4);
      std::memcpy(&other, got.bytes + at, 4);
      if (word != other) return fmt::format("at {}: {:#x}, not {:#x}", at, other, word);
    }
    return "";
  }

  Operation of(const char* spelling, std::vector<uint32_t> places) {
    const Row* row = table.find(spelling, int(places.size()));
    Operation made{};
    std::ranges::copy(places, made.operand);
    made.guard = no_operand;
    made.full = row->full;
    made.part = row->part;
    made.chains = row->chains;
    return made;
  }

  // The line as the body of a loop, `rounds` times.
  std::string run_rounds(std::vector<Operation> line, Memory before, uint32_t rounds) {
    const uint32_t round = rounds_at, one = round + 128, most = one + 128, more = most + 128;
    for (uint32_t i = 0; i < lanes; ++i) {
      const uint32_t words[] = {0, 1, rounds};
      for (uint32_t k = 0; k < 3; ++k)
        std::memcpy(before.bytes + rounds_at + 128 * k + 4 * i, &words[k], 4);
    }
    line.push_back(of("add.u32", {round, round, one}));
    const bool negated = random() % 2;
    line.push_back(of(negated ? "setp.ge.u32" : "setp.lt.u32", {more, round, most}));
    Memory memory = before, compiled_memory = before;
    Warp warp, other;
    for (Warp* each : {&warp, &other}) {
      each->mask = all_lanes;
      for (uint32_t& lane : each->lane_mask) lane = ~0u;
    }
    warp.base = memory.bytes;
    other.base = compiled_memory.bytes;
    const BorrowedCount count = borrow_count(Program{}, 0, 1 << 20);
    warp.observer = other.observer = count.get();
    std::vector<uint64_t> by_operation(line.size());
    std::array<uint64_t, 3> sums{};
    other.guarded = {by_operation.data(), sums.data()};
    std::vector<uint64_t> expected(line.size());
    for (uint32_t n = 0; n < rounds; ++n)
      for (size_t at = 0; at < line.size(); ++at) {
        uint32_t bits = 0;
        const Operation& each = line[at];
        if (each.guard != no_operand) std::memcpy(&bits, memory.bytes + each.guard, 4);
        expected[at] += each.guard == no_operand
                            ? 0
                            : uint64_t(std::popcount(each.guard_negated ? ~bits : bits));
        each.part(warp, each);
      }

    BasicBlock loop, behind;
    loop.last = behind.first = uint32_t(line.size());
    behind.last = behind.first + 1;
    loop.terminator = Terminator::branch;
    loop.predicate = more;
    loop.target = 0;
    loop.next = 1;
    loop.back_edge = true;
    loop.negated = negated;
    loop.changes = random() % 2;
    loop.profile.instructions = 7;
    Operation stop{};
    stop.full = stop.part = engine().stop;
    line.push_back(stop);
    const auto code = compiled::compile(line, {loop, behind}, {0}, true, {});
    if (!code) return "nothing was compiled";
    std::array<uint64_t, 2> entries{}, lanes_entered{};
    uint64_t taken = 0;
    AccessSums accesses;
    accesses.entries = entries.data();
    accesses.lanes_entered = lanes_entered.data();
    accesses.taken = &taken;
    other.accesses = &accesses;
    other.chains = true;
    // Left in between, as run_warp wishes, it is entered again; one that does not end is left for good.
    uint64_t again = rounds - 1;
    uint64_t goes_on = 0;
    const auto more_rounds = [&] {
      uint32_t bits;
      std::memcpy(&bits, compiled_memory.bytes + more, 4);
      return (negated ? ~bits : bits) == all_lanes;
    };
    other.look = random() % 2 ? 1 + random() % rounds : rounds + 9;
    for (uint32_t calls = 0; calls <= rounds; ++calls) {
      other.chained = ~0u;
      line[0].full(other, line[0]);
      goes_on = other.chained == 1;
      if (goes_on || !more_rounds()) break;
      --again;
      other.look = rounds + 9;
      other.chains = random() % 4;
    }
    if (loop.changes && again && !other.unstable) return "it changes memory, and nobody is told";
    if (more_rounds() || entries != std::array<uint64_t, 2>{again, goes_on} ||
        taken != lanes * again ||
        lanes_entered != std::array<uint64_t, 2>{lanes * again, lanes * goes_on} ||
        other.instructions != 7 * again || other.basic_blocks_entered != again + goes_on)
      return fmt::format("{} entered, {} instructions, {} taken", entries[0], other.instructions,
                         taken);
    if (by_operation != expected) return "guarded lanes differ";
    return difference(memory, compiled_memory);
  }
};

TEST_F(Rows, every_meaning_is_that_of_a_row) {
  for (const compiled::Meaning& meaning : compiled::meanings())
    EXPECT_TRUE(table.find(meaning.spelling, meaning.operands))
        << meaning.spelling << " of " << meaning.operands;
}

TEST_F(Rows, each_compiled_operation_does_what_its_handler_does) {
  for (const compiled::Meaning& meaning : compiled::meanings()) {
    const Row* row = table.find(meaning.spelling, meaning.operands);
    if (!row) continue;
    for (int turn = 0; turn < 100; ++turn) {
      Operation first = operation(meaning, *row), second = operation(meaning, *row);
      if (random() % 3 == 0) make_uniform(first);
      if (random() % 3 == 0) make_guarded(first);
      if (random() % 3 == 0) make_guarded(second);
      const std::string wrong = run_both({first, second}, fresh(random), some_lanes());
      ASSERT_EQ(wrong, "") << meaning.spelling << ", offset " << first.offset << " "
                           << second.offset << ", extra " << first.extra << " " << second.extra;
    }
  }
}

// The host's estimate decides how a root is rounded where there is no doubt: of 800 000 numbers some are doubtful.
TEST_F(Rows, so_do_roots_of_many_numbers) {
  for (const char* spelling :
       {"rsqrt.approx.f32", "rsqrt.approx.ftz.f32", "rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"}) {
    const auto& all = compiled::meanings();
    const auto meaning = std::ranges::find(all, spelling, &compiled::Meaning::spelling);
    ASSERT_NE(meaning, all.end()) << spelling;
    const Row* row = table.find(spelling, 2);
    ASSERT_TRUE(row) << spelling;
    for (int turn = 0; turn < 200; ++turn) {
      std::vector<Operation> line;
      for (int n = 0; n < 32; ++n) line.push_back(operation(*meaning, *row));
      Memory memory = fresh(random);
      for (size_t at = 0; at < sizeof memory.bytes;
           at += 4) {  // numbers, mostly, half of them small
        const uint32_t some = uint32_t(random()) & (turn % 2 ? 0x7fffffff : 0x47ffffff);
        std::memcpy(memory.bytes + at, &some, 4);
      }
      ASSERT_EQ(run_both(line, memory, some_lanes()), "") << spelling;
    }
  }
}

// R0 += R8 · R9 between two sums of doubles that R0 and R1, or R0's upper half, are part of.
TEST_F(Rows, a_word_that_changes_in_place_is_no_part_of_doubles_of_before) {
  const auto of = [&](const char* spelling, std::vector<uint32_t> registers_of) {
    for (uint32_t& each : registers_of) each *= 128;
    return Rows::of(spelling, registers_of);
  };
  for (const uint32_t word : {0u, 1u})
    for (const bool made : {false, true})  // the doubles are read, or made
      for (int turn = 0; turn < 20; ++turn)
        EXPECT_EQ(
            run_both({of("!pairs:add.rn.f64", {made ? 0u : 4u, 0, 2}),
                      of("fma.rn.f32", {word, 8, 9, word}), of("!pairs:add.rn.f64", {6, 0, 2})},
                     fresh(random), all_lanes),
            "")
            << word << made;
}

// Doubles in all vectors, and a predicate of three that needs one of them.
TEST_F(Rows, a_predicate_of_three_makes_room_among_doubles) {
  const Row *sum = table.find("!pairs:add.rn.f64", 3), *both = table.find("and.b32", 3),
            *logic = table.find("!plop3", 4);
  ASSERT_TRUE(sum && both && logic);
  const auto of = [](const Row& row, std::array<uint32_t, 4> places) {
    Operation made{};
    std::ranges::copy(places, made.operand);
    made.guard = no_operand;
    made.full = row.full;
    made.part = row.part;
    made.chains = row.chains;
    made.offset = 0x96;  // of one or three
    return made;
  };
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<Operation> line;
    const auto pair = [&] { return 256 * uint32_t(random() % (registers / 2)); };
    const auto word = [&] { return 128 * uint32_t(random() % registers); };
    for (size_t n = 4 + random() % 4; line.size() < n;)
      line.push_back(of(*sum, {pair(), pair(), pair(), 0}));
    for (size_t n = line.size() + random() % 4; line.size() < n;)
      line.push_back(of(*both, {word(), word(), word(), 0}));
    line.push_back(
        of(*logic, {predicates_at, predicates_at + 4, predicates_at + 8, predicates_at + 12}));
    EXPECT_EQ(run_both(line, fresh(random), all_lanes), "") << turn;
  }
}

// Registers stay in vectors round a loop, as far as there is room.
TEST_F(Rows, so_do_loops) {
  for (int turn = 0; turn < 400; ++turn) {
    std::vector<Operation> line;
    for (size_t n = 1 + random() % (turn % 4 ? 12 : 100); line.size() < n;) {
      line.push_back(any_operation(turn % 2));
    }
    const uint32_t rounds = 1 + uint32_t(random() % 5);
    ASSERT_EQ(run_rounds(line, fresh(random), rounds), "")
        << rounds << " rounds of " << line.size();
  }
}

// Sums and products of floats alone: most of them are never looked at before they are written over.
TEST_F(Rows, so_do_loops_of_floats) {
  for (int turn = 0; turn < 400; ++turn) {
    std::vector<Operation> line;
    for (size_t n = 1 + random() % 40; line.size() < n;) {
      static constexpr std::pair<const char*, int> some[] = {
          {"add.f32", 3},     {"mul.f32", 3},           {"fma.rn.f32", 4}, {"sub.ftz.f32", 3},
          {"min.f32", 3},     {"fma.rn.ftz.f32", 4},    {"and.b32", 3},    {"sqrt.approx.f32", 2},
          {"setp.lt.f32", 3}, {"!pairs:add.rn.f64", 3}, {"selp.f32", 4}};
      const std::pair<const char*, int>& chosen = some[random() % std::size(some)];
      const auto& all = compiled::meanings();
      const auto meaning = std::ranges::find_if(all, [&](const compiled::Meaning& each) {
        return each.spelling == chosen.first && each.operands == chosen.second;
      });
      ASSERT_NE(meaning, all.end()) << chosen.first;
      line.push_back(operation(*meaning, *table.find(chosen.first, chosen.second)));
    }
    ASSERT_EQ(run_rounds(line, fresh(random), 1 + uint32_t(random() % 9)), "") << line.size();
  }
}

TEST_F(Rows, so_do_long_lines_with_others_between_them) {
  const Row* between = table.find("brev.b32", 2);  // has a handler alone, and chains
  ASSERT_TRUE(between && between->chains);
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<Operation> line;
    for (size_t n = 2 + random() % 150; line.size() < n;) {
      if (random() % 12 == 0) {
        line.push_back(operation({"brev.b32", 2, nullptr}, *between));
        continue;
      }
      line.push_back(any_operation(turn % 2));
    }
    const auto known = [](const Operation& each) { return compiled::emitter_of(each) != nullptr; };
    bool compiles = false;
    for (size_t i = 1; i < line.size(); ++i) compiles |= known(line[i - 1]) && known(line[i]);
    if (!compiles) continue;
    ASSERT_EQ(run_both(line, fresh(random), some_lanes()), "") << "a line of " << line.size();
  }
}

}  // namespace
}  // namespace headroom::sim
