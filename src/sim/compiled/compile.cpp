#include "sim/compiled/compile.h"

#include <asmjit/x86.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/compiled/accesses.h"
#include "sim/compiled/flow.h"
#include "sim/compiled/meanings.h"
#include "sim/compiled/vectors.h"
#include "sim/engine.h"
#include "sim/machinery.h"

namespace headroom::sim::compiled {
namespace {

constexpr uint32_t least = 2;  // operations of a run that others follow
// Of a loop whose registers stay in vectors, as its code is written twice.
constexpr uint32_t most_in_rounds = 512;

// Of all programs; never destroyed, as programs may end after everything else.
asmjit::JitRuntime& runtime() {
  static auto* const one = new asmjit::JitRuntime;
  return *one;
}

// An instruction that cannot be encoded, memory that is not there: all is left to the handlers.
struct Failing : asmjit::ErrorHandler {
  bool is = false;
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { is = true; }
};

using Running = Vectors::Running;

struct Run {
  uint32_t basic_block, first, last;
  asmjit::Label entry, masked;
};

std::vector<Run> runs_of(const std::vector<Operation>& operations,
                         const std::vector<BasicBlock>& basic_blocks,
                         const std::vector<uint32_t>& asked, bool sums) {
  const auto known = [&](const Operation& one) {
    if (one.accesses) return sums && Accesses::knows(one);
    return (sums || one.guard == no_operand) && emitter_of(one);
  };
  std::vector<Run> runs;
  for (const uint32_t b : asked)
    for (uint32_t at = basic_blocks[b].first, end = basic_blocks[b].last; at < end;) {
      uint32_t last = at;
      while (last < end && known(operations[last])) ++last;
      if (last - at >= least || (last > at && last == end)) runs.push_back({b, at, last, {}, {}});
      at = last + 1;
    }
  return runs;
}

// Goes on as the handler of the run's last operation would.
void leave(x86::Assembler& a, const Run& run, const Operation& last) {
  a.vzeroupper();
  if (!last.chains) return void(a.ret());
  a.add(operation_register, int32_t(sizeof(Operation) * (run.last - run.first)));
  a.jmp(x86::ptr_64(operation_register, offsetof(Operation, full)));
}

// What observers count of a guarded operation: ecx has the lanes for which it runs.
void tally(x86::Assembler& a, const Operation& operation, uint32_t index) {
  const InstructionClass kind =
      operation.kind == InstructionClass::special ? InstructionClass::fp32 : operation.kind;
  const auto add_lanes = [&](size_t member, int32_t offset, bool multiplies) {
    const asmjit::Label nobody = a.newLabel();
    a.mov(x86::rdx, x86::ptr_64(warp_register, int32_t(offsetof(Warp, guarded) + member)));
    a.test(x86::rdx, x86::rdx);
    a.jz(nobody);
    if (multiplies && operation.float_operations > 1)
      a.imul(x86::ecx, x86::ecx, operation.float_operations);
    a.add(x86::ptr_64(x86::rdx, offset), x86::rcx);
    a.bind(nobody);
  };
  a.popcnt(x86::ecx, x86::ecx);
  add_lanes(offsetof(GuardedLanes, by_operation), int32_t(8 * index), false);
  if (kind <= InstructionClass::fp16 && operation.float_operations)
    add_lanes(offsetof(GuardedLanes, float_operations), 8 * int32_t(kind), true);
}

// Joins an address for nobody but the access behind it: it need not lie in memory.
bool joins_for_next(const std::vector<Operation>& operations, const Run& run, uint32_t at,
                    const std::vector<Columns>& temporaries) {
  const Operation& one = operations[at];
  if (!Accesses::is_join(one) || at + 1 == run.last) return false;
  const Operation& next = operations[at + 1];
  const uint32_t joined = one.operand[0];
  const auto same_instruction = [&](uint32_t other) {
    return other < operations.size() && operations[other].instruction == one.instruction;
  };
  if (!next.accesses || !same_instruction(at + 1) || next.operand[address_operand] != joined ||
      next.guard != one.guard || next.guard_negated != one.guard_negated)
    return false;
  for (uint32_t other = at + 2; same_instruction(other); ++other)
    if (std::ranges::find(operations[other].operand, joined) != std::end(operations[other].operand))
      return false;
  return std::ranges::any_of(temporaries, [&](const Columns& each) {
    return each.bytes == 8 && each.count == 1 && each.at == joined;
  });
}

// The code of a run, as it is entered: for a full warp or for some lanes of it.
class Writer {
 public:
  Writer(Vectors& vectors, Accesses& accesses, Flow& flow, const std::vector<Operation>& operations,
         const std::vector<Columns>& temporaries)
      : vectors_(vectors),
        accesses_(accesses),
        flow_(flow),
        operations_(operations),
        temporaries_(temporaries) {}
  void write(const Run&, Running, bool goes_on);

 private:
  void write_operations(const Run&, Running);
  void write_rounds(const Run&);
  void write_end(const Run&, Running, bool goes_on);
  bool has_accesses(const Run&) const;

  Vectors& vectors_;
  Accesses& accesses_;
  Flow& flow_;
  const std::vector<Operation>& operations_;
  const std::vector<Columns>& temporaries_;
  uint64_t now_ = 0;  // operations so far, round after round
};

bool Writer::has_accesses(const Run& run) const {
  return std::any_of(operations_.begin() + run.first, operations_.begin() + run.last,
                     [](const Operation& each) { return each.accesses; });
}

void Writer::write(const Run& run, Running running, bool goes_on) {
  const bool loops = goes_on && run.last - run.first <= most_in_rounds &&
                     flow_.is_loop(run.basic_block, run.first);
  now_ = 0;
  vectors_.begin(running,
                 Uses({operations_.begin() + run.first, operations_.begin() + run.last}, loops));
  if (has_accesses(run)) accesses_.begin();
  vectors_.a.mov(base_register, x86::ptr_64(warp_register, offsetof(Warp, base)));
  write_operations(run, running);
  if (loops) write_rounds(run);
  write_end(run, running, goes_on);
  accesses_.write_slow_paths();
}

void Writer::write_operations(const Run& run, Running running) {
  std::optional<Accesses::Pair> address;
  for (uint32_t at = run.first; at < run.last; ++at) {
    const Operation& operation = operations_[at];
    const bool uniform = is_uniform(operation);
    vectors_.at(now_++);
    if (operation.guard != no_operand) {
      vectors_.run_guarded(operation.guard, operation.guard_negated, running, uniform);
      if (!operation.accesses) tally(vectors_.a, operation, at);
    } else if (running == Running::some && !uniform) {
      vectors_.run_some();
    } else {
      vectors_.run_all();
    }
    if (operation.accesses) {
      accesses_.access(operation, at - run.first, std::exchange(address, std::nullopt), [&] {
        if (operation.guard == no_operand) return;
        vectors_.a.mov(x86::ecx, guarded_lanes);
        tally(vectors_.a, operation, at);
      });
    } else if (joins_for_next(operations_, run, at, temporaries_)) {
      address = {operation.operand[1], operation.operand[2]};
    } else {
      emitter_of(operation)(vectors_, operation);
    }
  }
  vectors_.run_all();
}

// Behind the first round of a loop: all others, and the end where there is none. Its caller writes the end of the others.
void Writer::write_rounds(const Run& run) {
  x86::Assembler& a = vectors_.a;
  const asmjit::Label over = a.newLabel(), over_at_once = a.newLabel(), round = a.newLabel();
  flow_.unless_again(run.basic_block, over_at_once);
  const Vectors::State first = vectors_.state();
  vectors_.begin_rounds();
  flow_.count_again(run.basic_block);
  a.bind(round);
  write_operations(run, Running::all);
  flow_.unless_again(run.basic_block, over);
  const Vectors::State last = vectors_.state();
  vectors_.end_round();
  flow_.count_again(run.basic_block);
  a.jmp(round);
  a.bind(over_at_once);
  vectors_.resume(first);
  write_end(run, Running::all, true);
  a.bind(over);
  vectors_.resume(last);
}

void Writer::write_end(const Run& run, Running running, bool goes_on) {
  x86::Assembler& a = vectors_.a;
  vectors_.write_back();
  if (has_accesses(run)) accesses_.end();
  if (goes_on) {
    flow_.write(run.basic_block, run.first);
  } else if (running == Running::all) {
    leave(a, run, operations_[run.last - 1]);
  } else {
    a.vzeroupper();
    a.ret();
  }
}

// What one call runs (Operation::together), now that a call may run what did not chain.
void count_together(std::vector<Operation>& operations, const std::vector<BasicBlock>& basic_blocks,
                    const std::vector<uint32_t>& asked, const std::vector<Run>& runs) {
  std::vector<uint32_t> end(operations.size());  // of the run that begins there
  for (const Run& run : runs) end[run.first] = run.last;
  for (const uint32_t b : asked) {
    const BasicBlock& basic_block = basic_blocks[b];
    for (uint32_t at = basic_block.last; at-- > basic_block.first;) {
      const uint32_t last = end[at] ? end[at] : at + 1;
      const bool goes_on = operations[last - 1].chains && last < basic_block.last;
      operations[at].together = last - at + (goes_on ? operations[last].together : 0);
    }
  }
}

}  // namespace

When when() {
  static const When is = [] {
    const char* said = std::getenv("HEADROOM_COMPILED");
    const std::string_view wish = said ? said : "";
    if (engine().name != "avx512" || wish == "0") return When::never;
    return wish == "all" ? When::at_once : When::worth_it;
  }();
  return is;
}

std::shared_ptr<const void> compile(std::vector<Operation>& operations,
                                    const std::vector<BasicBlock>& basic_blocks,
                                    const std::vector<uint32_t>& asked, bool sums,
                                    const std::vector<Columns>& temporaries) {
  if (when() == When::never) return nullptr;
  std::vector<Run> runs = runs_of(operations, basic_blocks, asked, sums);
  if (runs.empty()) return nullptr;
  Failing failed;
  asmjit::CodeHolder code;
  code.init(runtime().environment());
  code.setErrorHandler(&failed);
  x86::Assembler a(&code);
  auto constants = std::make_shared<Vectors::Tables>();
  Vectors vectors(a, *constants);
  Accesses accesses(vectors);
  Flow flow(a, basic_blocks);
  Writer writer(vectors, accesses, flow, operations, temporaries);
  for (Run& run : runs) {
    run.entry = a.newLabel();
    run.masked = a.newLabel();
    if (run.first == basic_blocks[run.basic_block].first) flow.begins(run.basic_block, run.entry);
  }
  if (sums) flow.write_empty();
  for (const Run& run : runs) {
    const bool goes_on =
        sums && run.last == basic_blocks[run.basic_block].last && flow.goes_on(run.basic_block);
    for (const Running running : {Running::all, Running::some}) {
      a.align(asmjit::AlignMode::kCode, 16);
      a.bind(running == Running::all ? run.entry : run.masked);
      writer.write(run, running, goes_on && running == Running::all);
    }
  }
  accesses.write_subroutines();
  std::byte* begin = nullptr;
  if (failed.is || runtime().add(&begin, &code) != asmjit::kErrorOk)
    return nullptr;  // a host may forbid it
  const auto placed = [&](const asmjit::Label& label) {
    return reinterpret_cast<Handler>(begin + code.labelOffsetFromBase(label));
  };
  for (const Run& run : runs) {
    Operation& first = operations[run.first];
    first.full = placed(run.entry);
    first.masked = placed(run.masked);
    first.masked_together = run.last - run.first;
  }
  count_together(operations, basic_blocks, asked, runs);
  return std::shared_ptr<const void>(begin,
                                     [constants](const std::byte* at) { runtime().release(at); });
}

}  // namespace headroom::sim::compiled
