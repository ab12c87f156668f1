// Operations compiled to the host's vectors do what their handlers do, bit by bit: each alone, and in long
// lines in which registers stay in vectors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "sim/compiled/compile.h"
#include "sim/compiled/meanings.h"
#include "sim/engine.h"
#include "sim/machinery.h"

namespace headroom::sim {
namespace {

// A warp's memory: registers of 4 bytes a lane, of 8, and predicates.
constexpr uint32_t registers = 24, wides = 6, predicates = 12;
constexpr uint32_t wides_at = registers * 128, predicates_at = wides_at + wides * 256,
                   shift_at = (predicates_at + predicates * 4 + 63) / 64 * 64,
                   warp_bytes = shift_at + 128;  // an amount below 32

struct alignas(64) Memory {
  std::byte bytes[warp_bytes];
};

// Numbers that arithmetic is wrong at, if at all: few and close together too, so that they are equal.
uint32_t word(std::mt19937& random) {
  static constexpr uint32_t special[] = {
      0,          1,          2,          31,         32,         33,         63,
      64,         0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x00800000,
      0x007fffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
      0x7f800001, 0x7f7fffff, 0x80800000, 0x33800000, 0x0000ffff, 0x00010000, 0x4f000000};
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
  for (uint32_t at = shift_at; at < warp_bytes; ++at)
    memory.bytes[at] &= std::byte(at % 4 ? 0 : 31);
  return memory;
}

struct Rows : testing::Test {
  RowTable table;
  std::mt19937 random{std::random_device{}()};

  void SetUp() override {
    if (engine().name != "avx512") GTEST_SKIP() << "compiled for AVX-512 alone";
    engine().add_rows(table);
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

  std::string run_both(std::vector<Operation> operations, const Memory& before) {
    Memory memory = before, compiled_memory = before;
    Warp warp, other;
    for (Warp* each : {&warp, &other}) {
      each->mask = all_lanes;
      std::ranges::fill(each->lane_mask, ~0u);
    }
    warp.base = memory.bytes;
    other.base = compiled_memory.bytes;
    for (const Operation& each : operations) each.part(warp, each);

    BasicBlock block;
    block.last = uint32_t(operations.size());
    Operation stop{};
    stop.full = stop.part = engine().stop;
    operations.push_back(stop);
    const auto code = compiled::compile(operations, {block});
    if (!code) return "nothing was compiled";
    for (uint32_t at = 0; at < block.last; at += operations[at].together)
      operations[at].full(other, operations[at]);
    for (uint32_t at = 0; at < warp_bytes; at += 4)
      if (std::memcmp(memory.bytes + at, compiled_memory.bytes + at, 4) != 0) {
        uint32_t expected, got;
        std::memcpy(&expected, memory.bytes + at, 4);
        std::memcpy(&got, compiled_memory.bytes + at, 4);
        return fmt::format("at {}: {:#x}, not {:#x}", at, got, expected);
      }
    return "";
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
      const Operation first = operation(meaning, *row), second = operation(meaning, *row);
      const std::string wrong = run_both({first, second}, fresh(random));
      ASSERT_EQ(wrong, "") << meaning.spelling << ", offset " << first.offset << " "
                           << second.offset << ", extra " << first.extra << " " << second.extra;
    }
  }
}

TEST_F(Rows, so_do_long_lines_with_others_between_them) {
  const auto& meanings = compiled::meanings();
  const Row* between = table.find("popc.b32", 2);  // has a handler alone, and chains
  ASSERT_TRUE(between && between->chains);
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<Operation> line;
    for (size_t n = 2 + random() % 150; line.size() < n;) {
      if (random() % 12 == 0) {
        line.push_back(operation({"popc.b32", 2, nullptr}, *between));
        continue;
      }
      const compiled::Meaning& meaning = meanings[random() % meanings.size()];
      const Row* row = table.find(meaning.spelling, meaning.operands);
      if (row) line.push_back(operation(meaning, *row));
    }
    const auto known = [](const Operation& each) {
      return compiled::emitters().contains(each.full);
    };
    bool compiles = false;
    for (size_t i = 1; i < line.size(); ++i) compiles |= known(line[i - 1]) && known(line[i]);
    if (!compiles) continue;
    ASSERT_EQ(run_both(line, fresh(random)), "") << "a line of " << line.size();
  }
}

}  // namespace
}  // namespace headroom::sim
