#include "sim/hang.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <map>
#include <thread>

#include "sim/decode_sass/instruction_class.h"
#include "sim/machinery.h"
#include "sim/mbarrier_operations.h"
#include "sim/warp.h"

namespace headroom::sim {
namespace {

class Hash {
 public:
  void add(uint64_t word) { sum_ = std::rotl(sum_ ^ word, 23) * 0x9E37'79B9'7F4A'7C15ull; }
  void add(const std::byte* bytes, uint64_t count) {
    for (uint64_t at = 0; at + 8 <= count; at += 8) {
      uint64_t word;
      std::memcpy(&word, bytes + at, 8);
      add(word);
    }
  }
  uint64_t sum() const { return sum_; }

 private:
  uint64_t sum_ = 0;
};

void leave_out(const std::vector<Columns>& columns, std::vector<std::byte>& frames) {
  for (const Columns& at : columns) std::memset(frames.data() + at.at, 0, bytes_of(at));
}

struct State {
  uint64_t sum = 0;
  bool clocked = false;  // a loop looks at a clock
};

// The frames of a warp without what its loops make of clocks.
bool leave_out_clocks(const Program& program, const Warp& warp, std::vector<std::byte>& frames) {
  bool any = false;
  for (const ClockedLoop& loop : program.clocked_loops) {
    for (const Group& group : warp.groups) {
      if (group.state != Group::ready || group.basic_block != loop.header) continue;
      leave_out(loop.columns, frames);
      any = true;
    }
  }
  if (!any) return false;
  for (const DecodedFunction& function : program.functions) leave_out(function.temporaries, frames);
  return true;
}

State state_of(const Waiting& waiting) {
  Hash hash;
  State state;
  std::vector<std::byte> frames;
  for (const BlockState* block : waiting.blocks) {
    hash.add(block->linear);
    for (const Barrier& barrier : block->barriers) hash.add(barrier.arrived);
    for (const Warp& warp : block->warps) {
      for (const Group& group : warp.groups) {
        hash.add(uint64_t(group.basic_block) << 32 | group.mask);
        hash.add(uint64_t(group.state) << 32 | group.frame);
      }
      if (warp.groups.empty()) continue;
      const Program& program = *block->machinery->program;
      frames.assign(warp.base, warp.base + program.constants_at);
      state.clocked |= leave_out_clocks(program, warp, frames);
      hash.add(frames.data(), frames.size());
    }
  }
  state.sum = hash.sum();
  return state;
}

// The loop a group goes round: the basic block of its back edge.
const BasicBlock* loop_of(const Program& program, const Group& group) {
  for (const BasicBlock& basic_block : program.basic_blocks) {
    if (basic_block.spins && basic_block.target == group.basic_block) return &basic_block;
  }
  return nullptr;
}

struct Loop {
  uint64_t threads = 0, blocks = 0;
  const BlockState* last = nullptr;
  const Warp* warp = nullptr;
  int lane = 0;
};

std::string counted(uint64_t n, const char* one, const char* several) {
  return fmt::format("{} {}", n, n == 1 ? one : several);
}

// What the loop reads: "it reads 4 bytes at 0x…, which are 0: 0 bytes into an allocation of …".
struct Awaited {
  std::optional<uint64_t> address;
  std::string words;
  enum Where { of_block, of_device, of_host } where = of_block;
};

// A copy of a warp's registers as they are before an operation of one lane. What its instruction
// makes for itself, an address of two registers or a sum, is made anew, as others may have used that
// place since; of machine code all that the basic block makes before it, whose registers a loop uses
// more than once.
class Before {
 public:
  Before(const Program& program, const Warp& of, uint32_t operation, int lane) : warp(of) {
    constexpr size_t line = 64;
    bytes_.resize(program.warp_bytes + line);
    const size_t past = reinterpret_cast<uintptr_t>(bytes_.data()) % line;
    warp.base = bytes_.data() + (past ? line - past : 0);
    std::memcpy(warp.base, of.base, program.warp_bytes);
    warp.mask = 1u << lane;
    for (int l = 0; l < lanes; ++l) warp.lane_mask[l] = l == lane ? all_lanes : 0;
    for (uint32_t o = first_of(program, operation); o != operation; ++o) {
      if (computes(program, program.operations[o], operation))
        program.operations[o].part(warp, program.operations[o]);
    }
  }
  Before(const Before&) = delete;
  Before& operator=(const Before&) = delete;

  Warp warp;

 private:
  static uint32_t first_of(const Program& program, uint32_t operation) {
    for (const BasicBlock& basic_block : program.basic_blocks)
      if (operation >= basic_block.first && operation < basic_block.last) return basic_block.first;
    return operation;
  }

  bool computes(const Program& program, const Operation& o, uint32_t last) const {
    if (o.accesses) return false;
    if (o.guard != no_operand) {
      uint32_t bits;
      std::memcpy(&bits, warp.base + o.guard, 4);
      if (((o.guard_negated ? ~bits : bits) & warp.mask) == 0) return false;
    }
    if (o.instruction == program.operations[last].instruction) return true;
    const InstructionAt at = program.instructions[o.instruction];
    if (!at.code) return false;
    const InstructionClass kind = class_of(at.code->instructions[at.index]);
    return kind != InstructionClass::memory && kind != InstructionClass::control &&
           kind != InstructionClass::tensor;
  }

  std::vector<std::byte> bytes_;
};

Awaited awaited_by(const Program& program, const BasicBlock& basic_block, const Warp& current,
                   int lane) {
  if (basic_block.waits_on == no_operand) return {};
  const Operation& operation = program.operations[basic_block.waits_on];
  const bool barrier = tests_barrier(operation);
  if (!barrier && (!operation.accesses || operation.bytes == 0)) return {};
  const Before before(program, current, basic_block.waits_on, lane);
  const Warp& warp = before.warp;
  if (barrier) return {std::nullopt, describe_wait(warp, operation, lane)};
  const int wide = operation.wide ? 8 : 4;
  uint64_t address = 0;
  std::memcpy(&address, warp.base + operation.operand[address_operand] + lane * wide, size_t(wide));
  address += uint64_t(operation.offset);
  if (wide == 4) address &= 0xffff'ffff;
  if (address % std::min<uint64_t>(operation.bytes, 8) != 0)
    return {};  // the register holds something else by now
  Awaited found{address, ""};
  const BlockState& block = *warp.block;
  const Memory& memory = *block.machinery->memory;
  const bool generic = operation.place == Place::generic;
  const bool shared = operation.place == Place::shared ||
                      (generic && address / window_size == shared_window / window_size);
  const std::byte* bytes = nullptr;
  if (shared) {
    const uint64_t offset = generic ? address % window_size : address;
    if (!is_within(offset, operation.bytes, 0, block.machinery->shared_bytes))
      return {};  // the register holds something else by now
    bytes = block.shared + offset;
    found.words = fmt::format("{} bytes of shared memory at offset {}", operation.bytes, offset);
  } else {
    const Memory::Block* allocation = memory.find(address);
    if (allocation && allocation->contains(address, operation.bytes))
      bytes = reinterpret_cast<const std::byte*>(address);
    const bool outside = address < memory.base() || address >= memory.base() + memory.addresses();
    found.where = bytes && outside ? Awaited::of_host : Awaited::of_device;
    found.words = fmt::format(
        "{} bytes at {:#x} ({})", operation.bytes, address,
        found.where == Awaited::of_host ? "memory of the host" : memory.describe(address));
  }
  if (bytes && operation.bytes <= 8) {
    uint64_t value = 0;
    std::memcpy(&value, bytes, operation.bytes);
    found.words += fmt::format(", which hold {}", value);
  }
  return found;
}

struct Others {  // who does not go round a loop
  uint64_t barrier = 0, sync = 0;
  uint64_t held = 0;  // by the lanes of their warp that spin
};

std::string why(const Waiting& waiting, const Others& others, const Machinery& machinery,
                Awaited::Where where) {
  if (where == Awaited::of_host)
    return fmt::format(
        "the host has not answered for {} s: the thread that launched the kernel waits for its end",
        HangWatch::time_to_answer.count());
  if (machinery.lockstep && others.held)
    return fmt::format(
        "{} of the same warp could go on, but before Volta a warp runs one side of a branch to "
        "where "
        "both meet before it starts the other. With independent thread scheduling (sm_70 and "
        "later) "
        "each thread gets on by itself",
        counted(others.held, "thread", "threads"));
  if (waiting.not_begun)
    return fmt::format("{} not begun, as {} already fill the machine and wait",
                       counted(waiting.not_begun, "block has", "blocks have"),
                       counted(waiting.blocks.size(), "block", "blocks"));
  if (others.sync)
    return fmt::format("{} in a .sync instruction for lanes that are in the loop",
                       counted(others.sync, "thread waits", "threads wait"));
  if (others.barrier)
    return fmt::format("{} at a barrier that those in the loop do not reach",
                       counted(others.barrier, "thread waits", "threads wait"));
  if (where == Awaited::of_device)
    return "no other thread is left that could change it: launches run one at a time, and a copy "
           "or "
           "kernel of another stream comes later";
  return "no other thread is left that could change it";
}

// Some of them wait for a change of memory that the host may write too.
bool wait_for_host(const Waiting& waiting) {
  const Program& program = *waiting.blocks.front()->machinery->program;
  for (const BlockState* block : waiting.blocks) {
    for (const Warp& warp : block->warps) {
      for (const Group& group : warp.groups) {
        const BasicBlock* loop = group.state == Group::ready ? loop_of(program, group) : nullptr;
        if (loop && awaited_by(program, *loop, warp, std::countr_zero(group.mask)).where ==
                        Awaited::of_host)
          return true;
      }
    }
  }
  return false;
}

enum class Ending { proved, gave_no_sign, worked };

Hang explain(const Waiting& waiting, Ending ending) {
  const bool proved = ending == Ending::proved;
  const Machinery& machinery = *waiting.blocks.front()->machinery;
  const Program& program = *machinery.program;
  std::map<const BasicBlock*, Loop> loops;
  Others others;
  for (const BlockState* block : waiting.blocks) {
    for (const Warp& warp : block->warps) {
      uint64_t spinning = 0, held = 0;
      for (const Group& group : warp.groups) {
        const uint64_t threads = uint64_t(std::popcount(group.mask));
        const bool ready = group.state == Group::ready;
        const BasicBlock* basic_block = ready ? loop_of(program, group) : nullptr;
        if (group.state == Group::waiting) others.barrier += threads;
        if (group.state == Group::warp_sync) others.sync += threads;
        if (group.state == Group::reconverging || (ready && !basic_block)) held += threads;
        if (!basic_block) continue;
        spinning += threads;
        Loop& loop = loops[basic_block];
        loop.threads += threads;
        loop.blocks += loop.last != block;
        loop.last = block;
        if (!loop.warp) loop.warp = &warp, loop.lane = std::countr_zero(group.mask);
      }
      if (spinning) others.held += held;
    }
  }
  const std::pair<const BasicBlock* const, Loop>* most = nullptr;
  for (const auto& each : loops) {
    if (!most || each.second.threads > most->second.threads) most = &each;
  }
  if (!most) {  // their loops are not known
    const Warp* any = nullptr;
    for (const BlockState* block : waiting.blocks) {
      for (const Warp& warp : block->warps) {
        if (!warp.groups.empty() && !any) any = &warp;
      }
    }
    const Group& group = any->groups.front();
    return {Fault{"hang",
                  proved ? "the launch will never end: all its threads wait for one another"
                         : "no block has begun or ended for very long (--hang-after sets how "
                           "long); this is where one of them is",
                  702, std::nullopt, program.basic_blocks[group.basic_block].instruction,
                  std::countr_zero(group.mask)},
            any};
  }
  const auto& [basic_block, loop] = *most;
  if (ending == Ending::worked)
    return {Fault{"hang",
                  "no block has begun or ended for as many rounds of loops as --hang-after allows; "
                  "this is where most threads are",
                  702, std::nullopt, basic_block->instruction, loop.lane},
            loop.warp};
  const Awaited what = awaited_by(program, *basic_block, *loop.warp, loop.lane);
  std::string words =
      fmt::format("{} of {} {} forever", counted(loop.threads, "thread", "threads"),
                  counted(loop.blocks, "block", "blocks"), loop.threads == 1 ? "loops" : "loop");
  if (!proved)
    words +=
        ", as far as can be seen: nothing else has happened for very long (--hang-after sets "
        "how long)";
  if (!what.words.empty())
    words += fmt::format("; {} for a change of {}", loop.threads == 1 ? "it waits" : "they wait",
                         what.words);
  if (loops.size() > 1)
    words += fmt::format("; others in {}", counted(loops.size() - 1, "more loop", "more loops"));
  words += "; " + why(waiting, others, machinery, what.where);
  const uint32_t instruction = basic_block->waits_on == no_operand
                                   ? basic_block->instruction
                                   : program.operations[basic_block->waits_on].instruction;
  return {Fault{"hang", words, 702, what.address, instruction, loop.lane}, loop.warp};
}

}  // namespace

bool HangWatch::waited(uint64_t residents, uint64_t warps, uint64_t rounds) {
  spun_ += rounds * warps;
  ran_ += double(rounds * warps);
  waited_ += rounds;
  if (waited_ < residents * most_rounds) return false;
  waited_ = 0;
  ++rounds_;
  // A state is kept in rounds 8, 16, 32 …, and compared in the three that follow. Before that,
  // lanes that wait for lanes that spin may still be let go (groups.cpp).
  return leaps_ > 0 || answer_by_ || (rounds_ >= 8 && rounds_ - std::bit_floor(rounds_) <= 3);
}

uint64_t HangWatch::leap() {
  const uint64_t low = first_leap + leaps_ < 32 ? 0 : low_word_leap;
  return low + (leaps_ < max_leaps ? 1ull << (first_leap + leaps_++) : 0);
}

// Gives the host time to.
bool HangWatch::host_may_answer(const Waiting& waiting) {
  const auto now = Clock::now();
  if (!answer_by_) {
    if (!wait_for_host(waiting)) return false;
    answer_by_ = now + time_to_answer;
  }
  if (now >= *answer_by_) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return true;
}

std::optional<Hang> HangWatch::look(const Waiting& waiting, uint64_t& leapt) {
  if (waiting.blocks.empty()) return std::nullopt;
  const State now = state_of(waiting);
  const bool keeps = leaps_ == 0 && !answer_by_ && std::has_single_bit(rounds_);
  const bool same = !keeps && now.sum == before_;
  // What is told from a clock is no part of the state.
  const bool leapt_all = leaps_ >= max_leaps;
  still_ = same && leapt_all ? still_ + 1 : 0;
  const bool proved = same && (!now.clocked || still_ >= still_rounds);
  if (keeps) before_ = now.sum;
  if (!same) {
    leaps_ = 0;
    answer_by_.reset();
  }
  if (same && !proved) leapt += leap();
  if (proved && host_may_answer(waiting)) return std::nullopt;
  if (proved || spun_ >= limit_ || (asked_for_ && ran_ >= double(limit_)))
    return explain(waiting, proved ? Ending::proved : Ending::gave_no_sign);
  return std::nullopt;
}

Hang HangWatch::give_up(const Waiting& waiting) { return explain(waiting, Ending::worked); }

}  // namespace headroom::sim
