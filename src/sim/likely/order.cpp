// What an assembler's scheduler does: in a basic block the longest chains go first, loads among them, so that
// latencies overlap.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "sim/likely/likely_code.h"
#include "sim/program.h"

namespace headroom::sim {
namespace {

// Registers are few: loads whose value nobody has used yet, and how far ahead the scheduler looks.
constexpr int most_pending = 16;
constexpr size_t window = 48;

enum class Touches : uint8_t { none, global, shared, local, all };  // of an instruction, in memory
constexpr size_t reaches = 5;

bool is_any_of(std::string_view opcode, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, opcode) != names.end();
}

Touches reach_of(std::string_view opcode) {
  if (is_any_of(opcode, {"LDS", "STS", "ATOMS", "LDSM", "STSM"})) return Touches::shared;
  if (is_any_of(opcode, {"LDG", "STG", "ATOMG", "RED"})) return Touches::global;
  if (is_any_of(opcode, {"LDL", "STL"})) return Touches::local;
  if (is_any_of(opcode, {"LD", "ST", "ATOM", "LDGSTS", "LDGDEPBAR", "DEPBAR", "MEMBAR", "BAR",
                         "WARPSYNC", "SHFL", "VOTE", "CALL", "CS2R"}))
    return Touches::all;
  return Touches::none;
}

bool is_load(std::string_view opcode) { return is_any_of(opcode, {"LDG", "LDS", "LDL"}); }

// Cycles until a result is there, as a scheduler assumes them.
int assumed_latency(std::string_view opcode, int times) {
  if (times == 0) return 0;
  if (is_any_of(opcode, {"LDG", "LD", "LDL", "ATOM", "ATOMG"})) return 60;
  if (is_any_of(opcode, {"LDS", "LDSM", "SHFL", "MUFU", "F2F", "I2F", "F2I", "S2R"})) return 24;
  return 4 + times;
}

// The instructions of one basic block, and which must come before which.
class Scheduled {
 public:
  Scheduled(const LikelyCode& likely, const TracedBasicBlock& range)
      : likely_(likely), first_(range.first), nodes_(range.last - range.first + 1) {
    for (uint32_t n = 0; n < nodes_.size(); ++n) connect(n);
    for (uint32_t n = uint32_t(nodes_.size()); n-- > 0;)
      for (const Edge& edge : nodes_[n].next)
        nodes_[n].height = std::max(nodes_[n].height, edge.latency + nodes_[edge.to].height);
  }

  std::vector<uint32_t> order() {
    std::vector<uint32_t> result;
    for (int now = 0; result.size() < nodes_.size();) {
      const uint32_t chosen = choose(now);
      now = std::max(now, nodes_[chosen].earliest) + 1;
      take(chosen, now);
      result.push_back(first_ + chosen);
    }
    return result;
  }

 private:
  struct Edge {
    uint32_t to;
    int latency;
  };
  struct Node {
    std::vector<Edge> next;
    int before = 0;  // instructions that must come first, and have not
    int height = 0, earliest = 0;
    bool taken = false, pending = false;  // pending: a load that nobody has read
    std::vector<uint32_t> loads;          // that it reads
  };

  const sass::Instruction& instruction(uint32_t n) const {
    return likely_.code->instructions[first_ + n];
  }

  void edge(uint32_t from, uint32_t to, bool is_value) {
    if (from == to) return;
    const std::string_view opcode = instruction(from).opcode;
    const int latency = is_value ? assumed_latency(opcode, likely_.times[first_ + from].all) : 0;
    nodes_[from].next.push_back({to, latency});
    ++nodes_[to].before;
    if (is_value && is_load(opcode)) nodes_[to].loads.push_back(from);
  }

  void read(uint16_t number, uint32_t n) {
    if (const auto found = writer_.find(number); found != writer_.end())
      edge(found->second, n, true);
    readers_[number].push_back(n);
  }

  void write(uint16_t number, uint32_t n) {
    for (const uint32_t reader : readers_[number]) edge(reader, n, false);
    readers_[number].clear();
    if (const auto found = writer_.find(number); found != writer_.end())
      edge(found->second, n, false);
    writer_[number] = n;
  }

  void connect(uint32_t n) {
    const sass::Instruction& of = instruction(n);
    if (of.guarded) read(of.guard.index, n);
    for (const sass::Operand& operand : of.operands) {
      if (operand.kind == sass::OperandKind::reg && !operand.written) read(operand.index, n);
      if (operand.kind == sass::OperandKind::memory && operand.has_base) read(operand.base, n);
    }
    for (const sass::Operand& operand : of.operands)
      if (operand.kind == sass::OperandKind::reg && operand.written) {
        if (of.guarded) read(operand.index, n);  // it stays where the guard is false
        write(operand.index, n);
      }
    connect_memory(n);
    if (n + 1 == nodes_.size())  // who ends the block stays there
      for (uint32_t other = 0; other < n; ++other) edge(other, n, false);
  }

  void connect_memory(uint32_t n) {
    const std::string_view opcode = instruction(n).opcode;
    const Touches reach = reach_of(opcode);
    if (reach == Touches::none) return;
    for (size_t r = 1; r < reaches; ++r) {
      if (reach != Touches::all && Touches(r) != reach && Touches(r) != Touches::all) continue;
      for (const uint32_t store : stores_[r]) edge(store, n, false);
      if (is_load(opcode)) continue;
      for (const uint32_t load : loads_[r]) edge(load, n, false);
    }
    if (is_load(opcode)) {
      loads_[size_t(reach)].push_back(n);
      return;
    }
    // Who reaches all comes after all: what follows needs to come after it alone.
    for (size_t r = 1; r < reaches; ++r)
      if (reach == Touches::all || Touches(r) == reach) {
        stores_[r].clear();
        loads_[r].clear();
      }
    stores_[size_t(reach)] = {n};
  }

  // The one with the longest way ahead of those that can go on now, else the first that can.
  uint32_t choose(int now) {
    while (nodes_[oldest_].taken) ++oldest_;
    const size_t end = std::min(nodes_.size(), oldest_ + window);
    std::optional<uint32_t> best, soonest;
    for (uint32_t n = uint32_t(oldest_); n < end; ++n) {
      const Node& node = nodes_[n];
      if (node.taken || node.before > 0) continue;
      if (!soonest || node.earliest < nodes_[*soonest].earliest) soonest = n;
      if (node.earliest > now || (pending_ >= most_pending && is_load(instruction(n).opcode)))
        continue;
      if (!best || node.height > nodes_[*best].height) best = n;
    }
    return best ? *best : *soonest;
  }

  void take(uint32_t n, int now) {
    Node& node = nodes_[n];
    node.taken = true;
    for (const Edge& edge : node.next) {
      --nodes_[edge.to].before;
      nodes_[edge.to].earliest = std::max(nodes_[edge.to].earliest, now + edge.latency - 1);
    }
    for (const uint32_t load : node.loads) {
      pending_ -= nodes_[load].pending;
      nodes_[load].pending = false;
    }
    if (is_load(instruction(n).opcode)) {
      node.pending = true;
      ++pending_;
    }
  }

  const LikelyCode& likely_;
  const uint32_t first_;
  std::vector<Node> nodes_;
  std::unordered_map<uint16_t, uint32_t> writer_;
  std::unordered_map<uint16_t, std::vector<uint32_t>> readers_;
  std::array<std::vector<uint32_t>, reaches> stores_, loads_;
  size_t oldest_ = 0;
  int pending_ = 0;
};

}  // namespace

std::vector<uint32_t> likely_order(const LikelyCode& likely,
                                   const std::vector<TracedBasicBlock>& ranges) {
  std::vector<uint32_t> place(likely.code->instructions.size());
  std::iota(place.begin(), place.end(), 0u);
  for (const TracedBasicBlock& range : ranges) {
    if (range.first > range.last) continue;
    uint32_t next = range.first;
    for (const uint32_t instruction : Scheduled(likely, range).order()) place[instruction] = next++;
  }
  return place;
}

std::vector<TracedBasicBlock> ranges_of(const Program& program) {
  std::vector<TracedBasicBlock> ranges;
  uint32_t next = 0;
  for (const BasicBlock& basic_block : program.basic_blocks) {
    const uint32_t count = basic_block.profile.instructions;
    ranges.push_back(count ? TracedBasicBlock{next, next + count - 1} : TracedBasicBlock{1, 0});
    next += count;
  }
  return ranges;
}

}  // namespace headroom::sim
