#include "sim/register_allocation.h"

#include <algorithm>
#include <array>
#include <queue>
#include <set>
#include <string_view>

namespace headroom::sim {
namespace {

constexpr std::array<std::string_view, 6> ends = {"bra", "brx", "call", "ret", "exit", "trap"};

bool is_barrier(const ptx::Instruction& i) {
  return (i.opcode == "bar" || i.opcode == "barrier") && !i.has(".warp") &&
         !(i.has(".cluster") && i.has(".arrive"));  // who arrives there goes on at once
}

// Calls f(register, written) for every register an instruction touches.
template <class F>
void each_register(const ptx::Instruction& instruction, F&& f) {
  auto visit = [&](auto&& self, const ptx::Operand& operand, bool written) -> void {
    switch (operand.kind) {
      case ptx::Operand::Kind::reg: f(operand.reg, written); break;
      case ptx::Operand::Kind::address:
        if (operand.reg >= 0) f(operand.reg, false);
        for (const ptx::Operand& item : operand.items) self(self, item, false);
        break;
      case ptx::Operand::Kind::list:
        for (const ptx::Operand& item : operand.items) self(self, item, written);
        break;
      default: break;
    }
  };
  const int outs = written_operands(instruction);
  if (adds_onto(instruction)) visit(visit, instruction.operands[0], false);
  for (size_t n = 0; n < instruction.operands.size(); ++n)
    visit(visit, instruction.operands[n], int(n) < outs);
  if (instruction.guard.reg >= 0) f(instruction.guard.reg, false);
}

// Instructions that become several operations must not write before their last operand is read.
bool several_operations(const ptx::Instruction& i) {
  return i.opcode == "setp" || i.opcode == "set" || is_barrier(i);
}

struct Interval {
  int64_t begin = INT64_MAX, end = -1;
  void cover(int64_t position) { begin = std::min(begin, position), end = std::max(end, position); }
};

// Where control goes from the straight line `b`.
std::vector<size_t> successors(const ptx::Function& function, const std::vector<int>& leaders,
                               size_t b) {
  std::vector<size_t> next;
  const int size = int(function.body.size());
  const size_t blocks = leaders.size();
  const int last = (b + 1 < blocks ? leaders[b + 1] : size) - 1;
  auto jump = [&](const std::string& name) {
    const auto label = function.labels.find(name);
    if (label == function.labels.end() || label->second >= size) return;
    const auto after = std::upper_bound(leaders.begin(), leaders.end(), label->second);
    next.push_back(size_t(after - leaders.begin()) - 1);
  };
  bool falls = true;
  if (last >= leaders[b]) {
    const ptx::Instruction& end = function.body[size_t(last)];
    if (end.opcode == "bra") {
      jump(end.operands.empty() ? "" : end.operands[0].name);
    } else if (end.opcode == "brx") {
      for (const auto& [name, targets] : function.branch_targets) {
        for (const std::string& target : targets) jump(target);
      }
    }
    const bool leaves = end.opcode == "bra" || end.opcode == "brx" || end.opcode == "ret" ||
                        end.opcode == "exit" || end.opcode == "trap";
    falls = !leaves || end.guard.reg >= 0;
  }
  if (falls && b + 1 < blocks) next.push_back(b + 1);
  return next;
}

// Positions: 2i where instruction i reads, 2i + 1 where it writes. Every register is followed by
// itself, back from the lines that read it to those that write it: work and memory are in
// proportion to where registers are live.
std::vector<Interval> live_intervals(const ptx::Function& function, const std::vector<int>& leaders,
                                     std::vector<uint32_t>& unset) {
  const size_t registers = function.registers.size(), blocks = leaders.size();
  const int size = int(function.body.size());
  std::vector<Interval> interval(registers);
  auto last_of = [&](size_t b) { return b + 1 < blocks ? leaders[b + 1] : size; };

  std::vector<std::vector<uint32_t>> before(blocks);                       // lines that lead to it
  std::vector<std::vector<uint32_t>> read(registers), written(registers);  // lines, ascending
  for (size_t b = 0; b < blocks; ++b) {
    for (int i = leaders[b]; i < last_of(b); ++i) {
      const ptx::Instruction& instruction = function.body[size_t(i)];
      const bool keeps = instruction.guard.reg >= 0;  // lanes whose guard fails keep the old value
      each_register(instruction, [&](int register_number, bool writes) {
        const size_t r = size_t(register_number);
        const bool known = !written[r].empty() && written[r].back() == b;
        if ((!writes || keeps) && !known && (read[r].empty() || read[r].back() != b))
          read[r].push_back(uint32_t(b));
        interval[r].cover(2 * i + (writes && !several_operations(instruction) ? 1 : 0));
        if (writes) interval[r].cover(2 * i + 1);
      });
      each_register(instruction, [&](int register_number, bool writes) {
        std::vector<uint32_t>& lines = written[size_t(register_number)];
        if (writes && !keeps && (lines.empty() || lines.back() != b)) lines.push_back(uint32_t(b));
      });
    }
    for (size_t n : successors(function, leaders, b)) before[n].push_back(uint32_t(b));
  }

  std::vector<uint32_t> left, live(blocks, ~0u), ends(blocks, ~0u);  // by line: which register
  for (uint32_t r = 0; r < registers; ++r) {
    for (uint32_t b : written[r]) ends[b] = r;
    for (uint32_t b : read[r]) {
      live[b] = r;
      left.push_back(b);
    }
    while (!left.empty()) {
      const uint32_t b = left.back();
      left.pop_back();
      interval[r].cover(2 * leaders[b]);
      for (uint32_t from : before[b]) {
        interval[r].cover(2 * last_of(from));
        if (live[from] == r || ends[from] == r) continue;
        live[from] = r;
        left.push_back(from);
      }
    }
    if (live[0] == r) unset.push_back(r);
  }
  return interval;
}

}  // namespace

bool adds_onto(const ptx::Instruction& i) { return i.opcode == "wgmma" && i.has(".mma_async"); }

bool is_matrix(const ptx::Instruction& i) {
  static constexpr std::array<std::string_view, 5> named = {"mma", "wmma", "ldmatrix", "stmatrix",
                                                            "movmatrix"};
  return std::find(named.begin(), named.end(), i.opcode) != named.end() || adds_onto(i);
}

int written_operands(const ptx::Instruction& i) {
  if (i.opcode == "wmma" && i.has(".store")) return 0;
  if (i.opcode == "wgmma" && !adds_onto(i)) return 0;
  static constexpr std::array<std::string_view, 22> none = {
      "st",         "red",       "bra",     "brx",      "call",          "ret",
      "exit",       "trap",      "brkpt",   "membar",   "fence",         "prefetch",
      "prefetchu",  "nanosleep", "pmevent", "discard",  "applypriority", "griddepcontrol",
      "setmaxnreg", "stmatrix",  "cp",      "tensormap"};
  if (is_barrier(i)) return i.has(".red") ? 1 : 0;
  if (i.opcode == "bar" || i.opcode == "barrier") return 0;
  if (i.opcode == "mbarrier")  // [state,] [addr] …
    return i.operands.empty() || i.operands[0].kind == ptx::Operand::Kind::address ? 0 : 1;
  return std::find(none.begin(), none.end(), i.opcode) != none.end() ? 0 : 1;
}

bool is_terminator(const ptx::Instruction& i) {
  if (i.opcode == "wgmma") return i.has(".wait_group");
  return std::find(ends.begin(), ends.end(), i.opcode) != ends.end() || is_barrier(i);
}

bool starts_basic_block(const ptx::Instruction& i) {
  if (i.opcode == "bar" || i.opcode == "barrier") return i.has(".warp");
  if (is_matrix(i)) return true;
  static constexpr std::array<std::string_view, 5> named = {"shfl", "vote", "match", "redux",
                                                            "elect"};
  return i.has(".sync") && std::find(named.begin(), named.end(), i.opcode) != named.end();
}

RegisterAllocation allocate_registers(const ptx::Function& function,
                                      const std::vector<int>& leaders) {
  const size_t registers = function.registers.size();
  RegisterAllocation allocation;
  std::vector<Interval> interval = live_intervals(function, leaders, allocation.unset);

  std::vector<int> order;
  for (size_t r = 0; r < registers; ++r) {
    if (interval[r].end >= 0) order.push_back(int(r));
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return interval[size_t(a)].begin < interval[size_t(b)].begin;
  });

  struct Pool {  // one width
    int size = 0;
    std::set<int> free;
    std::priority_queue<std::pair<int64_t, int>, std::vector<std::pair<int64_t, int>>,
                        std::greater<>>
        active;
  };
  std::array<Pool, 17> pools;
  std::vector<int> index(registers, -1);
  for (int r : order) {
    Pool& pool = pools[size_t(lane_register_bytes(function.registers[size_t(r)].type))];
    while (!pool.active.empty() && pool.active.top().first < interval[size_t(r)].begin) {
      pool.free.insert(pool.active.top().second);
      pool.active.pop();
    }
    if (pool.free.empty()) {
      pool.free.insert(pool.size++);
    }
    index[size_t(r)] = *pool.free.begin();  // the lowest: a small frame
    pool.free.erase(pool.free.begin());
    pool.active.emplace(interval[size_t(r)].end, index[size_t(r)]);
  }

  allocation.at.assign(registers, 0);
  std::array<uint32_t, 17> base{};
  for (int bytes : {16, 8, 4, 2, 1, 0}) {  // wide ones first: everything stays aligned
    base[size_t(bytes)] = allocation.bytes;
    if (pools[size_t(bytes)].size)
      allocation.columns.push_back(
          {allocation.bytes, uint32_t(bytes), uint32_t(pools[size_t(bytes)].size)});
    allocation.bytes += uint32_t(pools[size_t(bytes)].size) * warp_register_bytes(bytes);
  }
  allocation.bytes = (allocation.bytes + 63) / 64 * 64;
  for (size_t r = 0; r < registers; ++r) {
    const int bytes = lane_register_bytes(function.registers[r].type);
    if (index[r] >= 0)
      allocation.at[r] = base[size_t(bytes)] + uint32_t(index[r]) * warp_register_bytes(bytes);
  }
  return allocation;
}

}  // namespace headroom::sim
