#include <algorithm>

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

void add(std::vector<uint64_t>& sums, const uint64_t* more) {
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
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
  bound.lanes.resize(blocks);
  bound.compiled.resize(blocks, Bound::not_at_all);
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

// Where nobody counts, all of it at once.
std::vector<compiled::Asked> BoundOperations::worth(Bound& bound, const Entered* now) {
  std::vector<compiled::Asked> asked;
  bound.done = true;
  for (uint32_t b = 0; b < bound.compiled.size(); ++b) {
    const uint64_t entries = bound.entries[b] + (now ? now->entries[b] : 0),
                   lanes_entered = bound.lanes[b] + (now ? now->lanes[b] : 0);
    const bool some = !now || lanes_entered < entries * lanes;
    const auto wanted = some ? Bound::for_some : Bound::for_all;
    if (bound.compiled[b] < wanted && (!now || entries >= worth_compiling)) {
      bound.compiled[b] = wanted;
      asked.push_back({b, some});
    }
    bound.done &= bound.compiled[b] == Bound::for_some;
  }
  return asked;
}

BoundOperations::Operations BoundOperations::to(const Body& body, const Program& program,
                                                uint64_t ran, const Entered* now) const {
  std::lock_guard hold(guard_);
  Bound& bound = bound_to(body, program, now);
  bound.ran += ran;
#ifdef __x86_64__
  if (!bound.done && bound.ran >= bound.look) {
    const std::vector<compiled::Asked> asked = worth(bound, bound.look ? now : nullptr);
    bound.look = bound.ran + std::max(worth_compiling, bound.ran / looks_again);
    std::vector<Columns> temporaries;
    for (const DecodedFunction& function : program.functions)
      temporaries.insert(temporaries.end(), function.temporaries.begin(),
                         function.temporaries.end());
    std::vector<Operation> operations = bound.operations.back();
    for (const compiled::Asked& each : asked) {  // what was compiled for all lanes alone
      const BasicBlock& block = program.basic_blocks[each.basic_block];
      std::copy_n(bound.operations.front().begin() + block.first, block.last - block.first,
                  operations.begin() + block.first);
    }
    if (auto code = compiled::compile(operations, program.basic_blocks, asked, body.counts_guarded,
                                      temporaries)) {
      bound.operations.push_back(std::move(operations));
      bound.code.push_back(std::move(code));
    }
  }
#endif
  return {bound.operations.back().data(), bound.done ? ~0ull : bound.look - bound.ran};
}

void BoundOperations::note(const Body& body, const Program& program, uint64_t ran,
                           const Entered& all) const {
  std::lock_guard hold(guard_);
  Bound& bound = bound_to(body, program, true);
  if (bound.done) return;
  bound.ran += ran;
  add(bound.entries, all.entries);
  add(bound.lanes, all.lanes);
}

}  // namespace headroom::sim
