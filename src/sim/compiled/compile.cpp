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

void write(Vectors& vectors, Accesses& accesses, const Run& run,
           const std::vector<Operation>& operations, Running running,
           const std::vector<Columns>& temporaries, Flow* goes_on) {
  x86::Assembler& a = vectors.a;
  const bool has_accesses =
      std::any_of(operations.begin() + run.first, operations.begin() + run.last,
                  [](const Operation& each) { return each.accesses; });
  vectors.begin(running);
  if (has_accesses) accesses.begin();
  a.mov(base_register, x86::ptr_64(warp_register, offsetof(Warp, base)));
  std::optional<Accesses::Pair> address;
  for (uint32_t at = run.first; at < run.last; ++at) {
    const Operation& operation = operations[at];
    const bool uniform = is_uniform(operation);
    if (operation.guard != no_operand) {
      vectors.run_guarded(operation.guard, operation.guard_negated, running, uniform);
      if (!operation.accesses) tally(a, operation, at);
    } else if (running == Running::some && !uniform) {
      vectors.run_some();
    } else {
      vectors.run_all();
    }
    if (operation.accesses) {
      accesses.access(operation, at - run.first, std::exchange(address, std::nullopt), [&] {
        if (operation.guard == no_operand) return;
        a.mov(x86::ecx, guarded_lanes);
        tally(a, operation, at);
      });
    } else if (joins_for_next(operations, run, at, temporaries)) {
      address = {operation.operand[1], operation.operand[2]};
    } else {
      emitter_of(operation)(vectors, operation);
    }
  }
  vectors.run_all();
  vectors.write_back();
  if (has_accesses) accesses.end();
  if (goes_on) {
    goes_on->write(run.basic_block, run.first);
  } else if (running == Running::all) {
    leave(a, run, operations[run.last - 1]);
  } else {
    a.vzeroupper();
    a.ret();
  }
  accesses.write_slow_paths();
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
      write(vectors, accesses, run, operations, running, temporaries,
            goes_on && running == Running::all ? &flow : nullptr);
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
