#include "sim/compiled/compile.h"

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "sim/compiled/meanings.h"
#include "sim/compiled/vectors.h"
#include "sim/engine.h"
#include "sim/machinery.h"

namespace headroom::sim::compiled {
namespace {

constexpr uint32_t least = 2;  // operations of a run

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
  uint32_t first, last;
  asmjit::Label entry, masked;
};

// HEADROOM_COMPILED=0 in the environment leaves everything to the handlers.
bool wanted() {
  static const bool is = [] {
    const char* said = std::getenv("HEADROOM_COMPILED");
    return engine().name == "avx512" && !(said && std::string_view(said) == "0");
  }();
  return is;
}

std::vector<Run> runs_of(const std::vector<Operation>& operations,
                         const std::vector<BasicBlock>& basic_blocks, bool guarded) {
  const auto known = [&](const Operation& one) {
    return !one.accesses && (guarded || one.guard == no_operand) && emitter_of(one);
  };
  std::vector<Run> runs;
  for (const BasicBlock& basic_block : basic_blocks)
    for (uint32_t at = basic_block.first; at < basic_block.last;) {
      uint32_t last = at;
      while (last < basic_block.last && known(operations[last])) ++last;
      if (last - at >= least) runs.push_back({at, last, {}, {}});
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

void write(Vectors& vectors, const Run& run, const std::vector<Operation>& operations,
           Running running) {
  x86::Assembler& a = vectors.a;
  vectors.begin(running);
  a.mov(base_register, x86::ptr_64(warp_register, offsetof(Warp, base)));
  for (uint32_t at = run.first; at < run.last; ++at) {
    const Operation& operation = operations[at];
    const bool uniform = is_uniform(operation);
    if (operation.guard != no_operand) {
      vectors.run_guarded(operation.guard, operation.guard_negated, running, uniform);
      tally(a, operation, at);
    } else if (running == Running::some && !uniform) {
      vectors.run_some();
    } else {
      vectors.run_all();
    }
    emitter_of(operation)(vectors, operation);
  }
  vectors.run_all();
  vectors.write_back();
  if (running == Running::all) return leave(a, run, operations[run.last - 1]);
  a.vzeroupper();
  a.ret();
}

// What one call runs (Operation::together), now that a call may run what did not chain.
void count_together(std::vector<Operation>& operations, const std::vector<BasicBlock>& basic_blocks,
                    const std::vector<Run>& runs) {
  std::vector<uint32_t> end(operations.size());  // of the run that begins there
  for (const Run& run : runs) end[run.first] = run.last;
  for (const BasicBlock& basic_block : basic_blocks)
    for (uint32_t at = basic_block.last; at-- > basic_block.first;) {
      const uint32_t last = end[at] ? end[at] : at + 1;
      const bool goes_on = operations[last - 1].chains && last < basic_block.last;
      operations[at].together = last - at + (goes_on ? operations[last].together : 0);
    }
}

}  // namespace

std::shared_ptr<const void> compile(std::vector<Operation>& operations,
                                    const std::vector<BasicBlock>& basic_blocks, bool guarded) {
  if (!wanted()) return nullptr;
  std::vector<Run> runs = runs_of(operations, basic_blocks, guarded);
  if (runs.empty()) return nullptr;
  Failing failed;
  asmjit::CodeHolder code;
  code.init(runtime().environment());
  code.setErrorHandler(&failed);
  x86::Assembler a(&code);
  auto constants = std::make_shared<Vectors::Tables>();
  Vectors vectors(a, *constants);
  for (Run& run : runs)
    for (const Running running : {Running::all, Running::some}) {
      asmjit::Label& entry = running == Running::all ? run.entry : run.masked;
      entry = a.newLabel();
      a.align(asmjit::AlignMode::kCode, 16);
      a.bind(entry);
      write(vectors, run, operations, running);
    }
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
  count_together(operations, basic_blocks, runs);
  return std::shared_ptr<const void>(begin,
                                     [constants](const std::byte* at) { runtime().release(at); });
}

}  // namespace headroom::sim::compiled
