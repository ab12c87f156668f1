// Operations as a launch runs them: bound to who looks on, and compiled, basic block by basic block, where that is worth it.
#include <algorithm>
#include <functional>

#include "sim/compiled/compile.h"
#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim {

namespace {

// Compiling an operation takes as long as running it some hundred times: 2 µs, and 5 ns. What has run so often as that runs as
// often again most of the time.
constexpr uint64_t worth_compiling = 1000;
// Looks for more to compile, when as much has run as this part of all before.
constexpr uint64_t looks_again = 4;

void bind(std::vector<Operation>& operations, const Body& body) {
  for (Operation& operation : operations) {
    if (operation.accesses)
      operation.full = operation.part = body.access(operation.place, operation.use, operation.wide);
    if (operation.guard != no_operand) {
      operation.inner = operation.part;
      operation.full = operation.part = body.guarded;
    }
    operation.masked = operation.part;
    operation.masked_together = 1;
  }
}

}  // namespace

BoundOperations::Bound& BoundOperations::bound_to(const Body& body, const Program& program,
                                                  bool counted) const {
  const auto [entry, added] = bound_.try_emplace(&body);
  Bound& bound = entry->second;
  if (!added) return bound;
  const size_t blocks = program.basic_blocks.size();
  bind(bound.operations.emplace_back(program.operations), body);
  bound.entries.resize(blocks);
  bound.compiled.resize(blocks);
  bound.look = counted ? worth_compiling : blocks * worth_compiling / 6;
#ifdef __x86_64__
  const compiled::When when = compiled::when();
  bound.done = when == compiled::When::never;
  if (when == compiled::When::at_once) bound.look = 0;
#else
  bound.done = true;
#endif
  return bound;
}

#ifdef __x86_64__
// Where nobody counts, all of it at once.
std::vector<uint32_t> BoundOperations::worth(Bound& bound, const Ran& ran) {
  std::vector<uint32_t> asked;
  for (uint32_t b = 0; b < bound.compiled.size(); ++b) {
    if (bound.compiled[b]) continue;
    if (ran.entries && bound.entries[b] + ran.entries[b] * ran.host_threads < worth_compiling)
      continue;
    bound.compiled[b] = true;
    asked.push_back(b);
  }
  bound.done = std::ranges::all_of(bound.compiled, std::identity{});
  return asked;
}

void BoundOperations::compile(Bound& bound, const Body& body, const Program& program,
                              const std::vector<uint32_t>& asked) {
  std::vector<Columns> temporaries;
  for (const DecodedFunction& function : program.functions)
    temporaries.insert(temporaries.end(), function.temporaries.begin(), function.temporaries.end());
  std::vector<Operation> operations = bound.operations.back();
  auto code =
      compiled::compile(operations, program.basic_blocks, asked, body.counts_guarded, temporaries);
  if (!code) return;
  bound.operations.push_back(std::move(operations));  // others still run those before
  bound.code.push_back(std::move(code));
}
#endif

BoundOperations::Operations BoundOperations::to(const Body& body, const Program& program,
                                                const Ran& ran) const {
  std::lock_guard hold(guard_);
  Bound& bound = bound_to(body, program, ran.entries);
  bound.ran += ran.basic_blocks;
#ifdef __x86_64__
  if (!bound.done && bound.ran >= bound.look) {
    const std::vector<uint32_t> asked = bound.look ? worth(bound, ran) : worth(bound, {});
    bound.look = bound.ran + std::max(worth_compiling, bound.ran / looks_again);
    if (!asked.empty()) compile(bound, body, program, asked);
  }
#endif
  const Operation* first = bound.operations.back().data();
  if (bound.done) return {first, ~0ull};
  return {first, std::max<uint64_t>(1, (bound.look - bound.ran) / ran.host_threads)};
}

void BoundOperations::note(const Body& body, const Program& program, uint64_t ran,
                           const uint64_t* entries) const {
  std::lock_guard hold(guard_);
  Bound& bound = bound_to(body, program, true);
  if (bound.done) return;
  bound.ran += ran;
  for (size_t b = 0; b < bound.entries.size(); ++b) bound.entries[b] += entries[b];
}

}  // namespace headroom::sim
