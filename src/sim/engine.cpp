#include "sim/engine.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/host.h"
#include "sim/compiled/compile.h"
#include "sim/machinery.h"

namespace headroom::sim {

namespace {

// Compiling an operation takes as long as running it some hundred times: 2 µs, and 5 ns. What runs is few of the
// basic blocks most of the time, so that those have run much longer by then.
[[maybe_unused]] uint64_t worth_compiling(const Program& program) {
  return 150 * program.basic_blocks.size();
}

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

BoundOperations::Operations BoundOperations::to(const Body& body, const Program& program,
                                                uint64_t ran) const {
  std::lock_guard hold(guard_);
  const auto [entry, added] = bound_.try_emplace(&body);
  Bound& bound = entry->second;
  if (added) {
    bound.handlers = program.operations;
    bind(bound.handlers, body);
  }
  bound.ran += ran;
#ifndef __x86_64__
  bound.tried = true;
#else
  if (!bound.tried && bound.ran >= worth_compiling(program)) {
    bound.tried = true;
    bound.compiled = bound.handlers;
    std::vector<Columns> temporaries;
    for (const DecodedFunction& function : program.functions)
      temporaries.insert(temporaries.end(), function.temporaries.begin(),
                         function.temporaries.end());
    bound.code =
        compiled::compile(bound.compiled, program.basic_blocks, body.counts_guarded, temporaries);
  }
#endif
  return {(bound.code ? bound.compiled : bound.handlers).data(), bound.tried};
}

void renew_operations(Machinery& machinery, uint64_t ran) {
  const auto [first, final] = machinery.program->bound.to(*machinery.body, *machinery.program, ran);
  machinery.operations = first;
  machinery.may_be_compiled = !final;
}

void RowTable::add(std::string_view spelling, const Row& row, std::string_view type,
                   std::string_view type2) {
  const size_t open = spelling.find('{');
  if (open != std::string_view::npos) {
    const size_t close = spelling.find('}', open);
    const std::string before(spelling.substr(0, open)),
        option(spelling.substr(open + 1, close - open - 1)), after(spelling.substr(close + 1));
    add(before + after, row, type, type2);
    add(before + option + after, row, type, type2);
    return;
  }
  std::string key(spelling);
  for (const std::string_view suffix : {type, type2}) {
    if (!suffix.empty()) (key += '.') += suffix;
  }
  rows_.insert_or_assign(key + "/" + std::to_string(row.count), row);
}

const Row* RowTable::find(std::string_view spelling, int operands) const {
  const auto found = rows_.find(std::string(spelling) + "/" + std::to_string(operands));
  return found == rows_.end() ? nullptr : &found->second;
}

std::vector<std::string> RowTable::spellings() const {
  std::set<std::string> names;
  for (const auto& [key, row] : rows_) names.insert(key.substr(0, key.find('/')));
  return {names.begin(), names.end()};
}

namespace {

// Best first. A build for development may have been made for one set only.
std::vector<const Engine*> candidates() {
  std::vector<const Engine*> all;
#ifdef HEADROOM_HAS_avx512
  all.push_back(&avx512::the_engine);
#endif
#ifdef HEADROOM_HAS_avx2
  all.push_back(&avx2::the_engine);
#endif
#ifdef HEADROOM_HAS_portable
  all.push_back(&portable::the_engine);
#endif
  return all;
}

}  // namespace

const Engine& engine() {
  static const Engine& chosen = []() -> const Engine& {
    const char* wish = std::getenv("HEADROOM_ISA");
    const std::vector<const Engine*> all = candidates();
    bool allowed = !wish || std::ranges::find(all, wish, &Engine::name) == all.end();
    for (const Engine* candidate : all) {
      allowed |= wish && candidate->name == wish;  // the one wished for, or the next lesser
      if (allowed && host_runs(candidate->name)) return *candidate;
    }
    return *all.back();
  }();
  return chosen;
}

}  // namespace headroom::sim
