// Compiled code whose accesses are served without their handlers does what the handlers do, and counts what they
// count: random lines of arithmetic, loads and stores, under guards or not, run again and again while the lanes' places
// stay, move on, or change.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "sim/compiled/compile.h"
#include "sim/decoding.h"
#include "sim/engine.h"
#include "sim/machinery.h"
#include "sim/observers/detailed.h"

namespace headroom::sim {
namespace {

// A warp's memory: registers of 4 bytes a lane; predicates; addresses as one register, as two, as one of 8 bytes.
constexpr uint32_t registers = 20, predicates = 4, places = 6;
constexpr uint32_t predicates_at = registers * 128, words_at = predicates_at + 64,
                   pairs_at = words_at + places * 128, wides_at = pairs_at + places * 256,
                   joined_at = wides_at + places * 256, warp_bytes = joined_at + 256;
constexpr uint32_t buffer_bytes = 1 << 16;

struct Fixture : testing::Test {
  const unsigned seed = std::random_device{}();
  std::mt19937 random{seed};
  Memory memory{1 << 22};
  uint64_t buffer = 0;
  int instruction = 0;

  void SetUp() override {
    if (engine().name != "avx512") GTEST_SKIP() << "compiled for AVX-512 alone";
    buffer = memory.allocate(buffer_bytes).value();
  }

  uint32_t below(uint32_t n) { return uint32_t(random()) % n; }
  uint32_t reg() { return 128 * below(registers); }
  uint32_t two_registers() { return 256 * below(registers / 2); }

  // As wide as what is accessed there: of words, of two, of four.
  static uint32_t unit_of(uint32_t place) {
    return place == 4 ? 1 : place == 5 ? 2 : place < 2 ? 4 : place == 2 ? 8 : 16;
  }

  // Where the lanes of one access lie, within 16 KiB.
  std::array<uint32_t, lanes> lie(uint32_t unit) {
    std::array<uint32_t, lanes> at{};
    const uint32_t kind = below(9), step = 16 << below(5);
    for (uint32_t i = 0; i < lanes; ++i) {
      switch (kind) {
        case 0: at[i] = unit * i; break;
        case 1: at[i] = 16 * i; break;
        case 2: at[i] = 0; break;
        case 3: at[i] = 16 * below(8); break;
        case 4: at[i] = i / 8 * 640 + i % 8 * unit; break;
        case 5: at[i] = i / 8 * 640; break;
        case 6: at[i] = step * i; break;
        case 7: at[i] = 16 * (31 - i); break;
        default: at[i] = 16 * below(512);
      }
    }
    return at;
  }

  struct Line {
    std::vector<Operation> operations;
    BasicBlock block;
    std::string text;  // to be read where it fails
  };

  void guard(Operation& each, uint32_t predicate, bool negated) {
    each.guard = predicate;
    each.guard_negated = negated;
    each.chains = false;
  }

  Line line(bool guards) {
    static constexpr std::array<std::pair<const char*, int>, 5> some = {{{"add.u32", 3},
                                                                         {"xor.b32", 3},
                                                                         {"fma.rn.f32", 4},
                                                                         {"mul.lo.u32", 3},
                                                                         {"!pairs:fma.rn.f64", 4}}};
    Line made;
    auto& all = made.operations;
    const uint32_t most = 3 + below(40);
    while (all.size() < most) {
      ++instruction;
      const bool under = guards && below(3) == 0;
      const uint32_t predicate = predicates_at + 4 * below(predicates);
      const bool negated = below(2);
      const auto put = [&](Operation each) {
        each.instruction = uint32_t(instruction);
        if (under) guard(each, predicate, negated);
        made.text += fmt::format("\n{}", under ? negated ? "if not " : "if " : "");
        all.push_back(each);
      };
      if (below(2)) {
        const auto [spelling, operands] = some[below(some.size())];
        const bool pairs = std::string_view(spelling).starts_with("!pairs");
        std::vector<uint32_t> which;
        for (int i = 0; i < operands; ++i) which.push_back(pairs ? two_registers() : reg());
        put(*row_operation(*find_row(spelling, operands), which));
        made.text += spelling;
        for (const uint32_t each : which) made.text += fmt::format(" {}", each / 128);
        continue;
      }
      const bool loads = below(3) != 0, shared = below(3) == 0, wide = below(3) == 0;
      const int count = 1 << below(3), bytes = loads && count == 1 ? 1 << below(3) : 4;
      const uint32_t place = bytes == 1   ? 4
                             : bytes == 2 ? 5
                             : count == 1 ? below(2)
                             : count == 2 ? 2
                                          : 3;
      Address address{};
      address.place = shared ? Place::shared : Place::global;
      address.wide = !shared;
      address.offset = int64_t(16 * below(4));
      address.operand = shared ? words_at + 128 * place : wides_at + 256 * place;
      if (!shared && !wide) {
        const uint32_t at = pairs_at + 256 * place;
        put(*row_operation(*find_row("!join", 3), {joined_at, at, at + 128}));
        address.operand = joined_at;
      }
      std::vector<uint32_t> data;
      const uint32_t first = below(registers - 4);
      for (int n = 0; n < count; ++n) data.push_back(128 * (first + uint32_t(n)));
      const Handler move =
          loads ? engine().load(bytes, below(2), 4, count) : engine().store(4, 4, count);
      Operation access =
          *access_operation(address, loads ? Use::load : Use::store, bytes * count, move, data);
      access.site = uint32_t(all.size());
      put(access);
      made.text += fmt::format("{} {} bytes {}, {} from {}", loads ? "load" : "store", bytes,
                               shared ? "shared" : "global", count, first);
    }
    end(made);
    return made;
  }

  static void end(Line& line) {
    line.block.last = uint32_t(line.operations.size());
    Operation stop{};
    stop.full = stop.part = engine().stop;
    stop.guard = no_operand;
    line.operations.push_back(stop);
    for (Operation& each : line.operations) {
      if (each.accesses)
        each.full = each.part = engine().detailed->access(each.place, each.use, each.wide);
      if (each.guard != no_operand) {
        each.inner = each.part;
        each.full = each.part = engine().detailed->guarded;
      }
      each.masked = each.part;
      each.together = each.masked_together = 1;
    }
  }

  // A warp with all that it needs of a launch.
  struct Run {
    Machinery machinery;
    BlockState block;
    Warp warp;
    alignas(64) std::array<std::byte, warp_bytes> registers_{};
    std::vector<std::byte> shared = std::vector<std::byte>(buffer_bytes);
    std::vector<std::byte> global;  // what became of the buffer
    Program program;
    BorrowedCount count;
    Sites sites;
    std::optional<Detailed> detailed;

    void begin(Memory& memory, const Line& line, int instructions) {
      program.operations = line.operations;
      program.instructions.resize(size_t(instructions) + 1);
      count = borrow_count(program, memory.base(), memory.addresses());
      sites.begin(program);
      detailed.emplace(Detailed{*count, &sites, nullptr});
      machinery.memory = &memory;
      machinery.shared_bytes = buffer_bytes;
      machinery.operations = line.operations.data();
      machinery.patterns.resize(line.operations.size());
      machinery.recent.resize(line.operations.size());
      machinery.strayed.assign(size_t(instructions) + 1, ~0ull);
      machinery.guarded = {sites.guarded(), count->guarded_float_operations};
      machinery.accesses = {machinery.patterns.data(),
                            machinery.recent.data(),
                            buffer_bytes,
                            memory.base(),
                            &count->Sectors::counters,
                            &count->Conflicts::counters,
                            sites.counts(),
                            count->loaded.marks(),
                            count->stored.marks()};
      block.machinery = &machinery;
      block.shared = shared.data();
      warp.block = &block;
      warp.base = registers_.data();
      warp.observer = &*detailed;
      warp.guarded = machinery.guarded;
      warp.accesses = &machinery.accesses;
    }
  };

  static uint32_t word_at(const Run& run, uint32_t at) {
    uint32_t word;
    std::memcpy(&word, run.registers_.data() + at, sizeof word);
    return word;
  }
  static std::string difference(Run& expected, Run& got) {
    for (uint32_t at = 0; at < joined_at; at += 4)
      if (std::memcmp(expected.registers_.data() + at, got.registers_.data() + at, 4) != 0)
        return fmt::format("register {}, lane {}: {:#x}, not {:#x}; the next {:#x}, {:#x}",
                           at / 128, at % 128 / 4, word_at(got, at), word_at(expected, at),
                           word_at(got, at + 128), word_at(expected, at + 128));
    if (expected.global != got.global) return "global memory";
    if (expected.shared != got.shared) return "shared memory";
    const auto same = [](const Counters& one, const Counters& other) {
      return std::memcmp(&one, &other, sizeof one) == 0;
    };
    if (!same(expected.count->Sectors::counters, got.count->Sectors::counters)) return "sectors";
    if (!same(expected.count->Conflicts::counters, got.count->Conflicts::counters))
      return "conflicts";
    if (expected.count->loaded.count() != got.count->loaded.count() ||
        expected.count->stored.count() != got.count->stored.count())
      return "unique sectors";
    if (expected.sites.finish(expected.program, expected.count.get()[0]) !=
        got.sites.finish(got.program, got.count.get()[0]))
      return "counts by instruction";
    if (std::memcmp(expected.sites.guarded(), got.sites.guarded(),
                    8 * expected.program.operations.size()) != 0)
      return "lanes of guarded operations";
    return "";
  }
};

TEST_F(Fixture, accesses_in_compiled_lines_do_and_count_what_handlers_do) {
  constexpr int turns = 400;
  int compiled_turns = 0;
  for (int turn = 0; turn < turns; ++turn) {
    instruction = 0;
    Line handlers = line(turn % 2), compiled_line = handlers;
    uint32_t mask = all_lanes;  // it changes with the rounds, now and then
    const auto code = compiled::compile(compiled_line.operations, {compiled_line.block}, {0}, true,
                                        {{joined_at, 8, 1}});
    if (!code) continue;
    ++compiled_turns;
    auto expected = std::make_unique<Run>(), got = std::make_unique<Run>();
    for (size_t at = 0; at < joined_at; ++at)
      expected->registers_[at] = std::byte(at % 4 == 3 ? 0x3f : random());
    got->registers_ = expected->registers_;
    expected->begin(memory, handlers, instruction);
    got->begin(memory, compiled_line, instruction);
    std::vector<std::byte> content(buffer_bytes);
    for (auto& each : content) each = std::byte(random());
    got->global = expected->global = content;

    std::array<std::array<uint32_t, lanes>, 3 * places> lies;
    for (uint32_t n = 0; n < lies.size(); ++n) lies[n] = lie(unit_of(n % places));
    const bool traced = turn % 7 == 0;
    for (int round = 0; round < 12; ++round) {
      if (below(3) == 0) mask = below(2) ? all_lanes : uint32_t(random()) | 1u << below(32);
      for (uint32_t n = 0; n < lies.size(); ++n) {
        const uint32_t unit = unit_of(n % places), what = below(6);
        if (what == 2) lies[n] = lie(unit);
        for (uint32_t& at : lies[n])
          at = (at + (what == 0 ? 4096 : what == 1 ? unit : 0)) % (buffer_bytes - 64);
      }
      for (Run* run : {expected.get(), got.get()}) {
        for (uint32_t place = 0; place < places; ++place)
          for (uint32_t i = 0; i < lanes; ++i) {
            const auto set = [&](uint32_t at, auto value) {
              std::memcpy(run->registers_.data() + at, &value, sizeof value);
            };
            const uint64_t pair = buffer + lies[places + place][i];
            set(words_at + 128 * place + 4 * i, lies[place][i]);
            set(pairs_at + 256 * place + 4 * i, uint32_t(pair));
            set(pairs_at + 256 * place + 128 + 4 * i, uint32_t(pair >> 32));
            set(wides_at + 256 * place + 8 * i, buffer + lies[2 * places + place][i]);
          }
        run->block.traced = traced && round % 2 ? 0 : -1;
        run->warp.mask = mask;
        for (int i = 0; i < lanes; ++i) run->warp.lane_mask[i] = -(mask >> i & 1);
        std::memcpy(reinterpret_cast<void*>(buffer), run->global.data(), buffer_bytes);
        const bool is_compiled = run == got.get();
        const auto& operations = (is_compiled ? compiled_line : handlers).operations;
        for (uint32_t at = 0; at < compiled_line.block.last;) {
          const Operation& each = operations[at];
          if (!is_compiled)
            each.part(run->warp, each);
          else
            mask == all_lanes ? each.full(run->warp, each) : each.masked(run->warp, each);
          at += !is_compiled ? 1 : mask == all_lanes ? each.together : each.masked_together;
        }
        std::memcpy(run->global.data(), reinterpret_cast<void*>(buffer), buffer_bytes);
      }
      ASSERT_EQ(difference(*expected, *got), "")
          << "seed " << seed << ", turn " << turn << ", round " << round << ", mask " << mask
          << handlers.text;
    }
  }
  EXPECT_GT(compiled_turns, turns * 9 / 10) << "seed " << seed;
}

// Lanes in a row, run again: the handler is called once, and then no more.
TEST_F(Fixture, an_access_like_the_last_needs_no_handler) {
  static int calls;
  static Handler own;
  calls = 0;
  Line one;
  Address address{};
  address.place = Place::global;
  address.wide = true;
  address.operand = wides_at;
  Operation add = *row_operation(*find_row("add.u32", 3), {0, 128, 128});
  Operation load = *access_operation(address, Use::load, 4, engine().load(4, false, 4, 1), {128});
  Operation stop{};
  stop.full = stop.part = engine().stop;
  stop.guard = no_operand;
  one.operations = {load, add, stop};
  one.block.last = 2;
  own = engine().detailed->access(Place::global, Use::load, true);
  one.operations[0].full = one.operations[0].part = [](Warp& warp, const Operation& operation) {
    ++calls;
    own(warp, operation);
  };
  const auto code = compiled::compile(one.operations, {one.block}, {0}, true, {});
  ASSERT_TRUE(code);
  auto run = std::make_unique<Run>();
  run->begin(memory, one, 0);
  run->block.traced = -1;
  run->warp.mask = all_lanes;
  for (uint32_t& word : run->warp.lane_mask) word = ~0u;
  for (uint32_t round = 0; round < 5; ++round) {
    for (uint32_t i = 0; i < lanes; ++i) {
      const uint64_t at = buffer + 128 * round + 4 * i;
      const uint32_t value = 10 * round + i;
      std::memcpy(run->registers_.data() + wides_at + 8 * i, &at, 8);
      std::memcpy(reinterpret_cast<void*>(at), &value, 4);
    }
    one.operations[0].full(run->warp, one.operations[0]);
    uint32_t last;
    std::memcpy(&last, run->registers_.data() + 4 * (lanes - 1), 4);
    EXPECT_EQ(last, 2 * (10 * round + lanes - 1));
  }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(run->count->Sectors::counters.global_load_sectors, 20u);
  EXPECT_EQ(run->count->loaded.count(), 20u);
}

// Two ways round, one after the other: what lies in words and joined as doubles is right on both.
TEST_F(Fixture, doubles_of_words_stay_right_on_ways_round) {
  Line line;
  const auto add = [&](const char* spelling, std::vector<uint32_t> which) {
    for (uint32_t& each : which) each *= 128;
    line.operations.push_back(*row_operation(*find_row(spelling, int(which.size())), which));
  };
  const auto load = [&](uint32_t to) {
    Address address{};
    address.place = Place::global;
    address.wide = true;
    address.operand = wides_at;
    Operation access =
        *access_operation(address, Use::load, 4, engine().load(4, false, 4, 1), {128 * to});
    access.site = uint32_t(line.operations.size());
    line.operations.push_back(access);
  };
  add("add.u32", {0, 4, 5});
  add("add.u32", {1, 6, 7});
  add("!pairs:fma.rn.f64", {8, 0, 0, 0});
  load(10);
  load(11);
  add("!pairs:fma.rn.f64", {0, 0, 2, 0});
  end(line);
  Line compiled_line = line;
  const auto code =
      compiled::compile(compiled_line.operations, {compiled_line.block}, {0}, true, {});
  ASSERT_TRUE(code);
  auto expected = std::make_unique<Run>(), got = std::make_unique<Run>();
  for (size_t at = 0; at < predicates_at; ++at)
    expected->registers_[at] = std::byte(at % 4 == 3 ? 0x1f : random());
  for (uint32_t i = 0; i < lanes; ++i) {
    const uint64_t at = buffer + 4 * i;
    std::memcpy(expected->registers_.data() + wides_at + 8 * i, &at, 8);
  }
  got->registers_ = expected->registers_;
  for (Run* run : {expected.get(), got.get()}) {
    const auto& operations = (run == got.get() ? compiled_line : line).operations;
    run->begin(memory, run == got.get() ? compiled_line : line, 0);
    run->block.traced = -1;
    run->warp.mask = all_lanes;
    for (uint32_t& word : run->warp.lane_mask) word = ~0u;
    for (uint32_t at = 0; at < line.block.last;
         at += run == got.get() ? operations[at].together : 1)
      run == got.get() ? operations[at].full(run->warp, operations[at])
                       : operations[at].part(run->warp, operations[at]);
  }
  EXPECT_EQ(difference(*expected, *got), "") << "seed " << seed;
}

// What a handler throws comes through, and what ran before it has been done.
TEST_F(Fixture, faults_come_out_of_compiled_code) {
  for (const bool full : {true, false}) {
    Line one;
    Address address{};
    address.place = Place::global;
    address.wide = true;
    address.operand = wides_at;
    Operation add = *row_operation(*find_row("add.u32", 3), {0, 128, 256});
    Operation load = *access_operation(address, Use::load, 4, engine().load(4, false, 4, 1), {384});
    Operation stop{};
    stop.full = stop.part = engine().stop;
    stop.guard = no_operand;
    one.operations = {add, load, add, stop};
    one.operations[2].operand[0] = 512;
    for (Operation& each : one.operations) {
      if (each.accesses)
        each.full = each.part = engine().detailed->access(each.place, each.use, true);
      each.masked = each.part;
      each.together = each.masked_together = 1;
    }
    one.block.last = 3;
    const auto code = compiled::compile(one.operations, {one.block}, {0}, true, {});
    ASSERT_TRUE(code);
    auto run = std::make_unique<Run>();
    run->begin(memory, one, 1);
    for (uint32_t i = 0; i < lanes; ++i) {
      const uint32_t two = 2;
      std::memcpy(run->registers_.data() + 128 + 4 * i, &two, 4);
      const uint64_t nowhere = buffer + (uint64_t(1) << 40);
      std::memcpy(run->registers_.data() + wides_at + 8 * i, &nowhere, 8);
    }
    run->warp.mask = full ? all_lanes : 0xff;
    for (int i = 0; i < lanes; ++i) run->warp.lane_mask[i] = -(run->warp.mask >> i & 1);
    const Operation& first = one.operations[0];
    EXPECT_THROW(full ? first.full(run->warp, first) : first.masked(run->warp, first), Fault);
    uint32_t before, behind;
    std::memcpy(&before, run->registers_.data(), 4);
    std::memcpy(&behind, run->registers_.data() + 512, 4);
    EXPECT_EQ(before, 2u);
    EXPECT_EQ(behind, 0u);
  }
}

}  // namespace
}  // namespace headroom::sim
